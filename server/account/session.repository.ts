import { sql } from 'kysely';

import type { FoundSession } from '../context.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';

const DAY = 24 * 60 * 60 * 1000;

/** When something expires, by the database's own clock. */
export function fromNow(milliseconds: number) {
  return sql<Date>`now() + make_interval(secs => ${milliseconds / 1000})`;
}

export async function insertSession(
  trx: Trx,
  accountId: number,
  tokenHash: Buffer,
  days: number,
): Promise<void> {
  await trx
    .insertInto('session')
    .values({ accountId, tokenHash, expiresAt: fromNow(days * DAY) })
    .execute();
}

/** The sessions of these tokens, in their order; null for an unknown token. */
export async function findSessions(
  db: Db,
  tokenHashes: readonly Buffer[],
): Promise<(FoundSession | null)[]> {
  const hashes = tokenHashes.map(hexOf);
  // Runs on every call: a raw statement costs a twentieth of building it.
  const { rows } = await sql<FoundSession & { hash: string }>`
    SELECT asked.hash, session.id AS session_id, session.expires_at, account.id AS account_id,
      company.id AS company_id, account.email, account.is_staff
    FROM unnest(${hashes}::text[]) AS asked (hash)
    JOIN session ON session.token_hash = decode(asked.hash, 'hex')
    JOIN account ON account.id = session.account_id
    JOIN company ON company.account_id = account.id
    WHERE session.expires_at > now()`.execute(db);
  const found = new Map(rows.map((row) => [row.hash, row]));
  return hashes.map((hash) => found.get(hash) ?? null);
}

export async function extendSession(db: Db, sessionId: number, days: number): Promise<void> {
  await db
    .updateTable('session')
    .set({ expiresAt: fromNow(days * DAY) })
    .where('id', '=', sessionId)
    .execute();
}

export async function deleteSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('session').where('tokenHash', '=', tokenHash).execute();
}

/** Deletes expired codes, links and sessions. */
export async function deleteExpired(db: Db): Promise<void> {
  const isOver = sql<boolean>`expires_at < now()`;
  await db.deleteFrom('loginChallenge').where(isOver).execute();
  await db.deleteFrom('session').where(isOver).execute();
}
