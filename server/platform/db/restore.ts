import { sql } from 'kysely';

import {
  asBackupDamage,
  BACKUP_JOBS,
  BACKUP_MARK,
  damagedBackup,
  LEFT_OUT,
  readHeader,
  readJob,
  readMark,
  RestoreError,
  type BackupEnd,
  type BackupTable,
  type SavedJob,
} from './backup.ts';
import type { Db, Trx } from './database.ts';
import { applyMigrations, lockMigrations, MIGRATIONS, withBaseline } from './migrate.ts';

interface Options {
  /** Whether to replace existing data. */
  readonly force: boolean;
  /** Deletes the database's existing jobs, in the transaction that restores the rest. */
  readonly deleteJobs: (trx: Trx) => Promise<void>;
  /** Queues a job again, in the same transaction. */
  readonly requeue: (trx: Trx, job: SavedJob) => Promise<void>;
  /** Checks the restored data before the commit. Throws to roll everything back. */
  readonly check: (trx: Trx) => Promise<void>;
}

const NOT_IN_BACKUPS = new Set(LEFT_OUT);
/** Most rows, or characters, that one statement inserts. */
const BATCH_ROWS = 1000;
const BATCH_LENGTH = 4_000_000;

/**
 * Replaces the content of the database by a backup; after an error nothing is changed. The rows are inserted into
 * tables of the backup's version, which are then migrated to the current one.
 *
 * @param lines of `writeBackup`
 * @returns the number of rows of each table
 * @throws RestoreError, and UnusableDatabaseError for a backup of a version too old
 */
export async function restoreBackup(
  db: Db,
  lines: AsyncIterable<string>,
  { force, deleteJobs, requeue, check }: Options,
): Promise<BackupEnd['rows']> {
  return db.transaction().execute(async (camel) => {
    const trx = camel.withoutPlugins();
    await lockMigrations(trx);
    if (!force) await requireEmpty(trx);
    await deleteJobs(camel);
    const target: Target = { trx, requeue: async (job) => requeue(camel, job), jobs: 0 };
    const { migrations, end } = await load(target, lines);
    const rows = await requireWhole(target, end);
    await finish(trx, end);
    const newer = Object.keys(MIGRATIONS).filter((name) => !migrations.includes(name));
    await applyMigrations(trx, newer);
    await analyze(trx);
    await check(camel);
    return rows;
  });
}

/** Reads the lines and inserts their rows. */
async function load(
  target: Target,
  lines: AsyncIterable<string>,
): Promise<{ migrations: readonly string[]; end: BackupEnd }> {
  let migrations: readonly string[] | undefined;
  let end: BackupEnd | undefined;
  let batch = openBatch(target, null);
  for await (const line of lines) {
    if (!migrations) {
      migrations = withBaseline(readHeader(line));
      await prepareTables(target.trx, migrations);
    } else if (line.startsWith(BACKUP_MARK)) {
      await batch.flush();
      const mark = readMark(line);
      if ('rows' in mark) end = mark;
      else batch = openBatch(target, mark);
    } else {
      await batch.add(line);
    }
  }
  if (!migrations || !end) throw new RestoreError('The backup is cut off: its end is missing.');
  return { migrations, end };
}

interface Target {
  readonly trx: Trx;
  readonly requeue: (job: SavedJob) => Promise<void>;
  /** Number of jobs queued again. */
  jobs: number;
}

/** Drops existing tables and creates those of the backup's version, with their triggers off. */
async function prepareTables(trx: Trx, migrations: readonly string[]): Promise<void> {
  const unknown = migrations.filter((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown.length > 0) {
    throw new RestoreError(
      `The backup was made by a newer version of Faktur (${unknown.join(', ')}).`,
    );
  }
  await dropAll(trx);
  await applyMigrations(trx, migrations);
  for (const table of await findTableNames(trx)) {
    await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`.execute(trx);
  }
}

/** Collects a table's rows and inserts them in batches. The rows are never parsed here. */
function openBatch(target: Target, section: BackupTable | null) {
  let rows: string[] = [];
  let length = 0;
  const flush = async () => {
    if (section === null || rows.length === 0) return;
    const content = rows;
    rows = [];
    length = 0;
    await asBackupDamage(section.table, async () => writeRows(target, section, content));
  };
  return {
    flush,
    async add(line: string) {
      if (section === null) throw damagedBackup('a row belongs to no table');
      rows.push(line);
      length += line.length;
      if (rows.length >= BATCH_ROWS || length >= BATCH_LENGTH) await flush();
    },
  };
}

async function writeRows(
  target: Target,
  { table, columns }: BackupTable,
  content: readonly string[],
): Promise<void> {
  const { trx, requeue } = target;
  if (table === BACKUP_JOBS) {
    for (const line of content) await requeue(readJob(line));
    target.jobs += content.length;
    return;
  }
  const list = sql.join(columns.map((column) => sql.ref(column)));
  await sql`
    INSERT INTO ${sql.table(table)} (${list}) OVERRIDING SYSTEM VALUE
    SELECT ${list}
    FROM json_populate_recordset(NULL::${sql.table(table)}, ${`[${content.join(',')}]`}::text::json)
  `.execute(trx);
}

/** Checks the row counts against the end of the backup, and returns them. */
async function requireWhole({ trx, jobs }: Target, end: BackupEnd): Promise<BackupEnd['rows']> {
  const rows: Record<string, number> = { [BACKUP_JOBS]: jobs };
  for (const table of await findTableNames(trx)) {
    if (NOT_IN_BACKUPS.has(table)) continue;
    const { rows: counts } = await sql<{ count: number }>`
      SELECT count(*) AS count FROM ${sql.table(table)}`.execute(trx);
    rows[table] = counts[0]?.count ?? 0;
  }
  for (const table of new Set([...Object.keys(rows), ...Object.keys(end.rows)])) {
    const [has, should] = [rows[table] ?? 0, end.rows[table] ?? 0];
    if (has !== should) throw damagedBackup(`${table} has ${has} rows of ${should}`);
  }
  return rows;
}

async function finish(trx: Trx, { sequences }: BackupEnd): Promise<void> {
  for (const { table, column, lastValue, isCalled } of sequences) {
    await asBackupDamage(`the numbering of ${table}`, async () => {
      await sql`
        SELECT setval(pg_get_serial_sequence(quote_ident(${table}), ${column}),
          ${lastValue}::text::bigint, ${isCalled})`.execute(trx);
    });
  }
  for (const table of await findTableNames(trx)) {
    await sql`ALTER TABLE ${sql.table(table)} ENABLE TRIGGER USER`.execute(trx);
  }
}

/** PostgreSQL has no statistics of the new rows yet, and the ledger check reads them next. */
async function analyze(trx: Trx): Promise<void> {
  for (const table of await findTableNames(trx))
    await sql`ANALYZE ${sql.table(table)}`.execute(trx);
}

async function requireEmpty(trx: Trx): Promise<void> {
  const holds: string[] = [];
  for (const table of await findTableNames(trx)) {
    if (NOT_IN_BACKUPS.has(table)) continue;
    const { rows } = await sql<{ some: boolean }>`
      SELECT EXISTS (SELECT FROM ${sql.table(table)}) AS some`.execute(trx);
    if (rows[0]?.some) holds.push(table);
  }
  if (holds.length === 0) return;
  throw new RestoreError(
    `The database is not empty (${holds.join(', ')}). With --force everything in it is replaced.`,
  );
}

/** Drops every table, function and type of the schema `public` that is not part of an extension. */
async function dropAll(trx: Trx): Promise<void> {
  for (const table of await findTableNames(trx)) {
    await sql`DROP TABLE ${sql.table(table)} CASCADE`.execute(trx);
  }
  const { rows } = await sql<{ statement: string }>`
    SELECT format('DROP FUNCTION %s CASCADE', oid::regprocedure) AS statement FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    UNION ALL
    SELECT format('DROP TYPE %s CASCADE', oid::regtype) FROM pg_type
    WHERE typnamespace = 'public'::regnamespace AND typtype = 'c'
      AND typrelid IN (SELECT oid FROM pg_class WHERE relkind = 'c')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_type.oid AND deptype = 'e')
  `.execute(trx);
  for (const { statement } of rows) await sql.raw(statement).execute(trx);
}

async function findTableNames(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname::text AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname`.execute(trx);
  return rows.map(({ name }) => name);
}
