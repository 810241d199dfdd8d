import type { FastifyInstance } from 'fastify';

import { networkOf } from '../client-network.ts';
import { AppError } from '../errors.ts';

/** A window of the limit (milliseconds). */
const WINDOW = 60_000;
/** Addresses counted at a time; the one whose window began first is forgotten first. */
const MOST_ADDRESSES = 10_000;

/**
 * Limits what one client address may ask of this process in a minute. It stops floods, not guesses,
 * so it lives in memory: what all processes must count together is counted in the database
 * (`server/rate-limit.ts`). `isExempt` tells what is never refused.
 */
export function limitFloods(
  app: FastifyInstance,
  most: number,
  isExempt: (path: string) => boolean,
): void {
  if (most === 0) return;
  const windows = new Map<string, { hits: number; endsAt: number }>();
  app.addHook('onRequest', (request, _reply, done) => {
    // Not the time of day: a clock that is put right must not make a window longer.
    const now = performance.now();
    const caller = networkOf(request.ip);
    const current = windows.get(caller);
    if (!current || current.endsAt <= now) {
      windows.delete(caller);
      windows.set(caller, { hits: 1, endsAt: now + WINDOW });
      const [oldest] = windows.keys();
      if (windows.size > MOST_ADDRESSES && oldest !== undefined) windows.delete(oldest);
      return done();
    }
    current.hits += 1;
    if (current.hits <= most || isExempt(request.url)) return done();
    const seconds = Math.ceil((current.endsAt - now) / 1000);
    return done(new AppError('too_many_requests', { retryAfter: seconds }));
  });
}
