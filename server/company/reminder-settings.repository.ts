import type { ReminderStep } from '../../domain/late-payment/reminder-steps.ts';
import type { Ore } from '../../domain/money.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { isStill } from '../platform/db/columns.ts';

const COLUMNS = ['automatic', 'approve', 'steps', 'minimumAmount', 'waiveRest', 'version'] as const;

export type ReminderSettingsRow = Row<'reminderSettings', (typeof COLUMNS)[number]>;

interface SettingsValues {
  readonly automatic: boolean;
  readonly approve: boolean;
  readonly steps: readonly ReminderStep[];
  readonly minimumAmount: Ore;
  readonly waiveRest: boolean;
}

export async function findSettings(
  db: Db,
  companyId: number,
): Promise<ReminderSettingsRow | undefined> {
  return db
    .selectFrom('reminderSettings')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .executeTakeFirst();
}

/** The companies with automatic reminders. */
export async function findAutomatic(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('reminderSettings')
    .select('companyId')
    .where('automatic', '=', true)
    .orderBy('companyId')
    .execute();
  return rows.map(({ companyId }) => companyId);
}

/** Changes the settings; undefined when there are none, or they have a newer version than the caller has read. */
export async function updateSettings(
  trx: Trx,
  companyId: number,
  { steps, ...values }: SettingsValues,
  version: number | null,
): Promise<ReminderSettingsRow | undefined> {
  return trx
    .updateTable('reminderSettings')
    .set({ ...values, steps: JSON.stringify(steps) })
    .where('companyId', '=', companyId)
    .where(isStill(version))
    .returning(COLUMNS)
    .executeTakeFirst();
}

export async function insertSettings(
  trx: Trx,
  companyId: number,
  { steps, ...values }: SettingsValues,
): Promise<ReminderSettingsRow> {
  return trx
    .insertInto('reminderSettings')
    .values({ companyId, ...values, steps: JSON.stringify(steps) })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}
