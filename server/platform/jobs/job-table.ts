import { sql } from 'kysely';

import type { Logger } from '../log/log.ts';
import type { Db } from '../db/database.ts';

/** The waiting jobs of one queue. */
export interface QueueDepth {
  readonly name: string;
  /** Jobs that can run now, or later when their retry is due. */
  readonly waiting: number;
  readonly active: number;
  /** Waiting time of the oldest due job; 0 when none is due. */
  readonly oldestSeconds: number;
}

// Reads pg-boss's own table. It has no call that answers these questions without fetching every job whole. If a newer
// pg-boss stores jobs differently, this is logged and stops nothing.

/** Releases the jobs of killed processes. Call it only when no other process can be running. */
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
 * The keys that already have a waiting or running job of this name, read from the index that keeps keys unique. Empty
 * when it cannot be read: adding a second job under a key does nothing.
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

/** The waiting jobs of each queue that is not empty; empty when they cannot be read. */
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
