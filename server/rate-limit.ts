import { sql } from 'kysely';

import type { Db } from './db/database.ts';
import { AppError } from './errors.ts';

interface Limit {
  /** What is counted: 'login-address:kari@example.no'. */
  readonly key: string;
  readonly most: number;
  readonly seconds: number;
}

/**
 * Counts one use against a limit that all processes share. A window begins with its first use.
 * @throws AppError too_many_requests with the seconds left, once there are too many
 */
export async function countAgainst(db: Db, limit: Limit): Promise<void> {
  const { rows } = await sql<{ hits: number; secondsLeft: number }>`
    INSERT INTO rate_limit (key, hits, resets_at)
    VALUES (${limit.key}, 1, now() + make_interval(secs => ${limit.seconds}))
    ON CONFLICT (key) DO UPDATE SET
      hits = CASE WHEN rate_limit.resets_at <= now() THEN 1 ELSE rate_limit.hits + 1 END,
      resets_at = CASE WHEN rate_limit.resets_at <= now() THEN excluded.resets_at
        ELSE rate_limit.resets_at END
    RETURNING hits, ceil(extract(epoch FROM resets_at - now()))::integer AS seconds_left
  `.execute(db);
  const [count] = rows;
  if (count && count.hits > limit.most) {
    throw new AppError('too_many_requests', { retryAfter: Math.max(1, count.secondsLeft) });
  }
}

/** Takes back one use that turned out to be an honest one. */
export async function takeBack(db: Db, key: string): Promise<void> {
  await db
    .updateTable('rateLimit')
    .set((row) => ({ hits: row('hits', '-', 1) }))
    .where('key', '=', key)
    .where('hits', '>', 0)
    .execute();
}

/** Forgets the windows that are over. */
export async function forgetOldLimits(db: Db): Promise<void> {
  await db
    .deleteFrom('rateLimit')
    .where('resetsAt', '<', sql<Date>`now()`)
    .execute();
}
