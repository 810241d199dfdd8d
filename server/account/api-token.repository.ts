import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import type { FoundApiToken } from '../context.ts';

/** A personal API token without its secret, which only its owner knows. */
export type ApiTokenRow = Row<'apiToken', 'id' | 'name' | 'createdAt' | 'lastUsedAt'>;

/** Adds a token to the account of an address; null when there is no such account. */
export async function insertApiToken(
  db: Db,
  { email, name, tokenHash }: { email: string; name: string; tokenHash: Buffer },
): Promise<number | null> {
  const row = await db
    .insertInto('apiToken')
    .columns(['accountId', 'name', 'tokenHash'])
    .expression((query) =>
      query
        .selectFrom('account')
        .select(['id', sql.val(name).as('name'), sql.val(tokenHash).as('tokenHash')])
        .where('email', '=', email),
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
): Promise<(FoundApiToken | null)[]> {
  const hashes = tokenHashes.map((hash) => hash.toString('hex'));
  const { rows } = await sql<FoundApiToken & { hash: string }>`
    SELECT asked.hash, api_token.id AS token_id, api_token.name AS token_name, api_token.last_used_at,
      account.id AS account_id, company.id AS company_id, account.email, account.is_staff
    FROM unnest(${hashes}::text[]) AS asked (hash)
    JOIN api_token ON api_token.token_hash = decode(asked.hash, 'hex')
    JOIN account ON account.id = api_token.account_id
    JOIN company ON company.account_id = account.id`.execute(db);
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
