import type { Trx } from '../platform/db/database.ts';

/** Ends the open invitations of a company. */
export async function deleteInvitations(trx: Trx, companyId: number): Promise<void> {
  await trx
    .deleteFrom('member')
    .where('companyId', '=', companyId)
    .where('accountId', 'is', null)
    .execute();
}

/** Whether no other member is an owner without a last day. The caller holds the company. */
export async function isOnlyOwner(trx: Trx, companyId: number, uuid: string): Promise<boolean> {
  const other = await trx
    .selectFrom('member')
    .select('id')
    .where('companyId', '=', companyId)
    .where('uuid', '<>', uuid)
    .where('role', '=', 'OWNER')
    .where('accountId', 'is not', null)
    .where('endsOn', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}
