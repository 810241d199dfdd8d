import { randomBytes, randomUUID } from 'node:crypto';

import {
  type AuthenticationResponse,
  type CreationOptions,
  MOST_PASSKEYS,
  type newPasskey,
  type Passkey,
  type RequestOptions,
} from '../../domain/passkey/passkey.schema.ts';
import type { z } from 'zod';
import type { Caller, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { keyedHash } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { isUniqueViolation } from '../platform/db/database-errors.ts';
import { securityMailJob } from '../platform/jobs/jobs.ts';
import { lockAccount } from './account.repository.ts';
import { limitByIp, takeBackTry } from './login.service.ts';
import * as repository from './passkey.repository.ts';
import { type GivenSession, type LoginFrom, startSession } from './session.service.ts';
import {
  ALGORITHMS,
  readClientData,
  relyingPartyOf,
  verifyRegistration,
  verifyUse,
} from './webauthn.ts';

const TIMEOUT = repository.CHALLENGE_MINUTES * 60 * 1000;
const CHALLENGE_BYTES = 32;

/** The options with which a browser makes a passkey (SEC-13). @throws AppError too_many_passkeys */
export async function getCreationOptions(
  context: Context,
  { accountId, email }: Caller,
): Promise<CreationOptions> {
  const { config, db } = context;
  const own = await repository.findPasskeys(db, accountId);
  if (own.length >= MOST_PASSKEYS) throw new AppError('too_many_passkeys');
  const id = toHandle(await repository.findUserHandle(db, accountId));
  return {
    rp: { id: relyingPartyOf(config).id, name: 'Faktur' },
    user: { id, name: email, displayName: email },
    challenge: await makeChallenge(context, { purpose: 'ADD', accountId }),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: TIMEOUT,
    excludeCredentials: own.map(toDescriptor),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

/** The options with which a browser uses any passkey to log in. */
export async function getLoginOptions(context: Context): Promise<RequestOptions> {
  return requestFor(context, { purpose: 'LOGIN', accountId: null });
}

/** The options with which a browser uses a passkey of the caller to prove the session. @throws AppError no_passkeys */
export async function getProofOptions(
  context: Context,
  { accountId }: Caller,
): Promise<RequestOptions> {
  const own = await repository.findPasskeys(context.db, accountId);
  if (own.length === 0) throw new AppError('no_passkeys');
  const options = await requestFor(context, { purpose: 'PROOF', accountId });
  return { ...options, allowCredentials: own.map(toDescriptor) };
}

async function requestFor(
  context: Context,
  challenge: repository.PasskeyChallenge,
): Promise<RequestOptions> {
  return {
    challenge: await makeChallenge(context, challenge),
    timeout: TIMEOUT,
    rpId: relyingPartyOf(context.config).id,
    userVerification: 'required',
  };
}

async function makeChallenge(
  { config, db }: Pick<Context, 'config' | 'db'>,
  challenge: repository.PasskeyChallenge,
): Promise<string> {
  const text = randomBytes(CHALLENGE_BYTES).toString('base64url');
  await repository.insertChallenge(db, hashChallenge(config.secretKey, text), challenge);
  return text;
}

function hashChallenge(key: string, challenge: string): Buffer {
  return keyedHash(key, 'passkey-challenge', challenge);
}

/** A UUID as WebAuthn's user handle. */
function toHandle(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
}

function toDescriptor({ credentialId }: repository.PasskeyRow) {
  return { type: 'public-key' as const, id: Buffer.from(credentialId).toString('base64url') };
}

/** The passkeys of the caller's account, oldest first. */
export async function listPasskeys(db: Db, { accountId }: Caller): Promise<Passkey[]> {
  return (await repository.findPasskeys(db, accountId)).map(toPasskey);
}

function toPasskey(row: repository.PasskeyRow): Passkey {
  return {
    uuid: row.uuid,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    isSynced: row.isSynced,
  };
}

/**
 * Adds the passkey that a browser made, and mails the account.
 * @throws AppError passkey_refused, too_many_passkeys, known_passkey, too_many_requests
 */
export async function addPasskey(
  context: Context,
  { accountId }: Caller,
  { name, response }: z.output<typeof newPasskey>,
  ip: string,
): Promise<Passkey> {
  await limitByIp(context, 'verify', ip);
  const { clientDataJSON } = response.response;
  const challenge = await spend(context, clientDataJSON, { purpose: 'ADD', accountId });
  const party = relyingPartyOf(context.config);
  const credential = challenge && (await verifyRegistration(party, response, challenge));
  if (!credential) throw new AppError('passkey_refused');
  await takeBackTry(context, ip);
  try {
    return await context.db.transaction().execute(async (trx) => {
      // Two calls at once make no eleventh.
      await lockAccount(trx, accountId);
      const own = await repository.findPasskeys(trx, accountId);
      if (own.length >= MOST_PASSKEYS) throw new AppError('too_many_passkeys');
      const row = await repository.insertPasskey(trx, accountId, name, credential);
      await mail(context, trx, 'PASSKEY_ADDED', { accountId, name });
      return toPasskey(row);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('known_passkey', { cause: error });
    throw error;
  }
}

/** Gives a passkey another name. @throws AppError not_found */
export async function renamePasskey(
  db: Db,
  { accountId }: Caller,
  uuid: string,
  name: string,
): Promise<Passkey> {
  const row = await repository.renamePasskey(db, accountId, uuid, name);
  if (!row) throw new AppError('not_found');
  return toPasskey(row);
}

/** Removes a passkey, also the last one, and mails the account. @throws AppError not_found */
export async function deletePasskey(
  context: Context,
  { accountId }: Caller,
  uuid: string,
): Promise<undefined> {
  await context.db.transaction().execute(async (trx) => {
    const name = await repository.deletePasskey(trx, accountId, uuid);
    if (name === null) throw new AppError('not_found');
    await mail(context, trx, 'PASSKEY_REMOVED', { accountId, name });
  });
}

/** Starts a session by a passkey (SEC-14). @throws AppError passkey_refused, too_many_requests */
export async function logIn(
  context: Context,
  response: AuthenticationResponse,
  from: LoginFrom,
): Promise<GivenSession> {
  await limitByIp(context, 'verify', from.ip);
  const isComplete = response.response.userHandle !== null;
  const whose = { purpose: 'LOGIN', accountId: null } as const;
  const given = await redeemPasskey(context, response, whose, async (trx, { email }) =>
    isComplete
      ? startSession(context, trx, { email, companyId: null, how: 'PASSKEY' }, from)
      : null,
  );
  if (!given) throw new AppError('passkey_refused');
  await takeBackTry(context, from.ip);
  return given;
}

/**
 * Uses a passkey for a challenge that was made for this, and does `act` in the transaction that notes the use. Null when
 * anything is wrong with it, or `act` gives null: then nothing is noted but that the challenge is used up. A counter that
 * does not grow mails the account.
 */
export async function redeemPasskey<Result>(
  context: Context,
  given: AuthenticationResponse,
  whose: repository.PasskeyChallenge,
  act: (trx: Trx, passkey: repository.KnownPasskey) => Promise<Result | null>,
): Promise<Result | null> {
  const { config, db } = context;
  const { clientDataJSON, userHandle } = given.response;
  const challenge = await spend(context, clientDataJSON, whose);
  const passkey = await repository.findByCredential(db, Buffer.from(given.id, 'base64url'));
  const isOfAccount =
    passkey !== null &&
    (whose.accountId === null || whose.accountId === passkey.accountId) &&
    (userHandle === null || userHandle === toHandle(passkey.userHandle));
  const key = isOfAccount ? passkey.publicKey : null;
  const use = await verifyUse(relyingPartyOf(config), given, challenge ?? '', key);
  if (challenge === null || use === null || passkey === null) return null;
  return db.transaction().execute(async (trx) => {
    if (await repository.noteUse(trx, passkey, use)) return act(trx, passkey);
    // Somebody else may have the key.
    await mail(context, trx, 'PASSKEY_COPIED', passkey);
    return null;
  });
}

/** Uses up the challenge that a browser answered; null when it was not made for this. */
async function spend(
  { config, db }: Pick<Context, 'config' | 'db'>,
  clientDataJSON: string,
  { accountId, purpose }: repository.PasskeyChallenge,
): Promise<string | null> {
  const data = readClientData(clientDataJSON);
  const hash = hashChallenge(config.secretKey, data?.challenge ?? '');
  const made = await repository.spendChallenge(db, hash);
  const isRight = made?.purpose === purpose && made.accountId === accountId;
  return data && isRight && !data.isCrossOrigin ? data.challenge : null;
}

async function mail(
  { jobs }: Pick<Context, 'jobs'>,
  trx: Trx,
  about: 'PASSKEY_ADDED' | 'PASSKEY_COPIED' | 'PASSKEY_REMOVED',
  { accountId, name }: Pick<repository.KnownPasskey, 'accountId' | 'name'>,
): Promise<void> {
  await jobs.enqueue(trx, securityMailJob, {
    mail: about,
    accountId,
    name,
    browser: null,
    at: new Date().toISOString(),
    messageUuid: randomUUID(),
  });
}
