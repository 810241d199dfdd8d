import { sql } from 'kysely';

import type { Logger } from '../logger.ts';
import type { Db } from './database.ts';

const BULK_TABLES = ['invoice', 'invoice_line', 'delivery'];
/** When there are this many new rows, the tables are analysed at once. */
const BULK = 500;

type Upkeep = Readonly<{ db: Db; log: Logger }>;

/**
 * Analyses the tables that sending fills, after `rows` were added at once. PostgreSQL does so by itself
 * within a minute; until then it plans for few rows, and a list of twenty invoices reads ten thousand.
 * Call it after the commit. It waits for nobody and never fails.
 */
export async function analyzeAfterBulk(upkeep: Upkeep, rows: number): Promise<void> {
  await analyze(upkeep, rows, async () => [...BULK_TABLES, ...(await findJobTables(upkeep.db))]);
}

/** The same after so many customers were imported. */
export async function analyzeAfterImport(upkeep: Upkeep, rows: number): Promise<void> {
  await analyze(upkeep, rows, () => ['customer']);
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

/** The tables in which pg-boss keeps jobs, as PostgreSQL knows them. None when it keeps them elsewhere. */
async function findJobTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relid::regclass::text AS name FROM pg_partition_tree(to_regclass('jobs.job'))
    WHERE isleaf`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Vacuums and analyses for the embedded database, which has no autovacuum. The thresholds are
 * autovacuum's own; PostgreSQL's tables of its own grow as ours do, most of all what ANALYZE has found.
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

/** How much of the log is worth a checkpoint: a file of it (bytes). */
const LOG_WORTH_CHECKPOINT = 16 * 1024 * 1024;

/**
 * Makes a checkpoint when it is due, for the embedded database, which has no checkpointer. Without any its
 * write-ahead log would grow for as long as the process runs, and be read whole after a power cut.
 */
export async function checkpointLog(db: Db): Promise<void> {
  const { rows } = await sql<{ bytes: string }>`
    SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) AS bytes
    FROM pg_control_checkpoint()`.execute(db);
  if (Number(rows[0]?.bytes) >= LOG_WORTH_CHECKPOINT) await sql`CHECKPOINT`.execute(db);
}
