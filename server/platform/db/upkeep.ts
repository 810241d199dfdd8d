import { sql } from 'kysely';

import type { Logger } from '../log/log.ts';
import type { Db } from './database.ts';

const BULK_TABLES = ['invoice', 'invoice_line', 'delivery'];
/** From this many new rows on, the tables are analysed at once. */
const BULK = 500;

type Upkeep = Readonly<{ db: Db; log: Logger }>;

/**
 * Analyses the tables that sending fills, after `rows` were added at once. Autovacuum does so only after up to a
 * minute; until then PostgreSQL plans for few rows, and a list of twenty invoices reads ten thousand. Call it after
 * the commit. It waits for no lock and never throws.
 */
export async function analyzeAfterBulk(upkeep: Upkeep, rows: number): Promise<void> {
  await analyze(upkeep, rows, async () => [...BULK_TABLES, ...(await findJobTables(upkeep.db))]);
}

/** The same after an import of this many rows into a table. */
export async function analyzeAfterImport(
  upkeep: Upkeep,
  table: 'customer' | 'product',
  rows: number,
): Promise<void> {
  await analyze(upkeep, rows, () => [table]);
}

async function analyze(
  { db, log }: Upkeep,
  rows: number,
  findTables: () => readonly string[] | Promise<readonly string[]>,
): Promise<void> {
  if (rows < BULK) return;
  try {
    const tables = await findTables();
    await sql`ANALYZE (SKIP_LOCKED) ${sql.raw(tables.join(', '))}`.execute(db);
  } catch (error) {
    log.warn({ err: error }, 'the tables could not be analysed after many new rows');
  }
}

/** The tables in which pg-boss keeps jobs. Empty when it keeps them elsewhere. */
async function findJobTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relid::regclass::text AS name FROM pg_partition_tree(to_regclass('jobs.job'))
    WHERE isleaf`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Vacuums and analyses the embedded database, which has no autovacuum. The thresholds are autovacuum's. PostgreSQL's
 * own tables grow too, most of all pg_statistic.
 */
export async function vacuumTables(db: Db): Promise<void> {
  await sql`SELECT pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ name: string }>`
    SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_all_tables
    WHERE n_dead_tup > 50 + 0.2 * n_live_tup
      OR schemaname <> 'pg_toast' AND n_mod_since_analyze > 50 + 0.1 * n_live_tup
  `.execute(db);
  for (const { name } of rows) await sql`VACUUM (ANALYZE) ${sql.raw(name)}`.execute(db);
}

/** Size of the log at which a checkpoint is made: one log file (bytes). */
const LOG_WORTH_CHECKPOINT = 16 * 1024 * 1024;

/**
 * Makes a checkpoint when due, for the embedded database, which has no checkpointer. Without checkpoints the
 * write-ahead log would grow as long as the process runs, and all of it would be replayed after a power cut.
 */
export async function checkpointLog(db: Db): Promise<void> {
  const { rows } = await sql<{ bytes: string }>`
    SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) AS bytes
    FROM pg_control_checkpoint()`.execute(db);
  if (Number(rows[0]?.bytes) >= LOG_WORTH_CHECKPOINT) await sql`CHECKPOINT`.execute(db);
}
