import { sql } from 'kysely';

import type { Db } from '../db/database.ts';

/** Which of these companies have an account that is younger than so many days. */
export async function findNewCompanies(
  db: Db,
  companyIds: readonly number[],
  days: number,
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('company')
    .innerJoin('account', 'account.id', 'company.accountId')
    .select('company.id')
    .where(sql<boolean>`company.id = ANY(${[...companyIds]}::bigint[])`)
    .where(sql<boolean>`account.created_at > now() - make_interval(days => ${days})`)
    .execute();
  return new Set(rows.map(({ id }) => id));
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

/** The company of the account of an address; null when there is no such account. */
export async function findCompanyOfEmail(db: Db, email: string): Promise<number | null> {
  const row = await db
    .selectFrom('company')
    .innerJoin('account', 'account.id', 'company.accountId')
    .select('company.id')
    .where('account.email', '=', email)
    .executeTakeFirst();
  return row?.id ?? null;
}
