import { sql } from 'kysely';

import type { Logger } from '../logger.ts';
import type { Db } from '../db/database.ts';

/** What waits in one queue. */
export interface QueueDepth {
  readonly name: string;
  /** Jobs that could run now, or will when their retry is due. */
  readonly waiting: number;
  readonly active: number;
  /** How long the oldest due job has waited; 0 when none is due. */
  readonly oldestSeconds: number;
}

// pg-boss's own table, whose columns these are. It offers no call that would answer these questions
// without fetching every job whole. A newer pg-boss may keep jobs in another way, which is told in the
// log and stops nothing.

/** Releases the jobs of killed processes. Only for when no other process can be at work. */
export async function releaseActive(db: Db, log: Logger): Promise<void> {
  try {
    await sql`
      UPDATE jobs.job SET state = 'retry', start_after = now(), heartbeat_on = NULL
      WHERE state = 'active'`.execute(db);
  } catch (error) {
    log.error(
      { err: error },
      'jobs that a killed process was at wait until its silence is noticed',
    );
  }
}

/**
 * Which of these keys have a job of this name that waits or runs, by the index that keeps each from having two.
 * None when that cannot be read: adding a job under a key that has one does nothing.
 */
export async function findKeysWithJob(
  db: Db,
  log: Logger,
  name: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  try {
    const { rows } = await sql<{ key: string }>`
      SELECT singleton_key AS key FROM jobs.job
      WHERE name = ${name} AND COALESCE(singleton_key, '') = ANY(${[...keys]}::text[])
        AND state <= 'active' AND policy = 'exclusive'`.execute(db);
    return new Set(rows.map(({ key }) => key));
  } catch (error) {
    log.error({ err: error }, 'jobs could not be looked for by their keys');
    return new Set();
  }
}

/** What waits in each queue that is not empty; nothing when it cannot be read. */
export async function measureDepths(db: Db, log: Logger): Promise<QueueDepth[]> {
  try {
    const { rows } = await sql<QueueDepth>`
      SELECT name,
        count(*) FILTER (WHERE state < 'active') AS waiting,
        count(*) FILTER (WHERE state = 'active') AS active,
        COALESCE(extract(epoch FROM now() - min(start_after)
          FILTER (WHERE state < 'active' AND start_after <= now())), 0)::float8 AS oldest_seconds
      FROM jobs.job WHERE state <= 'active' AND name NOT LIKE '\\_\\_pgboss%'
      GROUP BY name`.execute(db);
    return rows;
  } catch (error) {
    log.error({ err: error }, 'jobs that wait could not be counted');
    return [];
  }
}
