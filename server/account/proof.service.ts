import type { z } from 'zod';

import type { proofBody, Session } from '../../domain/session/session.schema.ts';
import type { Caller, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { loginMailJob } from '../platform/jobs/jobs.ts';
import { limitByAddress, limitByIp, redeemCode, takeBackCode } from './login.service.ts';
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

/** Proves the caller's session by a mailed code (SEC-9). @throws AppError wrong_code, too_many_requests */
export async function prove(
  context: Context,
  caller: Caller,
  { code }: z.output<typeof proofBody>,
  ip: string,
): Promise<Session> {
  const { email, sessionId } = caller;
  if (sessionId === null) throw new AppError('session_needed');
  await limitByIp(context, 'verify', ip);
  const provedUntil = await context.db.transaction().execute(async (trx) => {
    const spent = await redeemCode(context, trx, { email, code, purpose: 'PROOF' });
    // Not thrown inside the transaction: the count of wrong codes must be committed.
    return spent && setProved(trx, sessionId);
  });
  if (!provedUntil) throw new AppError('wrong_code', { field: 'code' });
  await takeBackCode(context, { email, isFirstUse: true }, ip);
  return describeSession(context, { ...caller, provedUntil });
}
