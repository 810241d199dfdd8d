import { sql } from 'kysely';

import type { Db } from '../db/database.ts';

/** What waits in one queue. */
export interface QueueDepth {
  readonly name: string;
  /** Jobs that could run now, or will when their retry is due. */
  readonly waiting: number;
  readonly active: number;
  /** How long the job has waited that should have begun first; 0 when none is due. */
  readonly oldestSeconds: number;
}

// pg-boss's own table, whose columns these are. It offers no call that would answer these questions
// without fetching every job whole.

/** Which of these keys no job of the queue has that waits or runs. */
export async function findMissingKeys(
  db: Db,
  queue: string,
  keys: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM unnest(${[...keys]}::text[]) AS key
    WHERE NOT EXISTS (
      SELECT FROM jobs.job
      WHERE name = ${queue} AND policy = 'exclusive' AND state <= 'active'
        AND COALESCE(singleton_key, '') = key
    )`.execute(db);
  return rows.map((row) => row.key);
}

/** Gives back what killed processes were at: only where no other process can be at work. */
export async function releaseActive(db: Db): Promise<void> {
  await sql`
    UPDATE jobs.job SET state = 'retry', start_after = now(), heartbeat_on = NULL
    WHERE state = 'active'`.execute(db);
}

/** What waits in every queue that has something waiting or running. */
export async function measureDepths(db: Db): Promise<QueueDepth[]> {
  const { rows } = await sql<QueueDepth>`
    SELECT name,
      (count(*) FILTER (WHERE state < 'active'))::integer AS waiting,
      (count(*) FILTER (WHERE state = 'active'))::integer AS active,
      COALESCE(extract(epoch FROM now() - min(start_after)
        FILTER (WHERE state < 'active' AND start_after <= now())), 0)::float8 AS oldest_seconds
    FROM jobs.job WHERE state <= 'active' AND name NOT LIKE '\\_\\_pgboss%'
    GROUP BY name`.execute(db);
  return rows;
}
