import type { FastifyReply } from 'fastify';

/** Aborted when nobody waits for the answer any more. */
export function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const hangUp = () => gone.abort(callerHasGone());
  // Its caller may have gone before it was asked: the event is over then.
  if (raw.destroyed) hangUp();
  else raw.once('close', hangUp);
  return gone.signal;
}

/** Nobody reads the status (nginx's own), but the log shall not call it a fault of ours. */
function callerHasGone(): Error {
  return Object.assign(new Error('The caller has gone'), { statusCode: 499 });
}
