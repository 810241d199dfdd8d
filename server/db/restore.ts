import { sql } from 'kysely';

import {
  BACKUP_FORMAT,
  BACKUP_JOBS,
  BACKUP_MARK,
  type BackupEnd,
  type BackupHeader,
  type BackupTable,
} from './backup.ts';
import type { Db, Trx } from './database.ts';
import { applyMigrations, holdMigrations, KNOWN_MIGRATIONS } from './migrate.ts';

/** The backup or the database is not fit for restoring; the message is for the operator. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError';
}

/** A job that had not been done when the backup was made. */
export interface SavedJob {
  readonly name: string;
  readonly payload: object;
  readonly key: string | null;
}

interface Options {
  /** Whether to replace what is there. */
  readonly force: boolean;
  /** Removes the jobs that the database had, in the transaction that restores the rest. */
  readonly forgetJobs: (trx: Trx) => Promise<void>;
  /** Queues a job again, in that same transaction. */
  readonly requeue: (trx: Trx, job: SavedJob) => Promise<void>;
}

/** Rows of one statement, and characters, whichever comes first. */
const BATCH_ROWS = 1000;
const BATCH_LENGTH = 4_000_000;

/**
 * Puts a backup in the place of what the database holds: all of it or, when anything goes wrong,
 * nothing. The tables become those of the backup's version.
 *
 * @param lines of `writeBackup`
 * @returns how many rows each table has
 * @throws RestoreError
 */
export async function restoreBackup(
  db: Db,
  lines: AsyncIterable<string>,
  { force, forgetJobs, requeue }: Options,
): Promise<BackupEnd['rows']> {
  return db.transaction().execute(async (camel) => {
    const trx = camel.withoutPlugins();
    await holdMigrations(trx);
    if (!force) await requireEmpty(trx);
    await forgetJobs(camel);
    const target: Target = { trx, requeue: async (job) => requeue(camel, job), rows: {} };
    let end: BackupEnd | undefined;
    let batch = openBatch(target, null);
    let isFirst = true;
    for await (const line of lines) {
      if (isFirst) {
        await prepareTables(trx, readHeader(line));
        isFirst = false;
      } else if (line.startsWith(BACKUP_MARK)) {
        await batch.flush();
        const mark = JSON.parse(line.slice(BACKUP_MARK.length)) as BackupTable | BackupEnd;
        if ('rows' in mark) end = mark;
        else batch = openBatch(target, mark);
      } else {
        await batch.add(line);
      }
    }
    await requireWhole(target.rows, end);
    await finish(trx, end);
    return target.rows;
  });
}

interface Target {
  readonly trx: Trx;
  readonly requeue: (job: SavedJob) => Promise<void>;
  readonly rows: Record<string, number>;
}

function readHeader(line: string): BackupHeader {
  const header = tryParse(line.slice(BACKUP_MARK.length)) as Partial<BackupHeader> | undefined;
  if (header?.format !== BACKUP_FORMAT || !header.migrations) {
    throw new RestoreError('This is not a backup of Faktur.');
  }
  const unknown = header.migrations.filter((name) => !KNOWN_MIGRATIONS.includes(name));
  if (unknown.length > 0) {
    throw new RestoreError(
      `The backup was made by a newer version of Faktur (${unknown.join(', ')}).`,
    );
  }
  return header as BackupHeader;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Takes away what is there and lays the tables as the backup had them, without their triggers. */
async function prepareTables(trx: Trx, { migrations }: BackupHeader): Promise<void> {
  await dropAll(trx);
  await applyMigrations(trx, migrations);
  for (const table of await findTableNames(trx)) {
    await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`.execute(trx);
  }
}

/** Collects a table's rows and writes them many at a time. The rows are never parsed here. */
function openBatch(target: Target, section: BackupTable | null) {
  let rows: string[] = [];
  let length = 0;
  const flush = async () => {
    if (section === null || rows.length === 0) return;
    const content = rows;
    rows = [];
    length = 0;
    await writeRows(target, section, content);
  };
  if (section) target.rows[section.table] ??= 0;
  return {
    flush,
    async add(line: string) {
      rows.push(line);
      length += line.length;
      if (rows.length >= BATCH_ROWS || length >= BATCH_LENGTH) await flush();
    },
  };
}

async function writeRows(
  { trx, rows, requeue }: Target,
  { table, columns }: BackupTable,
  content: readonly string[],
): Promise<void> {
  rows[table] = (rows[table] ?? 0) + content.length;
  if (table === BACKUP_JOBS) {
    for (const line of content) await requeue(JSON.parse(line) as SavedJob);
    return;
  }
  const list = sql.join(columns.map((column) => sql.ref(column)));
  await sql`
    INSERT INTO ${sql.table(table)} (${list}) OVERRIDING SYSTEM VALUE
    SELECT ${list}
    FROM json_populate_recordset(NULL::${sql.table(table)}, ${`[${content.join(',')}]`}::text::json)
  `.execute(trx);
}

async function requireWhole(
  rows: Readonly<Record<string, number>>,
  end: BackupEnd | undefined,
): Promise<void> {
  if (!end) throw new RestoreError('The backup is cut off: its end is missing.');
  for (const [table, count] of Object.entries(end.rows)) {
    if (rows[table] !== count) {
      throw new RestoreError(
        `The backup is damaged: ${table} has ${rows[table] ?? 0} rows of ${count}.`,
      );
    }
  }
}

async function finish(trx: Trx, end: BackupEnd | undefined): Promise<void> {
  for (const { table, column, lastValue, isCalled } of end?.sequences ?? []) {
    await sql`
      SELECT setval(pg_get_serial_sequence(quote_ident(${table}), ${column}),
        ${lastValue}::text::bigint, ${isCalled})`.execute(trx);
  }
  for (const table of await findTableNames(trx)) {
    await sql`ALTER TABLE ${sql.table(table)} ENABLE TRIGGER USER`.execute(trx);
  }
}

async function requireEmpty(trx: Trx): Promise<void> {
  const holds: string[] = [];
  for (const table of await findTableNames(trx)) {
    if (['migration', 'migration_lock', 'rate_limit'].includes(table)) continue;
    const { rows } = await sql<{ some: boolean }>`
      SELECT EXISTS (SELECT FROM ${sql.table(table)}) AS some`.execute(trx);
    if (rows[0]?.some) holds.push(table);
  }
  if (holds.length === 0) return;
  throw new RestoreError(
    `The database is not empty (${holds.join(', ')}). With --force everything in it is replaced.`,
  );
}

/** Drops every table, function and type of the schema `public` that no extension brought. */
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
