import { sql } from 'kysely';

import type { Context } from '../context.ts';
import type { Db } from './database.ts';

const BULK_TABLES = ['invoice', 'invoice_line', 'delivery'];
/** Rows that must come at once for the planner to be told at once. */
const BULK = 500;

/**
 * Tells the planner of the tables that sending fills, after `rows` came at once. PostgreSQL finds
 * out by itself within a minute; until then its plans are those for the little there was before,
 * and a list of twenty invoices reads ten thousand. What came is committed by then, so this waits for
 * nobody and never fails.
 */
export async function noticeBulk(
  { db, log }: Pick<Context, 'db' | 'log'>,
  rows: number,
): Promise<void> {
  if (rows < BULK) return;
  try {
    const tables = [...BULK_TABLES, ...(await findJobTables(db))];
    await sql`ANALYZE (SKIP_LOCKED) ${sql.raw(tables.join(', '))}`.execute(db);
  } catch (error) {
    log.warn({ err: error }, 'the planner could not be told of what came at once');
  }
}

/** Where pg-boss keeps jobs: its own affair, so PostgreSQL is asked. None when it is elsewhere. */
async function findJobTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relid::regclass::text AS name FROM pg_partition_tree(to_regclass('jobs.job'))
    WHERE isleaf`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Clears what was updated or deleted, and tells the planner what there is: for the embedded
 * database, which has no autovacuum. The thresholds are autovacuum's own.
 */
export async function tidyTables(db: Db): Promise<void> {
  await sql`SELECT pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ name: string }>`
    SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables
    WHERE n_dead_tup > 50 + 0.2 * n_live_tup OR n_mod_since_analyze > 50 + 0.1 * n_live_tup
  `.execute(db);
  for (const { name } of rows) await sql`VACUUM (ANALYZE) ${sql.raw(name)}`.execute(db);
}
