import { sql } from 'kysely';

import type { Db } from '../db/database.ts';
import { AppError } from '../../errors.ts';

interface Limit {
  /** The counted key: 'login-address:kari@example.no'. */
  readonly key: string;
  readonly most: number;
  readonly seconds: number;
}

/** The longest window (seconds). A window with a later end was started while the clock was ahead. */
const LONGEST_WINDOW = 24 * 60 * 60;

/** One minute of tolerance, because two concurrent transactions may start in either order. */
const isUnderWay = sql`rate_limit.resets_at > now()
  AND rate_limit.resets_at <= excluded.resets_at + interval '1 minute'`;

/**
 * Counts one use against a limit that all processes share. A window begins with its first use. A window that ends
 * later than a new one would was started while the clock was ahead, and counts as over.
 * @throws AppError too_many_requests with the seconds left, once there are too many
 */
export async function countAgainst(db: Db, limit: Limit): Promise<void> {
  const { rows } = await sql<{ hits: number; secondsLeft: number }>`
    INSERT INTO rate_limit (key, hits, resets_at)
    VALUES (${limit.key}, 1, now() + make_interval(secs => ${limit.seconds}))
    ON CONFLICT (key) DO UPDATE SET
      hits = CASE WHEN ${isUnderWay} THEN rate_limit.hits + 1 ELSE 1 END,
      resets_at = CASE WHEN ${isUnderWay} THEN rate_limit.resets_at ELSE excluded.resets_at END
    RETURNING hits, ceil(extract(epoch FROM resets_at - now()))::integer AS seconds_left
  `.execute(db);
  const [count] = rows;
  if (count && count.hits > limit.most) {
    throw new AppError('too_many_requests', { retryAfter: Math.max(1, count.secondsLeft) });
  }
}

/** The uses in the window of a key that is not over. */
export async function countUses(db: Db, key: string): Promise<number> {
  const row = await db
    .selectFrom('rateLimit')
    .select('hits')
    .where('key', '=', key)
    .where('resetsAt', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row?.hits ?? 0;
}

/** Whether this is the first use in the window, counted over all processes. */
export async function isFirst(db: Db, limit: Omit<Limit, 'most'>): Promise<boolean> {
  try {
    await countAgainst(db, { ...limit, most: 1 });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Takes back a use that should not count. */
export async function takeBack(db: Db, key: string): Promise<void> {
  await db
    .updateTable('rateLimit')
    .set((row) => ({ hits: row('hits', '-', 1) }))
    .where('key', '=', key)
    .where('hits', '>', 0)
    .execute();
}

/** Deletes windows that are over, and those started while the clock was ahead. */
export async function deleteOldLimits(db: Db): Promise<void> {
  await sql`
    DELETE FROM rate_limit
    WHERE resets_at < now() OR resets_at > now() + make_interval(secs => ${LONGEST_WINDOW})
  `.execute(db);
}
