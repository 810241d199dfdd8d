import { sql } from 'kysely';

import type { Db, Trx } from './database.ts';
import {
  BACKUP_FORMAT,
  BACKUP_MARK,
  type BackupEnd,
  type BackupHeader,
  type BackupTable,
  type Sequence,
} from './backup-lines.ts';
import { appliedMigrations } from './migrate.ts';

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
]);
/** Left out: the header names the migrations, and rate limits last only minutes. */
export const LEFT_OUT = ['migration', 'rate_limit'];

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
