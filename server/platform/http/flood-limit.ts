import type { FastifyInstance } from 'fastify';

import { networkOf } from './client-network.ts';
import { AppError } from '../../errors.ts';

/** Length of a window (milliseconds). */
const WINDOW = 60_000;
/** Most addresses counted at once; the oldest is dropped first. */
const MOST_ADDRESSES = 10_000;

/**
 * Limits the requests of one client to this process per minute. It counts in memory, which is enough against floods.
 * Against guessing, all processes count in the database (`server/platform/limits/rate-limit.ts`).
 *
 * @param isExempt whether a path is never refused
 */
export function limitFloods(
  app: FastifyInstance,
  most: number,
  isExempt: (path: string) => boolean,
): void {
  if (most === 0) return;
  const windows = new Map<string, { hits: number; endsAt: number }>();
  app.addHook('onRequest', (request, _reply, done) => {
    // A monotonic clock: a correction of the time must not extend a window.
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
