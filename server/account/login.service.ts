import { randomInt, timingSafeEqual } from 'node:crypto';

import type { z } from 'zod';

import type { verifyBody } from '../../domain/session/session.schema.ts';
import { LOGIN_CODE_LENGTH, LOGIN_MINUTES } from '../../domain/session/session.schema.ts';
import { networkOf, siteOf } from '../platform/http/client-network.ts';
import type { Context } from '../context.ts';
import { keyedHash, makeToken } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { AppError } from '../errors.ts';
import { loginMailJob, type LoginPurpose } from '../platform/jobs/jobs.ts';
import { insertCompany } from '../company/profile.repository.ts';
import { countAgainst, takeBack } from '../platform/limits/rate-limit.ts';
import { accountExists, insertAccount } from './account.repository.ts';
import {
  type CodePurpose,
  countWrongCode,
  insertChallenge,
  lockOpenCodes,
  spendCode,
  spendToken,
  type SpentChallenge,
} from './session.repository.ts';
import { type GivenSession, type LoginFrom, startSession } from './session.service.ts';

/** Without 0, O, 1 and I, which people confuse (ACC-7). */
const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** Wrong codes after which the code is invalid (ACC-9). */
export const CODE_ATTEMPTS = 5;
const WINDOW_SECONDS = 600;
/** Mails to one address that a network may request, and that all networks share before each is limited to one. */
const MAILS_PER_NETWORK = 10;
const MAILS_PER_ADDRESS = 30;
const LIFETIME = LOGIN_MINUTES * 60 * 1000;

/**
 * Queues a login mail. The job looks up whether the address has an account, so that neither the response nor its time
 * reveals it (ACC-4). @throws AppError registration_closed, too_many_requests
 */
export async function requestLogin(
  context: Context,
  purpose: LoginPurpose,
  email: string,
  ip: string,
): Promise<void> {
  const { config, db, jobs } = context;
  if (purpose === 'register' && config.registration === 'closed') {
    throw new AppError('registration_closed');
  }
  await limitByIp(context, 'mail', ip);
  await limitByAddress(db, email, ip);
  await jobs.enqueue(db, loginMailJob, { email, purpose });
}

/** Counts one use by a network. @throws AppError too_many_requests */
export async function limitByIp(
  context: Context,
  what: 'mail' | 'verify',
  ip: string,
): Promise<void> {
  await countAgainst(context.db, {
    key: attemptsFrom(what, ip),
    most: context.config.loginLimitPerIp,
    seconds: WINDOW_SECONDS,
  });
}

/**
 * Counts by address and network first, so that nobody can use up another person's mails. Many networks together
 * cannot either: above the shared limit, each still gets one mail (ACC-13). @throws AppError too_many_requests
 */
export async function limitByAddress(db: Db, email: string, ip: string): Promise<void> {
  const seconds = WINDOW_SECONDS;
  const [ofNetwork, ofAddress, oneMore] = mailsTo(email, ip);
  await countAgainst(db, { key: ofNetwork, most: MAILS_PER_NETWORK, seconds });
  try {
    await countAgainst(db, { key: ofAddress, most: MAILS_PER_ADDRESS, seconds });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await countAgainst(db, { key: oneMore, most: 1, seconds });
  }
}

function mailsTo(email: string, ip: string): readonly [string, string, string] {
  return [
    `login-mail-network:${networkOf(ip)} ${email}`,
    `login-mail-address:${email}`,
    // A site has 65,536 networks of a /64, so a site as a whole gets one mail.
    `login-mail-site:${siteOf(ip)} ${email}`,
  ];
}

function attemptsFrom(what: 'mail' | 'verify', ip: string): string {
  return `login-${what}-ip:${networkOf(ip)}`;
}

/**
 * A successful login does not count against a limit: neither its attempt nor its mail (ACC-14). So an office or a school behind
 * one address never reaches the limit; guesses, and unsolicited mails, do. A mail holds a code and a link, and is
 * refunded once.
 */
export async function takeBackCode(
  { db }: Pick<Context, 'db'>,
  { email, isFirstUse }: SpentChallenge,
  ip: string,
): Promise<void> {
  await takeBackTry({ db }, ip);
  if (!isFirstUse) return;
  await takeBack(db, attemptsFrom('mail', ip));
  for (const key of mailsTo(email, ip)) await takeBack(db, key);
}

/** A try of a code or a passkey that succeeds counts for nothing. */
export async function takeBackTry({ db }: Pick<Context, 'db'>, ip: string): Promise<void> {
  await takeBack(db, attemptsFrom('verify', ip));
}

/** A new code and link for an address; null when it has no account and is not registering. */
export async function makeChallenge(
  context: Context,
  purpose: Exclude<LoginPurpose, 'prove'>,
  email: string,
): Promise<{ code: string; token: string } | null> {
  const { config, db } = context;
  if (purpose === 'login' && !(await accountExists(db, email))) return null;
  const code = makeCode();
  const token = makeToken();
  await insertChallenge(db, {
    email,
    purpose: 'LOGIN',
    codeHash: hashCode(config.secretKey, { email, code, purpose: 'LOGIN' }),
    tokenHash: keyedHash(config.secretKey, 'login-token', token),
    lifetime: LIFETIME,
  });
  return { code, token };
}

/** A new code that proves the sessions of an address, and logs nobody in (SEC-9). */
export async function makeProofCode(
  { config, db }: Pick<Context, 'config' | 'db'>,
  email: string,
): Promise<string> {
  const code = makeCode();
  const purpose = 'PROOF';
  const codeHash = hashCode(config.secretKey, { email, code, purpose });
  await insertChallenge(db, { email, purpose, codeHash, tokenHash: null, lifetime: LIFETIME });
  return code;
}

/** A code to mail. */
export function makeCode(): string {
  return Array.from(
    { length: LOGIN_CODE_LENGTH },
    () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)],
  ).join('');
}

/** A code as it was typed. */
interface TypedCode {
  readonly email: string;
  readonly code: string;
  readonly purpose: CodePurpose;
}

function hashCode(key: string, { email, code, purpose }: TypedCode): Buffer {
  const use = purpose === 'LOGIN' ? 'login-code' : 'proof-code';
  return keyedHash(key, use, `${email}\0${code}`);
}

/**
 * Exchanges a code or a link for a session, and creates the account of a new address.
 * @throws AppError wrong_code, too_many_requests
 */
export async function verifyLogin(
  context: Context,
  body: z.output<typeof verifyBody>,
  from: LoginFrom,
): Promise<GivenSession> {
  const { db } = context;
  await limitByIp(context, 'verify', from.ip);
  const result = await db.transaction().execute(async (trx) => {
    const spent = await redeem(context, trx, body);
    // Not thrown inside the transaction: the count of wrong codes must be committed.
    if (spent === null) return null;
    const { email } = spent;
    const created = await insertAccount(trx, email);
    if (created !== null) await insertCompany(trx, created, email);
    const how = body.token === null ? 'CODE' : 'LINK';
    return { spent, ...(await startSession(context, trx, { email, companyId: null, how }, from)) };
  });
  if (!result) {
    throw new AppError('wrong_code', body.token === null ? { field: 'registrationToken' } : {});
  }
  // The code is used up: no later failure may cost the caller the session.
  await takeBackCode(context, result.spent, from.ip).catch((error: unknown) =>
    context.log.warn({ err: error }, 'the limits of a login could not be given back'),
  );
  return { token: result.token, session: result.session };
}

async function redeem(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  body: z.output<typeof verifyBody>,
): Promise<SpentChallenge | null> {
  if (body.token !== null) {
    return spendToken(trx, keyedHash(config.secretKey, 'login-token', body.token), LIFETIME);
  }
  const { email, registrationToken: code } = body;
  return redeemCode({ config }, trx, { email: email ?? '', code: code ?? '', purpose: 'LOGIN' });
}

/** Uses up a code; null when it is wrong, which is counted. */
export async function redeemCode(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  typed: TypedCode,
): Promise<SpentChallenge | null> {
  const { email } = typed;
  const codes = await lockOpenCodes(trx, typed, { attempts: CODE_ATTEMPTS, lifetime: LIFETIME });
  const hash = hashCode(config.secretKey, typed);
  const match = codes.find((open) => timingSafeEqual(open.codeHash, hash));
  if (match) {
    await spendCode(trx, match.id);
    return { email, isFirstUse: match.tokenUsedAt === null };
  }
  await countWrongCode(
    trx,
    codes.map((open) => open.id),
  );
  return null;
}
