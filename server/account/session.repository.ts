import { sql } from 'kysely';

import type { FoundSession } from '../context.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

const DAY = 24 * 60 * 60 * 1000;

/** When something expires, by the database's own clock. */
function fromNow(milliseconds: number) {
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

/**
 * Whether a code or link may still be used. One that expires later than its lifetime allows was made while the clock
 * was ahead, and is refused.
 */
function isAlive(lifetime: number) {
  return sql<boolean>`expires_at > now() AND expires_at <= ${fromNow(lifetime)}`;
}

export async function insertChallenge(
  db: Db,
  challenge: { email: string; codeHash: Buffer; tokenHash: Buffer; lifetime: number },
): Promise<void> {
  const { lifetime, ...row } = challenge;
  await db
    .insertInto('loginChallenge')
    .values({ ...row, expiresAt: fromNow(lifetime) })
    .execute();
}

/** The account of a used login mail, and whether it is the first use: a mail holds a code and a link. */
export interface SpentChallenge {
  readonly email: string;
  readonly isFirstUse: boolean;
}

/** Uses up the link with this hash; null when there is no usable one. */
export async function spendToken(
  trx: Trx,
  tokenHash: Buffer,
  lifetime: number,
): Promise<SpentChallenge | null> {
  const row = await trx
    .updateTable('loginChallenge')
    .set({ tokenUsedAt: sql`now()` })
    .where('tokenHash', '=', tokenHash)
    .where('tokenUsedAt', 'is', null)
    .where(isAlive(lifetime))
    .returning(['email', 'codeUsedAt'])
    .executeTakeFirst();
  return row ? { email: row.email, isFirstUse: row.codeUsedAt === null } : null;
}

/** Locks the codes of an address that may still be tried, so that two concurrent tries count as two. */
export async function lockOpenCodes(
  trx: Trx,
  email: string,
  { attempts, lifetime }: { attempts: number; lifetime: number },
): Promise<Row<'loginChallenge', 'id' | 'codeHash' | 'tokenUsedAt'>[]> {
  return trx
    .selectFrom('loginChallenge')
    .select(['id', 'codeHash', 'tokenUsedAt'])
    .where('email', '=', email)
    .where('codeUsedAt', 'is', null)
    .where('wrongCodes', '<', attempts)
    .where(isAlive(lifetime))
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function spendCode(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('loginChallenge')
    .set({ codeUsedAt: sql`now()` })
    .where('id', '=', id)
    .execute();
}

export async function countWrongCode(trx: Trx, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('loginChallenge')
    .set((row) => ({ wrongCodes: row('wrongCodes', '+', 1) }))
    .where('id', 'in', ids)
    .execute();
}
