import { AsyncLocalStorage } from 'node:async_hooks';

import { randomUUID } from 'node:crypto';

import type { LoginWay, OwnSession, Session } from '../../domain/session/session.schema.ts';
import { todayInOslo } from '../../domain/date.ts';
import { FEATURES } from '../../domain/api/endpoint.ts';
import { permissionsOf } from '../../domain/permission.ts';
import { isProfileCompleted } from '../company/profile.service.ts';
import type { Caller, Context, FoundApiToken, FoundSession } from '../context.ts';
import type { Config } from '../config.ts';
import { keyedHash, makeToken } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { AppError } from '../errors.ts';
import { securityMailJob } from '../platform/jobs/jobs.ts';
import { requestContext } from '../platform/log/log.ts';
import { browserOf, UNKNOWN_BROWSER } from './browser-name.ts';
import { deleteExpiredTokens, findApiTokens, insertApiToken, noteUse } from './token.repository.ts';
import { findCompaniesOf } from './member.repository.ts';
import { deleteExpiredChallenges } from './passkey.repository.ts';
import * as repository from './session.repository.ts';

/** Lifetime of a session after its last use (ACC-17). */
export const SESSION_DAYS = 30;

const SESSION_LIFETIME = SESSION_DAYS * 24 * 60 * 60 * 1000;
const RENEW_AFTER = 24 * 60 * 60 * 1000;
/** A use is saved only when the saved one is older than this, so that most calls write nothing (milliseconds). */
const NOTE_AFTER = 60 * 60 * 1000;
/** Calls wait for a look-up of who they are, though none in particular. */
const LOOKING_UP = { requestId: 'look-up', call: { companyId: 'look-up' } } as const;
/** How many tokens one statement looks up at most. */
const LOOKUP_BATCH = 100;

/**
 * Looks up callers. Every API call begins with it, so under load one statement serves all calls that arrived during the
 * previous one. Each call still sees the data as of its arrival. Look-ups have their own turn at the connections, so
 * that unknown callers cannot displace known ones.
 */
export function openLookups({
  config,
  db,
}: Pick<Context, 'config' | 'db'>): Pick<Context, 'findSession' | 'findApiToken'> {
  const withMembers = config.features.has('members');
  return {
    findSession: lookUp(db, async (one, hashes) =>
      repository.findSessions(one, hashes, withMembers),
    ),
    findApiToken: lookUp(db, async (one, hashes) => findApiTokens(one, hashes, withMembers)),
  };
}

/** A call that waits for the look-up of its caller. */
interface Asked<Found> {
  readonly tokenHash: Buffer;
  readonly answer: PromiseWithResolvers<Found | null>;
}

/** Looks up a single call at once; calls that arrive meanwhile share the next statement. */
function lookUp<Found>(
  db: Db,
  find: (db: Db, tokenHashes: readonly Buffer[]) => Promise<(Found | null)[]>,
): (tokenHash: Buffer) => Promise<Found | null> {
  const waiting: Asked<Found>[] = [];
  let isBusy = false;
  // A statement serves several calls, so it runs in the context of none of them.
  const forEverybody = AsyncLocalStorage.snapshot();

  const work = async () => {
    // Collects the calls of the same turn of the event loop.
    await Promise.resolve();
    while (waiting.length > 0) {
      const asked = waiting.splice(0, LOOKUP_BATCH);
      try {
        const tokenHashes = asked.map(({ tokenHash }) => tokenHash);
        const found = await requestContext.run(LOOKING_UP, async () => find(db, tokenHashes));
        for (const [index, { answer }] of asked.entries()) answer.resolve(found[index] ?? null);
      } catch (error) {
        for (const { answer } of asked) answer.reject(error);
      }
    }
    isBusy = false;
  };

  return async (tokenHash) => {
    const answer = Promise.withResolvers<Found | null>();
    waiting.push({ tokenHash, answer });
    if (!isBusy) {
      isBusy = true;
      void forEverybody(work);
    }
    return answer.promise;
  };
}

/** A browser that logs in. */
export interface LoginFrom {
  readonly ip: string;
  readonly userAgent: string;
  /** The session token that it sent. */
  readonly former: string | null;
}

/** A session that begins or goes on, and the token that its cookie has from now on. */
export interface GivenSession {
  readonly token: string;
  readonly session: Session;
}

/**
 * Starts a session of the account of an address, in place of the one that the browser has. Mails the account when the
 * browser is new to it (SEC-5). Only the token's hash is stored.
 */
export async function startSession(
  { config, jobs, log }: Pick<Context, 'config' | 'jobs' | 'log'>,
  trx: Trx,
  { email, companyId, how }: { email: string; companyId: number | null; how: LoginWay },
  { former, userAgent }: LoginFrom,
): Promise<GivenSession> {
  const token = makeToken();
  // Nobody could end it later: the browser forgets its token.
  if (former !== null) await repository.deleteSession(trx, hashSession(config.secretKey, former));
  const tokenHash = hashSession(config.secretKey, token);
  const browser = browserOf(userAgent);
  const isNewBrowser = await repository.noteBrowser(trx, email, browser);
  await repository.insertSession(trx, { email, companyId, tokenHash, how, browser }, SESSION_DAYS);
  const given = await giveSession({ config }, trx, { token, tokenHash });
  log.info({ accountId: given.accountId }, 'logged in');
  if (isNewBrowser && config.features.has('security')) {
    await jobs.enqueue(trx, securityMailJob, {
      mail: 'NEW_BROWSER',
      accountId: given.accountId,
      browser,
      at: new Date().toISOString(),
      messageUuid: randomUUID(),
    });
  }
  return given;
}

/** Lets a session go on with another company, and another token; null when it has ended. */
export async function continueSession(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  sessionId: number,
  companyId: number,
): Promise<GivenSession | null> {
  const token = makeToken();
  const tokenHash = hashSession(config.secretKey, token);
  const changed = { companyId, tokenHash };
  if (!(await repository.exchangeToken(trx, sessionId, changed, SESSION_DAYS))) return null;
  return giveSession({ config }, trx, { token, tokenHash });
}

async function giveSession(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  { token, tokenHash }: { readonly token: string; readonly tokenHash: Buffer },
): Promise<GivenSession & { readonly accountId: number }> {
  const withMembers = config.features.has('members');
  const [found] = await repository.findSessions(trx, [tokenHash], withMembers);
  if (!found) throw new Error('The new session is not there');
  const session = await describeSession({ config, db: trx }, toCaller(config, found));
  return { token, session, accountId: found.accountId };
}

/** The stored hash of a session's token. */
export function hashSession(key: string, token: string): Buffer {
  return keyedHash(key, 'session', token);
}

/** A session as the API shows it. */
export async function describeSession(
  { config, db }: Pick<Context, 'config' | 'db'>,
  { accountId, email, isStaff, provedUntil, tokenScopes, company }: Caller,
): Promise<Session> {
  const session = {
    email,
    isStaff,
    isProfileCompleted: company !== null && (await isProfileCompleted(db, company.companyId)),
    features: FEATURES.filter((feature) => config.features.has(feature)),
    ...(config.features.has('security') && { provedUntil: provedUntil?.toISOString() ?? null }),
    ...(config.features.has('closing') && { companyState: stateOf(company) }),
  };
  // A key is told nothing of the other companies of its maker (INT-4).
  if (tokenScopes !== null) return { ...session, permissions: [...(company?.permissions ?? [])] };
  // An account that only an invitation made has no company where members are off (MEM-2).
  if (!config.features.has('members')) return { ...session, ...(company === null && { company }) };
  const found = await findCompaniesOf(db, accountId, true);
  const companies = found.map(({ uuid, name }) => ({ uuid, name }));
  const ownsOne = found.some(({ role }) => role === 'OWNER');
  return {
    ...session,
    company: companies.find(({ uuid }) => uuid === company?.companyUuid) ?? null,
    companies,
    role: company?.role ?? null,
    permissions: [...(company?.permissions ?? [])],
    ...(config.registration === 'open' && !ownsOne && { mayCreateCompany: true }),
  };
}

/** The state of a caller's company; null without one. */
function stateOf(company: Caller['company']): Session['companyState'] {
  if (company === null) return null;
  return company.isClosed ? 'CLOSED' : 'OPEN';
}

/** The caller whose session token this is. A session in use is noted once an hour, and renewed once a day. */
export async function findCaller(
  { config, db, findSession }: Pick<Context, 'config' | 'db' | 'findSession'>,
  token: string,
): Promise<{ caller: Caller; renewed: boolean } | null> {
  const found = await findSession(hashSession(config.secretKey, token));
  if (!found) return null;
  const renewed = found.expiresAt.getTime() - Date.now() < SESSION_LIFETIME - RENEW_AFTER;
  if (renewed || Date.now() - found.lastSeenAt.getTime() > NOTE_AFTER) {
    await repository.noteSeen(db, found.sessionId, renewed ? SESSION_DAYS : null);
  }
  return { caller: toCaller(config, found), renewed };
}

/** An account as a caller. It is staff by the operator's command or by STAFF_EMAILS. */
function toCaller({ staffEmails }: Config, found: FoundSession | FoundApiToken): Caller {
  const { accountId, companyId, companyUuid, accessChanges, isClosed, email, isStaff, role } =
    found;
  const { mayRegister, mayHandlePayments } = found;
  const tokenScopes = 'tokenId' in found ? found.tokenScopes : null;
  return {
    accountId,
    email,
    sessionId: 'sessionId' in found ? found.sessionId : null,
    provedUntil: 'provedUntil' in found ? found.provedUntil : null,
    tokenId: 'tokenId' in found ? found.tokenId : null,
    tokenName: 'tokenId' in found ? found.tokenName : null,
    tokenScopes,
    // A key reaches the calls of its company alone (INT-4).
    isStaff: tokenScopes === null && (isStaff || staffEmails.has(email)),
    company:
      companyId === null || companyUuid === null || accessChanges === null || role === null
        ? null
        : {
            companyId,
            companyUuid,
            accessChanges,
            isClosed: isClosed === true,
            role,
            permissions: permissionsOf({
              role,
              mayRegister: mayRegister === true,
              mayHandlePayments: mayHandlePayments === true,
            }).filter((one) => tokenScopes === null || tokenScopes.includes(one)),
          },
  };
}

/** Deletes expired codes, links, sessions and API keys, and browsers that are not known any more. */
export async function forgetExpired({ db }: Pick<Context, 'db'>): Promise<void> {
  await repository.deleteExpired(db);
  await deleteExpiredTokens(db);
  await deleteExpiredChallenges(db);
}

/** Ends a session everywhere: it is valid only while its row exists. */
export async function logOut(context: Context, token: string): Promise<void> {
  await repository.deleteSession(context.db, hashSession(context.config.secretKey, token));
}

/** The sessions of the caller's account, its own first (SEC-1). */
export async function listSessions(
  { db }: Pick<Context, 'db'>,
  { accountId, sessionId }: Caller,
): Promise<OwnSession[]> {
  const sessions = (await repository.listSessions(db, accountId)).map((row) => ({
    uuid: row.uuid,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    browser: row.browser ?? UNKNOWN_BROWSER,
    how: row.how,
    isThis: row.id === sessionId,
  }));
  return sessions.toSorted((left, right) => Number(right.isThis) - Number(left.isThis));
}

/** Ends a session of the caller's account. @returns whether it is the call's own @throws AppError not_found */
export async function endSession(
  { db }: Pick<Context, 'db'>,
  { accountId, sessionId }: Caller,
  uuid: string,
): Promise<{ readonly isThis: boolean }> {
  const ended = await repository.deleteSessionOf(db, accountId, uuid);
  if (ended === null) throw new AppError('not_found');
  return { isThis: ended === sessionId };
}

/** Ends all sessions of the caller's account but its own (SEC-3). @throws AppError session_needed */
export async function endOtherSessions(
  { db }: Pick<Context, 'db'>,
  { accountId, sessionId }: Caller,
): Promise<undefined> {
  if (sessionId === null) throw new AppError('session_needed');
  await repository.deleteOtherSessions(db, accountId, sessionId);
}

/** An API key that a member made; tokens of the operator look otherwise. */
const KEY = /^fkt_[a-z2-7]{32}$/;

/** The caller whose API token this is. */
export async function findCallerByApiToken(
  { config, db, findApiToken }: Pick<Context, 'config' | 'db' | 'findApiToken'>,
  token: string,
): Promise<Caller | null> {
  if (KEY.test(token) && !config.features.has('integrations')) return null;
  const found = await findApiToken(hashToken(config.secretKey, token));
  if (!found) return null;
  const { lastUsedAt: noted } = found;
  const isNoted =
    noted !== null &&
    Date.now() - noted.getTime() <= NOTE_AFTER &&
    todayInOslo(noted) === todayInOslo();
  if (!isNoted) await noteUse(db, found.tokenId);
  return toCaller(config, found);
}

/**
 * Creates a token of a member for its company. The token is returned only here: the database stores its hash. Null
 * when there is no such member.
 */
export async function createApiToken(
  { config, db }: Pick<Context, 'config' | 'db'>,
  { companyId, email, name }: { companyId: number; email: string; name: string },
): Promise<{ id: number; token: string } | null> {
  const token = makeToken();
  const tokenHash = hashToken(config.secretKey, token);
  const id = await insertApiToken(db, { companyId, email, name: name.normalize('NFC'), tokenHash });
  return id === null ? null : { id, token };
}

/**
 * The stored hash of an API token. A process of a version that knows no scopes does not find the key of a member, which it
 * would allow everything.
 */
export function hashToken(key: string, token: string): Buffer {
  return keyedHash(key, KEY.test(token) ? 'api-key' : 'api-token', token);
}
