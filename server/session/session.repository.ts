import { sql } from 'kysely';

import type { Db, Trx } from '../db/database.ts';

/** A logged-in account with the company that it owns. */
export interface AccountRow {
  readonly accountId: number;
  readonly companyId: number;
  readonly email: string;
  /** Made staff by the operator. STAFF_EMAILS may do so too. */
  readonly isStaff: boolean;
}

const ACCOUNT_COLUMNS = [
  'account.id as accountId',
  'company.id as companyId',
  'account.email',
  'account.isStaff',
] as const;

const DAY = 24 * 60 * 60 * 1000;

/** When something expires, counted by the database's own clock. */
function fromNow(milliseconds: number) {
  return sql<Date>`now() + make_interval(secs => ${milliseconds / 1000})`;
}

/**
 * Whether a code or link may still be used. One that would live for longer than any does was made
 * while the clock was ahead.
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

/** Whose login mail was used, and whether for the first time: it holds a code and a link. */
export interface SpentChallenge {
  readonly email: string;
  readonly isFirstUse: boolean;
}

/** Uses up the link with this hash; null when there is none to use. */
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

/** The address's codes that may still be tried, locked so that two tries are two tries. */
export async function lockOpenCodes(
  trx: Trx,
  email: string,
  { attempts, lifetime }: { attempts: number; lifetime: number },
): Promise<{ id: number; codeHash: Uint8Array; tokenUsedAt: Date | null }[]> {
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

export async function accountExists(db: Db, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst();
  return row !== undefined;
}

/** The account of an address, made with its company when it is new. Safe when two make it at once. */
export async function ensureAccount(trx: Trx, email: string): Promise<AccountRow> {
  const created = await trx
    .insertInto('account')
    .values({ email })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (created) await trx.insertInto('company').values({ accountId: created.id, email }).execute();
  return trx
    .selectFrom('account')
    .innerJoin('company', 'company.accountId', 'account.id')
    .select(ACCOUNT_COLUMNS)
    .where('account.email', '=', email)
    .executeTakeFirstOrThrow();
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

/** A session that has not run out, and whose it is. */
export interface SessionRow extends AccountRow {
  readonly sessionId: number;
  readonly expiresAt: Date;
}

/** The sessions of these tokens; null in place of what is none. */
export async function findSessions(
  db: Db,
  tokenHashes: readonly Buffer[],
): Promise<(SessionRow | null)[]> {
  const hashes = tokenHashes.map((hash) => hash.toString('hex'));
  // Asked before everything else: written out, it costs a twentieth of what putting it together does.
  const { rows } = await sql<SessionRow & { hash: string }>`
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

/** Forgets codes, links and sessions that can no longer be used. */
export async function deleteExpired(db: Db): Promise<void> {
  for (const table of ['loginChallenge', 'session'] as const) {
    await db
      .deleteFrom(table)
      .where('expiresAt', '<', sql<Date>`now()`)
      .execute();
  }
}
