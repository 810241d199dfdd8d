import type { PortalSettings } from '../../domain/profile/portal-settings.schema.ts';
import type { Db } from '../platform/db/database.ts';

/** The company's choices; as they are before anybody made one (PORT-6). */
export async function findPortalSettings(db: Db, companyId: number): Promise<PortalSettings> {
  const row = await db
    .selectFrom('portalSettings')
    .select(['enabled', 'showAll'])
    .where('companyId', '=', companyId)
    .executeTakeFirst();
  return row ?? { enabled: true, showAll: true };
}

export async function savePortalSettings(
  db: Db,
  companyId: number,
  settings: PortalSettings,
): Promise<void> {
  await db
    .insertInto('portalSettings')
    .values({ companyId, ...settings })
    .onConflict((conflict) => conflict.column('companyId').doUpdateSet(settings))
    .execute();
}
