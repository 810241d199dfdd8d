import type { KidAgreement, KidAgreementForm } from '../../domain/profile/profile.schema.ts';
import type { Trx } from '../platform/db/database.ts';
import { isStill } from '../platform/db/columns.ts';

const COLUMNS = ['account', 'length', 'modulus', 'version'] as const;

/** Changes the agreement; null when there is none, or it has a newer version than the caller has read. */
export async function updateKidAgreement(
  trx: Trx,
  companyId: number,
  { account, length, modulus, version }: KidAgreementForm,
): Promise<KidAgreement | null> {
  const row = await trx
    .updateTable('kidAgreement')
    .set({ account, length, modulus })
    .where('companyId', '=', companyId)
    .where(isStill(version))
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertKidAgreement(
  trx: Trx,
  companyId: number,
  { account, length, modulus }: KidAgreementForm,
): Promise<KidAgreement> {
  return trx
    .insertInto('kidAgreement')
    .values({ companyId, account, length, modulus })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export async function deleteKidAgreement(trx: Trx, companyId: number): Promise<void> {
  await trx.deleteFrom('kidAgreement').where('companyId', '=', companyId).execute();
}
