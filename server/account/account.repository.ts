import { sql } from 'kysely';

import type { FoundApiToken } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { isInForce, MEMBERSHIP } from './member.repository.ts';

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

/** The given companies that are younger than this many days. */
export async function findNewCompanies(
  db: Db,
  companyIds: readonly number[],
  days: number,
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('company')
    .select('company.id')
    .where(sql<boolean>`company.id = ANY(${[...companyIds]}::bigint[])`)
    .where(sql<boolean>`company.created_at > now() - make_interval(days => ${days})`)
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

/** A personal API token without its secret, which only its owner knows. */
export type ApiTokenRow = Row<'apiToken', 'id' | 'name' | 'createdAt' | 'lastUsedAt'>;

/** Adds a token of a member for its company; null when there is no such member. */
export async function insertApiToken(
  db: Db,
  {
    companyId,
    email,
    name,
    tokenHash,
  }: { companyId: number; email: string; name: string; tokenHash: Buffer },
): Promise<number | null> {
  const row = await db
    .insertInto('apiToken')
    .columns(['accountId', 'companyId', 'name', 'tokenHash'])
    .expression((query) =>
      query
        .selectFrom('member')
        .select([
          'accountId',
          'companyId',
          sql.val(name).as('name'),
          sql.val(tokenHash).as('tokenHash'),
        ])
        .where('companyId', '=', companyId)
        .where('email', '=', email)
        .where('accountId', 'is not', null),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The tokens of the account of an address; null when there is no such account. */
export async function listApiTokens(db: Db, email: string): Promise<ApiTokenRow[] | null> {
  const account = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst();
  if (!account) return null;
  return db
    .selectFrom('apiToken')
    .select(['id', 'name', 'createdAt', 'lastUsedAt'])
    .where('accountId', '=', account.id)
    .orderBy('id')
    .execute();
}

/** Revokes a token at once; false when there is none with this id. */
export async function revokeApiToken(db: Db, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('apiToken')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The tokens with these hashes, in their order; null for an unknown hash. */
export async function findApiTokens(
  db: Db,
  tokenHashes: readonly Buffer[],
  withMembers: boolean,
): Promise<(FoundApiToken | null)[]> {
  const hashes = tokenHashes.map((hash) => hash.toString('hex'));
  const { rows } = await sql<FoundApiToken & { hash: string }>`
    SELECT asked.hash, api_token.id AS token_id, api_token.name AS token_name, api_token.last_used_at,
      account.id AS account_id, account.email, account.is_staff, ${MEMBERSHIP}
    FROM unnest(${hashes}::text[]) AS asked (hash)
    JOIN api_token ON api_token.token_hash = decode(asked.hash, 'hex')
    JOIN account ON account.id = api_token.account_id
    JOIN member ON member.company_id = api_token.company_id AND member.account_id = api_token.account_id
      AND ${isInForce(withMembers)}
    JOIN company ON company.id = member.company_id`.execute(db);
  const found = new Map(rows.map((row) => [row.hash, row]));
  return hashes.map((hash) => found.get(hash) ?? null);
}

export async function noteUse(db: Db, id: number): Promise<void> {
  await db
    .updateTable('apiToken')
    .set({ lastUsedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}
