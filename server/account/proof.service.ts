import type { z } from 'zod';

import type { proofBody } from '../../domain/passkey/proof.schema.ts';
import type { Session } from '../../domain/session/session.schema.ts';
import type { Caller, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { loginMailJob } from '../platform/jobs/jobs.ts';
import {
  limitByAddress,
  limitByIp,
  redeemCode,
  takeBackCode,
  takeBackTry,
} from './login.service.ts';
import { redeemPasskey } from './passkey.service.ts';
import { setProved } from './session.repository.ts';
import { describeSession } from './session.service.ts';

/** Mails a code that proves the caller's session. Beyond the limits nothing is mailed, and nothing said (SEC-9). */
export async function mailProofCode(
  context: Context,
  { email }: Caller,
  ip: string,
): Promise<undefined> {
  const { db, jobs } = context;
  try {
    await limitByIp(context, 'mail', ip);
    await limitByAddress(db, email, ip);
  } catch (error) {
    if (error instanceof AppError) return;
    throw error;
  }
  await jobs.enqueue(db, loginMailJob, { email, purpose: 'prove' });
}

/**
 * Proves the caller's session by a mailed code or a passkey (SEC-9).
 * @throws AppError wrong_code, passkey_refused, too_many_requests; not_found for a passkey where there are none
 */
export async function prove(
  context: Context,
  caller: Caller,
  { code, response }: z.output<typeof proofBody>,
  ip: string,
): Promise<Session> {
  const { accountId, sessionId } = caller;
  if (sessionId === null) throw new AppError('session_needed');
  if (response && !context.config.features.has('passkeys')) throw new AppError('not_found');
  await limitByIp(context, 'verify', ip);
  if (code !== null) return proveByCode(context, { ...caller, sessionId }, code, ip);
  const whose = { purpose: 'PROOF', accountId } as const;
  const provedUntil =
    response &&
    (await redeemPasskey(context, response, whose, async (trx) => setProved(trx, sessionId)));
  if (!provedUntil) throw new AppError('passkey_refused');
  await takeBackTry(context, ip);
  return describeSession(context, { ...caller, provedUntil });
}

async function proveByCode(
  context: Context,
  caller: Caller & { readonly sessionId: number },
  code: string,
  ip: string,
): Promise<Session> {
  const { email, sessionId } = caller;
  const provedUntil = await context.db.transaction().execute(async (trx) => {
    const spent = await redeemCode(context, trx, { email, code, purpose: 'PROOF' });
    // Not thrown inside the transaction: the count of wrong codes must be committed.
    return spent && setProved(trx, sessionId);
  });
  if (!provedUntil) throw new AppError('wrong_code', { field: 'code' });
  await takeBackCode(context, { email, isFirstUse: true }, ip);
  return describeSession(context, { ...caller, provedUntil });
}
