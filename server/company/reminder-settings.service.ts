import type { ReminderStep } from '../../domain/late-payment/reminder-steps.ts';
import { kronerToOre, oreToKroner, type Ore } from '../../domain/money.ts';
import {
  DEFAULT_REMINDER_SETTINGS,
  type ReminderSettings,
  type ReminderSettingsForm,
} from '../../domain/profile/reminder-settings.schema.ts';
import type { Config } from '../config.ts';
import type { Actor, Context } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import { lockCompany } from './profile.repository.ts';
import * as repository from './reminder-settings.repository.ts';

/** A company's reminder settings: the saved ones, or the proposed defaults. */
export interface CompanyReminderSettings {
  /** Whether due reminders are searched for each working day. */
  readonly automatic: boolean;
  /** Whether a person must approve them before they are sent. */
  readonly approve: boolean;
  readonly steps: readonly ReminderStep[];
  /** Øre; an invoice with a smaller amount due gets no automatic reminder. */
  readonly minimumAmount: Ore;
  /** Whether fees and interest are waived when the principal is paid. */
  readonly waiveRest: boolean;
  /** Null before anything was saved. */
  readonly version: number | null;
}

/** The settings of a company, for code that reminds. */
export async function findReminderSettings(
  db: Db,
  companyId: number,
): Promise<CompanyReminderSettings> {
  const { minimumAmount, ...proposed } = DEFAULT_REMINDER_SETTINGS;
  return (
    (await repository.findSettings(db, companyId)) ?? {
      ...proposed,
      minimumAmount: kronerToOre(minimumAmount),
      version: null,
    }
  );
}

/** The settings as the API shows them. */
export async function getReminderSettings(
  { db, config }: Context,
  { companyId }: Actor,
): Promise<ReminderSettings> {
  return present(config, await findReminderSettings(db, companyId));
}

/** Saves the settings. @throws AppError debt_collection_step, changed_meanwhile */
export async function saveReminderSettings(
  { db, config }: Context,
  { companyId }: Actor,
  { version, minimumAmount, ...form }: ReminderSettingsForm,
): Promise<ReminderSettings> {
  const warning = form.steps.findIndex(({ kind }) => kind === 'DEBT_COLLECTION_NOTICE');
  if (warning >= 0 && !config.debtCollectionNotice) {
    const field = `steps[${warning}].kind`;
    throw new AppError('debt_collection_step', { field, subject: field });
  }
  const values = { ...form, minimumAmount: kronerToOre(minimumAmount) };
  return db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    const changed = await repository.updateSettings(trx, companyId, values, version);
    if (changed) return present(config, changed);
    if (version !== null) throw changedMeanwhile();
    return present(config, await repository.insertSettings(trx, companyId, values));
  });
}

function present(
  { debtCollectionNotice }: Pick<Config, 'debtCollectionNotice'>,
  { automatic, approve, steps, minimumAmount, waiveRest, version }: CompanyReminderSettings,
): ReminderSettings {
  return {
    automatic,
    approve,
    steps: steps.map(({ days, kind, fee, interest }) => ({ days, kind, fee, interest })),
    minimumAmount: oreToKroner(minimumAmount),
    waiveRest,
    debtCollectionNotice,
    version,
  };
}
