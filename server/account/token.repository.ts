import { sql } from 'kysely';

import type { TokenForm } from '../../domain/token/token.schema.ts';
import type { FoundApiToken } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { isInForce, MEMBERSHIP } from './member.repository.ts';

/** Tokens of the operator never expire. */
const IS_UNEXPIRED = sql<boolean>`(api_token.expires_on IS NULL
  OR api_token.expires_on >= (now() AT TIME ZONE 'Europe/Oslo')::date)`;

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
    SELECT asked.hash, api_token.id AS token_id, api_token.name AS token_name,
      api_token.scopes AS token_scopes, api_token.last_used_at,
      account.id AS account_id, account.email, account.is_staff, ${MEMBERSHIP}
    FROM unnest(${hashes}::text[]) AS asked (hash)
    JOIN api_token ON api_token.token_hash = decode(asked.hash, 'hex')
    JOIN account ON account.id = api_token.account_id
    JOIN member ON member.company_id = api_token.company_id AND member.account_id = api_token.account_id
    JOIN company ON company.id = member.company_id
    WHERE ${IS_UNEXPIRED} AND ${isInForce(withMembers)}`.execute(db);
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

/** A token with its maker, whose membership decides what it may do. */
export interface ListedToken
  extends
    Row<
      'apiToken',
      'accountId' | 'createdAt' | 'expiresOn' | 'lastUsedAt' | 'name' | 'scopes' | 'uuid'
    >,
    Row<'member', 'email' | 'mayHandlePayments' | 'mayRegister' | 'role'> {}

/** The tokens of a company that work, the latest first; or the one with this uuid. */
export async function findTokens(
  db: Db,
  companyId: number,
  withMembers: boolean,
  uuid?: string,
): Promise<ListedToken[]> {
  const query = db
    .selectFrom('apiToken')
    .innerJoin('member', (on) =>
      on
        .onRef('member.companyId', '=', 'apiToken.companyId')
        .onRef('member.accountId', '=', 'apiToken.accountId'),
    )
    .innerJoin('company', 'company.id', 'member.companyId')
    .select([
      'apiToken.uuid',
      'apiToken.accountId',
      'apiToken.name',
      'apiToken.scopes',
      'apiToken.expiresOn',
      'apiToken.createdAt',
      'apiToken.lastUsedAt',
      'member.email',
      'member.role',
      'member.mayRegister',
      'member.mayHandlePayments',
    ])
    .where('apiToken.companyId', '=', companyId)
    .where('member.companyId', '=', companyId)
    .where(isInForce(withMembers))
    .where(IS_UNEXPIRED)
    .orderBy('apiToken.id', 'desc');
  return (uuid === undefined ? query : query.where('apiToken.uuid', '=', uuid)).execute();
}

/** How many keys of members a company has that have not expired. */
export async function countKeys(trx: Trx, companyId: number): Promise<number> {
  const { count } = await trx
    .selectFrom('apiToken')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('companyId', '=', companyId)
    .where('scopes', 'is not', null)
    .where(IS_UNEXPIRED)
    .executeTakeFirstOrThrow();
  return count;
}

/** Adds a member's key. */
export async function insertKey(
  trx: Trx,
  owner: { readonly companyId: number; readonly accountId: number },
  { name, scopes, expiresOn }: TokenForm,
  tokenHash: Buffer,
): Promise<string> {
  const { uuid } = await trx
    .insertInto('apiToken')
    .values({ ...owner, name, scopes, expiresOn, tokenHash })
    .returning('uuid')
    .executeTakeFirstOrThrow();
  return uuid;
}

/** Ends a key at once. */
export async function deleteKey(trx: Trx, companyId: number, uuid: string): Promise<void> {
  await trx
    .deleteFrom('apiToken')
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

/** Deletes keys after their last day. */
export async function deleteExpiredTokens(db: Db): Promise<void> {
  await db
    .deleteFrom('apiToken')
    .where(sql<boolean>`NOT ${IS_UNEXPIRED}`)
    .execute();
}

/** Ends all tokens of a company, the operator's too. */
export async function deleteTokensOf(trx: Trx, companyId: number): Promise<void> {
  await trx.deleteFrom('apiToken').where('companyId', '=', companyId).execute();
}
