import type { FastifyReply } from 'fastify';

/** Aborted when nobody waits for the answer any more. */
export function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort(callerHasGone()));
  return gone.signal;
}

/** Nobody reads the status (nginx's own), but the log shall not call it a fault of ours. */
function callerHasGone(): Error {
  return Object.assign(new Error('The caller has gone'), { statusCode: 499 });
}
