import { sql } from 'kysely';

import type { FoundSession } from '../context.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { isInForce, MEMBERSHIP } from './member.repository.ts';

const DAY = 24 * 60 * 60 * 1000;

/** When something expires, by the database's own clock. */
function fromNow(milliseconds: number) {
  return sql<Date>`now() + make_interval(secs => ${milliseconds / 1000})`;
}

/** A session that begins. */
export interface NewSession extends Row<'session', 'browser' | 'companyId' | 'how'> {
  readonly email: string;
  readonly tokenHash: Buffer;
}

/** Minutes for which a session is proved (SEC-7). */
const PROOF_MINUTES = 10;
const PROOF = sql`make_interval(mins => ${sql.lit(PROOF_MINUTES)})`;
/** The end of a session's proof; null when it is over, or was given while the clock was ahead. */
const PROVED_UNTIL = sql`CASE WHEN session.proved_at <= now() AND session.proved_at > now() - ${PROOF}
  THEN session.proved_at + ${PROOF} END`;

/** Proves a session from now on. @returns until when; null when the session has ended */
export async function setProved(trx: Trx, sessionId: number): Promise<Date | null> {
  const { rows } = await sql<{ provedUntil: Date }>`
    UPDATE session SET proved_at = now() WHERE id = ${sessionId}
    RETURNING ${PROVED_UNTIL} AS "provedUntil"`.execute(trx);
  return rows[0]?.provedUntil ?? null;
}

/** Starts a session of the account of an address, and notes its login. */
export async function insertSession(
  trx: Trx,
  { email, companyId, tokenHash, how, browser }: NewSession,
  days: number,
): Promise<void> {
  await sql`
    WITH login AS (UPDATE account SET last_login_at = now() WHERE email = ${email} RETURNING id)
    INSERT INTO session (account_id, company_id, token_hash, expires_at, how, browser, proved_at)
    SELECT id, ${companyId}::bigint, ${tokenHash}::bytea, ${fromNow(days * DAY)}, ${how}, ${browser}, now()
    FROM login`.execute(trx);
}

/** Gives a session another token and company; false when it has ended. */
export async function exchangeToken(
  trx: Trx,
  sessionId: number,
  { companyId, tokenHash }: Pick<NewSession, 'companyId' | 'tokenHash'>,
  days: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('session')
    .set({ companyId, tokenHash, expiresAt: fromNow(days * DAY) })
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * The sessions of these tokens, in their order; null for an unknown token. Each has the membership in the company that
 * it chose, while that is in force, or in the first one of its account.
 */
export async function findSessions(
  db: Db,
  tokenHashes: readonly Buffer[],
  withMembers: boolean,
): Promise<(FoundSession | null)[]> {
  const hashes = tokenHashes.map(hexOf);
  // Runs on every call: a raw statement costs a twentieth of building it.
  const { rows } = await sql<FoundSession & { hash: string }>`
    SELECT asked.hash, session.id AS session_id, session.expires_at, session.last_seen_at,
      ${PROVED_UNTIL} AS proved_until, account.id AS account_id,
      account.email, account.is_staff, own.company_id, own.company_uuid, own.access_changes,
      own.is_closed, own.role, own.may_register,
      own.may_handle_payments
    FROM unnest(${hashes}::text[]) AS asked (hash)
    JOIN session ON session.token_hash = decode(asked.hash, 'hex')
    JOIN account ON account.id = session.account_id
    LEFT JOIN LATERAL (
      SELECT ${MEMBERSHIP} FROM member JOIN company ON company.id = member.company_id
      WHERE member.account_id = session.account_id AND ${isInForce(withMembers)}
      ORDER BY member.company_id = session.company_id DESC NULLS LAST, member.id
      LIMIT 1
    ) own ON true
    WHERE session.expires_at > now()`.execute(db);
  const found = new Map(rows.map((row) => [row.hash, row]));
  return hashes.map((hash) => found.get(hash) ?? null);
}

/** Notes that a session is in use; with days, it lasts so long from now on. */
export async function noteSeen(db: Db, sessionId: number, days: number | null): Promise<void> {
  await db
    .updateTable('session')
    .set({
      lastSeenAt: sql<Date>`now()`,
      ...(days !== null && { expiresAt: fromNow(days * DAY) }),
    })
    .where('id', '=', sessionId)
    .execute();
}

/** The sessions of an account that work, the last seen first. */
export async function listSessions(
  db: Db,
  accountId: number,
): Promise<Row<'session', 'browser' | 'createdAt' | 'how' | 'id' | 'lastSeenAt' | 'uuid'>[]> {
  return db
    .selectFrom('session')
    .select(['id', 'uuid', 'createdAt', 'lastSeenAt', 'browser', 'how'])
    .where('accountId', '=', accountId)
    .where(sql<boolean>`expires_at > now()`)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Ends a session of an account. @returns its id; null when the account has none with this uuid */
export async function deleteSessionOf(
  db: Db,
  accountId: number,
  uuid: string,
): Promise<number | null> {
  const row = await db
    .deleteFrom('session')
    .where('accountId', '=', accountId)
    .where('uuid', '=', uuid)
    .where(sql<boolean>`expires_at > now()`)
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Ends all sessions of an account but this one. */
export async function deleteOtherSessions(
  db: Db,
  accountId: number,
  sessionId: number,
): Promise<void> {
  await db
    .deleteFrom('session')
    .where('accountId', '=', accountId)
    .where('id', '<>', sessionId)
    .execute();
}

/** Days after its last login in which a browser is known (SEC-5). */
const BROWSER_DAYS = 90;
const IS_KNOWN = sql`last_login_at > now() - make_interval(days => ${sql.lit(BROWSER_DAYS)})`;

/**
 * Notes that the account of an address logs in from this browser, before its session starts.
 *
 * @returns whether the browser is new to an account that has logged in before
 */
export async function noteBrowser(
  trx: Trx,
  email: string,
  browser: string | null,
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    INSERT INTO known_browser (account_id, browser)
    SELECT id, ${browser ?? ''} FROM account WHERE email = ${email}
    ON CONFLICT (account_id, browser) DO UPDATE SET last_login_at = now()
    -- Subqueries see the rows from before the statement.
    RETURNING (SELECT last_login_at IS NOT NULL FROM account WHERE id = known_browser.account_id)
      AND NOT EXISTS (
        SELECT FROM known_browser known
        WHERE known.account_id = known_browser.account_id AND known.browser = known_browser.browser
          AND known.${IS_KNOWN}) AS "isNew"`.execute(trx);
  return rows[0]?.isNew ?? false;
}

/** Chooses another company for a session; false when its account is no member of it. */
export async function chooseCompany(
  db: Db,
  tokenHash: Buffer,
  companyUuid: string,
  withMembers: boolean,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE session SET company_id = member.company_id
    FROM member JOIN company ON company.id = member.company_id
    WHERE session.token_hash = ${tokenHash} AND session.expires_at > now()
      AND member.account_id = session.account_id AND company.uuid = ${companyUuid}::uuid
      AND ${isInForce(withMembers)}`.execute(db);
  return numAffectedRows > 0n;
}

export async function deleteSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('session').where('tokenHash', '=', tokenHash).execute();
}

/** Deletes expired codes, links and sessions, and browsers that are not known any more. */
export async function deleteExpired(db: Db): Promise<void> {
  const isOver = sql<boolean>`expires_at < now()`;
  await db.deleteFrom('loginChallenge').where(isOver).execute();
  await db.deleteFrom('session').where(isOver).execute();
  await db
    .deleteFrom('knownBrowser')
    .where(sql<boolean>`NOT ${IS_KNOWN}`)
    .execute();
}

/**
 * Whether a code or link may still be used. One that expires later than its lifetime allows was made while the clock
 * was ahead, and is refused.
 */
function isAlive(lifetime: number) {
  return sql<boolean>`expires_at > now() AND expires_at <= ${fromNow(lifetime)}`;
}

/** The use of a code: it opens a session, or proves one. */
export type CodePurpose = Row<'loginChallenge', 'purpose'>['purpose'];

export async function insertChallenge(
  db: Db,
  challenge: {
    email: string;
    purpose: CodePurpose;
    codeHash: Buffer;
    tokenHash: Buffer | null;
    lifetime: number;
  },
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
  { email, purpose }: { readonly email: string; readonly purpose: CodePurpose },
  { attempts, lifetime }: { attempts: number; lifetime: number },
): Promise<Row<'loginChallenge', 'id' | 'codeHash' | 'tokenUsedAt'>[]> {
  return trx
    .selectFrom('loginChallenge')
    .select(['id', 'codeHash', 'tokenUsedAt'])
    .where('email', '=', email)
    .where('purpose', '=', purpose)
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

/** Deletes the codes and links that were mailed to an address. */
export async function deleteChallengesOf(trx: Trx, email: string): Promise<void> {
  await trx.deleteFrom('loginChallenge').where('email', '=', email).execute();
}

/** Ends the sessions of members who are no owners, unless they are members elsewhere too. */
export async function deleteSessionsOfOthers(trx: Trx, companyId: number): Promise<void> {
  await sql`
    DELETE FROM session WHERE account_id IN (
      SELECT account_id FROM member WHERE company_id = ${companyId} AND role <> 'OWNER' AND account_id IS NOT NULL
      EXCEPT SELECT account_id FROM member WHERE company_id <> ${companyId})`.execute(trx);
}
