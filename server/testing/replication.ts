import { askPostgres } from './server-database.ts';
import { until } from './until.ts';

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
