import {
  accountsOf,
  type ExportSettings,
  type ExportSettingsForm,
} from '../../domain/export/export-settings.schema.ts';
import type { Actor, Context } from '../context.ts';
import { lockCompany } from '../company/profile.repository.ts';
import { readExportSettings, writeExportSettings } from './export-settings.repository.ts';

/** The settings as the API shows them. */
export async function getExportSettings(
  { db }: Context,
  { companyId }: Actor,
): Promise<ExportSettings> {
  return readExportSettings(db, companyId);
}

/** Saves the settings; what the form leaves out gets its default (EXP-21). */
export async function saveExportSettings(
  { db }: Context,
  { companyId }: Actor,
  { accounts, customerOffset, accountantEmail }: ExportSettingsForm,
): Promise<ExportSettings> {
  const settings: ExportSettings = {
    accounts: accountsOf(accounts ?? null),
    customerOffset: customerOffset ?? 0,
    accountantEmail: accountantEmail ?? null,
  };
  return db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    await writeExportSettings(trx, companyId, settings);
    return settings;
  });
}
