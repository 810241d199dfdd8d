import pg from 'pg';

import { until } from './until.ts';

/** Asks a server one question on a connection of its own; the rows of the answer. */
export async function askPostgres(
  url: string,
  question: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(question)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until a standby follows a primary, and commits wait for it or not. */
export async function untilStreaming(
  primaryUrl: string,
  name: string,
  state: 'sync' | 'async',
): Promise<void> {
  const question = `SELECT application_name, sync_state FROM pg_stat_replication WHERE state = 'streaming'`;
  await until(
    async () => askPostgres(primaryUrl, question),
    (rows) => rows.some((row) => row['application_name'] === name && row['sync_state'] === state),
  );
}
