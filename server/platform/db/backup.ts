import { sql } from 'kysely';
import { z } from 'zod';

import { rootCause } from '../log/outside-error.ts';
import type { Db, Trx } from './database.ts';
import { appliedMigrations } from './migrate.ts';

/** Begins every line that is not a row; rows begin with a brace. */
export const BACKUP_MARK = '#';
const BACKUP_FORMAT = 'faktur-backup-1';

/** The backup or the database is unfit for restoring. The message is for the operator. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError';
}

const header = z.object({
  format: z.literal(BACKUP_FORMAT),
  /** The migrations applied to the tables, oldest first. */
  migrations: z.array(z.string()),
});
const table = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
const sequence = z.object({
  table: z.string(),
  column: z.string(),
  /** PostgreSQL's bigint as text. */
  lastValue: z.string(),
  isCalled: z.boolean(),
});
const end = z.object({
  rows: z.record(z.string(), z.number()),
  sequences: z.array(sequence),
});
const job = z.object({
  name: z.string(),
  payload: z.record(z.string(), z.unknown()),
  key: z.string().nullable(),
});

/** The first line of a backup, after the mark. */
type BackupHeader = z.output<typeof header>;
/** The line before a table's rows. Every row is one line of JSON. */
export type BackupTable = z.output<typeof table>;
/** The current position of a table's id sequence. */
type Sequence = z.output<typeof sequence>;
/** The last line. Without it the file is incomplete. */
export type BackupEnd = z.output<typeof end>;
/** A job that was not done when the backup was made. */
export type SavedJob = z.output<typeof job>;

/** Parses the migrations in the first line. @throws RestoreError */
export function readHeader(line: string): readonly string[] {
  const { data } = header.safeParse(tryParse(line.slice(BACKUP_MARK.length)));
  if (!data) throw new RestoreError('This is not a backup of Faktur.');
  return data.migrations;
}

/** Parses a line that begins a table's rows or ends the backup. @throws RestoreError */
export function readMark(line: string) {
  return read(z.union([end, table]), line.slice(BACKUP_MARK.length));
}

export function readJob(line: string): SavedJob {
  return read(job, line);
}

function read<T>(schema: z.ZodType<T>, text: string): T {
  const parsed = schema.safeParse(tryParse(text));
  if (!parsed.success) throw damagedBackup(`a line begins with ${text.slice(0, 40)}`);
  return parsed.data;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function damagedBackup(what: string, cause?: unknown): RestoreError {
  return new RestoreError(
    `The backup is damaged (${what}). Nothing was changed; take another backup.`,
    { cause },
  );
}

/** SQLSTATE classes for values, constraints and names that PostgreSQL refuses (appendix A). */
const REFUSED = /^(22|23|42)/;

/** Runs the work. If PostgreSQL refuses a row, the backup is damaged. @throws RestoreError */
export async function asBackupDamage(place: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const cause: NodeJS.ErrnoException = rootCause(error);
    if (error instanceof RestoreError || !REFUSED.test(cause.code ?? '')) throw error;
    throw damagedBackup(`${place}: ${cause.message.split('\n', 1)[0]}`, error);
  }
}

/** The section of unfinished jobs. It is not one of our tables, but must not be lost. */
export const BACKUP_JOBS = 'jobs.job';

/** Rows in memory at a time. */
const FETCH = 200;
/** The same for tables whose rows hold files of up to a megabyte. */
const FETCH_OF_FILES = 10;
const WITH_FILES: ReadonlySet<string> = new Set([
  'document_file',
  'company_logo',
  'peppol_evidence',
  'attachment',
  'export_part',
]);
/** Left out: the header names the migrations, rate limits last only minutes, and each process states the switch at its start. */
export const LEFT_OUT = ['migration', 'rate_limit', 'webhook_switch'];

/**
 * Writes the whole database as lines of text: a snapshot of one moment, while others keep working. The format is the
 * same for an embedded database and a server, so that a backup can move data between them.
 *
 * @param write takes one line without its line break, and resolves when there is room for more
 * @returns the number of rows of each table
 */
export async function writeBackup(
  db: Db,
  write: (line: string) => Promise<void>,
): Promise<BackupEnd['rows']> {
  const migrations = await appliedMigrations(db);
  return db
    .withoutPlugins()
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const header: BackupHeader & { readonly madeAt: string } = {
        format: BACKUP_FORMAT,
        madeAt: new Date().toISOString(),
        migrations,
      };
      await write(BACKUP_MARK + JSON.stringify(header));
      const rows: Record<string, number> = {};
      for (const { table, columns } of await findTables(trx)) {
        await write(BACKUP_MARK + JSON.stringify({ table, columns }));
        const list = sql.join(columns.map((column) => sql.ref(column)));
        const order = sql.join(await findPrimaryKey(trx, table));
        const query = sql`SELECT ${list} FROM ${sql.table(table)} ORDER BY ${order}`;
        const most = WITH_FILES.has(table) ? FETCH_OF_FILES : FETCH;
        rows[table] = await writeRows(trx, query, write, most);
      }
      const jobs = await writeJobs(trx, write);
      const end: BackupEnd = {
        rows: { ...rows, [BACKUP_JOBS]: jobs },
        sequences: await findSequences(trx),
      };
      await write(BACKUP_MARK + JSON.stringify(end));
      return rows;
    });
}

async function writeRows(
  trx: Trx,
  query: ReturnType<typeof sql>,
  write: (line: string) => Promise<void>,
  most = FETCH,
): Promise<number> {
  await sql`
    DECLARE backup NO SCROLL CURSOR FOR SELECT row_to_json(row)::text AS line FROM (${query}) row
  `.execute(trx);
  let written = 0;
  for (;;) {
    const { rows } = await sql<{ line: string }>`FETCH ${sql.lit(most)} FROM backup`.execute(trx);
    for (const { line } of rows) await write(line);
    written += rows.length;
    if (rows.length < most) break;
  }
  await sql`CLOSE backup`.execute(trx);
  return written;
}

/** Writes waiting and running jobs. Scheduled jobs are left out, since the schedule adds them again. */
async function writeJobs(trx: Trx, write: (line: string) => Promise<void>): Promise<number> {
  await write(
    BACKUP_MARK + JSON.stringify({ table: BACKUP_JOBS, columns: ['name', 'payload', 'key'] }),
  );
  const { rows } = await sql<{ there: boolean }>`
    SELECT to_regclass(${BACKUP_JOBS}) IS NOT NULL AS there`.execute(trx);
  if (!rows[0]?.there) return 0;
  return writeRows(
    trx,
    sql`
      SELECT name, data->'payload' AS payload, singleton_key AS key FROM jobs.job
      WHERE state::text IN ('created', 'retry', 'active') AND data ? 'payload'
      ORDER BY created_on, id`,
    write,
  );
}

/** Our tables with their writable columns, each after the tables that it refers to. */
async function findTables(trx: Trx): Promise<BackupTable[]> {
  const { rows } = await sql<BackupTable & { refersTo: string[] }>`
    SELECT class.relname::text AS "table",
      ARRAY(
        SELECT attname::text FROM pg_attribute
        WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
        ORDER BY attnum
      ) AS columns,
      ARRAY(
        SELECT DISTINCT target.relname::text FROM pg_constraint
        JOIN pg_class target ON target.oid = confrelid
        WHERE conrelid = class.oid AND contype = 'f' AND confrelid <> conrelid
      ) AS "refersTo"
    FROM pg_class class
    WHERE class.relnamespace = 'public'::regnamespace AND class.relkind = 'r'
      AND class.relname <> ALL(${LEFT_OUT}::text[])
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = class.oid AND deptype = 'e')
    ORDER BY class.relname`.execute(trx);
  const ordered: BackupTable[] = [];
  const done = new Set<string>();
  while (done.size < rows.length) {
    const ready = rows.filter(
      ({ table, refersTo }) => !done.has(table) && refersTo.every((other) => done.has(other)),
    );
    if (ready.length === 0) throw new Error('Tables refer to each other in a circle');
    for (const { table, columns } of ready) {
      ordered.push({ table, columns });
      done.add(table);
    }
  }
  return ordered;
}

async function findPrimaryKey(trx: Trx, table: string) {
  const { rows } = await sql<{ column: string }>`
    SELECT attname::text AS column FROM pg_index
    JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY(indkey)
    WHERE indrelid = ${table}::regclass AND indisprimary
    ORDER BY array_position(indkey::int[], attnum::int)`.execute(trx);
  return rows.map(({ column }) => sql.ref(column));
}

async function findSequences(trx: Trx): Promise<Sequence[]> {
  const { rows } = await sql<{ table: string; column: string; name: string }>`
    SELECT relname::text AS "table", attname::text AS "column",
      pg_get_serial_sequence(quote_ident(relname), attname) AS name
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attidentity <> ''
    ORDER BY relname, attnum`.execute(trx);
  const sequences: Sequence[] = [];
  for (const { table, column, name } of rows) {
    // A sequence is not part of the snapshot. It can only be ahead, which is harmless.
    const state = await sql<{ lastValue: string; isCalled: boolean }>`
      SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${sql.raw(name)}
    `.execute(trx);
    sequences.push({ table, column, ...(state.rows[0] ?? { lastValue: '1', isCalled: false }) });
  }
  return sequences;
}
