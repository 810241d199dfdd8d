import type { Caller, Context } from './context.ts';
import { AppError } from './errors.ts';

/**
 * Refuses what needs a proof that the person at the screen has the account (SEC-7), unless the session is proved. The one
 * place of this refusal: an endpoint with `proof` asks it before the body is read, a service where its data decides.
 * @throws AppError proof_needed; session_needed for a bearer token, which can give no proof
 */
export function demandProof(
  { config }: Pick<Context, 'config'>,
  { sessionId, provedUntil }: Pick<Caller, 'provedUntil' | 'sessionId'>,
): void {
  if (!config.features.has('security')) return;
  if (sessionId === null) throw new AppError('session_needed');
  if (provedUntil === null) throw new AppError('proof_needed');
}
