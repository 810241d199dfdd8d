import type { PortalSettings } from '../../domain/profile/portal-settings.schema.ts';
import type { Actor, Context } from '../context.ts';
import * as repository from './portal-settings.repository.ts';

/** Whether the company's customers get links, and what they see there. */
export async function getPortalSettings(
  { db }: Pick<Context, 'db'>,
  { companyId }: Actor,
): Promise<PortalSettings> {
  return repository.findPortalSettings(db, companyId);
}

export async function savePortalSettings(
  { db }: Pick<Context, 'db'>,
  { companyId }: Actor,
  settings: PortalSettings,
): Promise<PortalSettings> {
  await db
    .transaction()
    .execute(async (trx) => repository.savePortalSettings(trx, companyId, settings));
  return settings;
}
