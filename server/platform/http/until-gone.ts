import type { FastifyReply } from 'fastify';

/** A signal that is aborted when nobody waits for the answer any more. */
export function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const hangUp = () => gone.abort(callerHasGone());
  // The client may have gone before this call: then the event has already fired.
  if (raw.destroyed) hangUp();
  else raw.once('close', hangUp);
  return gone.signal;
}

/** Nobody reads the status (nginx's own), but it keeps the log from reporting an internal error. */
function callerHasGone(): Error {
  return Object.assign(new Error('The caller has gone'), { statusCode: 499 });
}
