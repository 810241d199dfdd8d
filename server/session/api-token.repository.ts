import { sql } from 'kysely';

import type { Db } from '../db/database.ts';
import type { Row } from '../db/tables.ts';
import type { AccountRow } from './account.repository.ts';

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

/** Ends a token at once; false when there is none of that number. */
export async function revokeApiToken(db: Db, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('apiToken')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whose token has this hash. */
export async function findByApiToken(
  db: Db,
  tokenHash: Buffer,
): Promise<(AccountRow & { tokenId: number; tokenName: string; lastUsedAt: Date | null }) | null> {
  const row = await db
    .selectFrom('apiToken')
    .innerJoin('account', 'account.id', 'apiToken.accountId')
    .innerJoin('company', 'company.accountId', 'account.id')
    .select([
      'apiToken.id as tokenId',
      'apiToken.name as tokenName',
      'apiToken.lastUsedAt',
      'account.id as accountId',
      'company.id as companyId',
      'account.email',
      'account.isStaff',
    ])
    .where('apiToken.tokenHash', '=', tokenHash)
    .executeTakeFirst();
  return row ?? null;
}

export async function noteUse(db: Db, id: number): Promise<void> {
  await db
    .updateTable('apiToken')
    .set({ lastUsedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}
