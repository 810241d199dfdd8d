import type { Db } from '../platform/db/database.ts';

/** An assignment makes invoices from a template's lines, for a group's members. */
export type Source = { readonly templateId: number } | { readonly groupId: number };

/** The name of an active assignment that sends invoices from a source by itself; null when there is none. */
export async function findSending(
  db: Db,
  companyId: number,
  source: Source,
): Promise<string | null> {
  const query = db
    .selectFrom('assignment')
    .select('name')
    .where('companyId', '=', companyId)
    .where('state', '=', 'ACTIVE')
    .where('mode', '=', 'SEND')
    .orderBy('name')
    .limit(1);
  const isFrom =
    'templateId' in source
      ? query.where('templateId', '=', source.templateId)
      : query.where('groupId', '=', source.groupId);
  return (await isFrom.executeTakeFirst())?.name ?? null;
}
