import { sql } from 'kysely';

import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

export async function accountExists(db: Db, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst();
  return row !== undefined;
}

/** Creates the account of an address; null when it exists. Safe when two calls create it at once. */
export async function insertAccount(trx: Trx, email: string): Promise<number | null> {
  const created = await trx
    .insertInto('account')
    .values({ email })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return created?.id ?? null;
}

/** Locks an account until the transaction ends. */
export async function lockAccount(trx: Trx, accountId: number): Promise<void> {
  await trx
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .execute();
}

/** The address of an account; null when there is none. */
export async function findEmailOfAccount(db: Db, accountId: number): Promise<string | null> {
  const row = await db
    .selectFrom('account')
    .select('email')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.email ?? null;
}

/** The owners' addresses of these companies, by company. */
export async function findOwners(
  db: Db,
  companyIds: readonly number[],
): Promise<Map<number, { email: string; companyName: string | null }>> {
  const rows = await db
    .selectFrom('company')
    .innerJoin('account', 'account.id', 'company.accountId')
    .select(['company.id as companyId', 'account.email', 'company.companyName'])
    .where(sql<boolean>`company.id = ANY(${[...companyIds]}::bigint[])`)
    .execute();
  return new Map(rows.map(({ companyId, ...owner }) => [companyId, owner]));
}

/** Accounts that are staff by command, and the accounts of these addresses, by address. */
export async function findStaff(
  db: Db,
  named: readonly string[],
): Promise<Row<'account', 'email' | 'isStaff'>[]> {
  return db
    .selectFrom('account')
    .select(['email', 'isStaff'])
    .where((account) =>
      account.or([account('isStaff', '=', true), sql<boolean>`email = ANY(${[...named]}::text[])`]),
    )
    .orderBy('email')
    .execute();
}

/** Makes an account staff or not; false when there is no such account. */
export async function setStaff(db: Db, email: string, isStaff: boolean): Promise<boolean> {
  const row = await db
    .updateTable('account')
    .set({ isStaff })
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The uuid by which an account is known outside of the database. */
export async function findAccountUuid(db: Db, accountId: number): Promise<string> {
  const { userHandle } = await db
    .selectFrom('account')
    .select('userHandle')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return userHandle;
}

/** Deletes an account that is a member of no company any more, with its sessions and passkeys. */
export async function removeAccount(trx: Trx, accountId: number): Promise<void> {
  await trx.deleteFrom('account').where('id', '=', accountId).execute();
}

/** The account of an address; null when there is none. */
export async function findAccountId(db: Db, email: string): Promise<number | null> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst();
  return row?.id ?? null;
}
