import { sql } from 'kysely';

import type { Db, Trx } from './database.ts';

// Copies the rows of one company out of the database, and into another one. Ids differ between databases, so a copied row has its
// rank among its company's rows of the table as id, from 1, and names the rows that it refers to by theirs.

/** A table of which a company's rows are copied. */
export interface CopiedTable {
  readonly name: string;
  /** The columns to copy; all when absent. */
  readonly only?: readonly string[];
  readonly leftOut?: readonly string[];
  /** Columns with ids of rows of another table that no foreign key names. */
  readonly refersTo?: Readonly<Record<string, string>>;
  /** Columns with the id of the last row of another table that there was at a moment; 0 when there was none. */
  readonly upTo?: Readonly<Record<string, string>>;
  /** Columns of JSON, in which `invoiceId` and `invoiceIds` are ids of invoices. */
  readonly withInvoiceIds?: readonly string[];
}

export type CopiedRow = Record<string, unknown>;

/** A table as the database has it. */
interface Shape {
  readonly name: string;
  /** Without generated ones. */
  readonly columns: readonly string[];
  /** The column with ids that the database gives, if any. */
  readonly id: string | null;
  readonly key: readonly string[];
  /** The tables whose ids the columns have. */
  readonly refersTo: Readonly<Record<string, string>>;
  readonly sequence: string | null;
}

const FETCH = 200;
const COMPANY = 'company_id';

/** Ids of rows in the order of their ranks, by table. */
export type CopiedIds = ReadonlyMap<string, readonly number[]>;

/**
 * Reads the rows of a company, table by table, each after those that it refers to.
 *
 * @param trx a transaction that reads one moment
 * @param take gets each row with the ids so far; it may be asked to wait
 */
export async function readCompany(
  trx: Trx,
  companyId: number,
  tables: readonly CopiedTable[],
  take: (table: string, row: CopiedRow, ids: CopiedIds) => Promise<void>,
): Promise<void> {
  const plain = trx.withoutPlugins();
  // Times have the same text, whatever the server's zone is.
  await sql`SET LOCAL TIME ZONE 'UTC'`.execute(plain);
  const shapes = await findShapes(plain, tables);
  const ids = new Map<string, number[]>();
  for (const table of tables) {
    const shape = requireShape(shapes, table.name);
    const own: number[] = [];
    ids.set(table.name, own);
    for await (const row of readRows(plain, companyId, table, shape)) {
      if (shape.id !== null) own.push(Number(row[shape.id]));
      await take(table.name, toRanks(row, table, shape, ids), ids);
    }
  }
}

async function* readRows(
  trx: Trx,
  companyId: number,
  table: CopiedTable,
  shape: Shape,
): AsyncGenerator<CopiedRow> {
  const columns = [...columnsOf(table, shape), ...(shape.id === null ? [] : [shape.id])];
  const list = sql.join(columns.map((column) => sql.ref(column)));
  const order = sql.join(
    (shape.id === null ? shape.key : [shape.id]).map((column) => sql.ref(column)),
  );
  await sql`
    DECLARE copied NO SCROLL CURSOR FOR SELECT row_to_json(row)::text AS line FROM (
      SELECT ${list} FROM ${sql.table(table.name)} WHERE ${conditionOf(table.name, companyId)}
      ORDER BY ${order}
    ) row`.execute(trx);
  for (;;) {
    const { rows } = await sql<{ line: string }>`FETCH ${sql.lit(FETCH)} FROM copied`.execute(trx);
    for (const { line } of rows) yield JSON.parse(line) as CopiedRow;
    if (rows.length < FETCH) break;
  }
  await sql`CLOSE copied`.execute(trx);
}

function conditionOf(table: string, companyId: number) {
  if (table === 'company') return sql`id = ${sql.lit(companyId)}`;
  if (table === 'account') {
    return sql`id = (SELECT account_id FROM company WHERE id = ${sql.lit(companyId)})`;
  }
  return sql`company_id = ${sql.lit(companyId)}`;
}

/** The columns that are copied as they are, or as ranks. */
function columnsOf({ only, leftOut = [] }: CopiedTable, { columns, id }: Shape): readonly string[] {
  return (only ?? columns).filter(
    (column) => column !== id && column !== COMPANY && !leftOut.includes(column),
  );
}

function toRanks(row: CopiedRow, table: CopiedTable, shape: Shape, ids: CopiedIds): CopiedRow {
  const rank = (of: string, id: unknown) => rankOf(ids.get(of) ?? [], Number(id));
  const upTo = (of: string, id: unknown) => countUpTo(ids.get(of) ?? [], Number(id));
  return mapIds(row, table, shape, { rank, upTo }, ids.get(table.name)?.length);
}

/** The place of an id among ascending ones, from 1; null when it is not there. */
function rankOf(ids: readonly number[], id: number): number | null {
  const count = countUpTo(ids, id);
  return ids[count - 1] === id ? count : null;
}

/** How many ascending ids are not above this one. */
function countUpTo(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}

type IdMap = (table: string, id: unknown) => number | null;

/** The row with other ids. */
function mapIds(
  { ...row }: CopiedRow,
  { refersTo = {}, upTo = {}, withInvoiceIds = [] }: CopiedTable,
  shape: Shape,
  map: { readonly rank: IdMap; readonly upTo: IdMap },
  ownId: number | undefined,
): CopiedRow {
  for (const [column, table] of Object.entries({ ...shape.refersTo, ...refersTo })) {
    if (column === COMPANY || row[column] === undefined || row[column] === null) continue;
    row[column] = map.rank(table, row[column]);
  }
  for (const [column, table] of Object.entries(upTo)) {
    if (typeof row[column] === 'number') row[column] = map.upTo(table, row[column]);
  }
  for (const column of withInvoiceIds) {
    row[column] = mapInvoiceIds(row[column], (id) => map.rank('invoice', id));
  }
  if (shape.id !== null) row[shape.id] = ownId;
  return row;
}

function mapInvoiceIds(value: unknown, map: (id: unknown) => number | null): unknown {
  if (Array.isArray(value)) return value.map((part) => mapInvoiceIds(part, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => {
      if (key === 'invoiceId') return [key, map(part)];
      if (key === 'invoiceIds' && Array.isArray(part)) {
        return [key, part.map((id) => map(id)).filter((id) => id !== null)];
      }
      return [key, mapInvoiceIds(part, map)];
    }),
  );
}

function requireShape(shapes: ReadonlyMap<string, Shape>, table: string): Shape {
  const shape = shapes.get(table);
  if (!shape) throw new Error(`There is no table ${table}`);
  return shape;
}

async function findShapes(
  db: Db,
  tables: readonly CopiedTable[],
): Promise<ReadonlyMap<string, Shape>> {
  const names = tables.map(({ name }) => name);
  const { rows } = await sql<Shape>`
    SELECT class.relname::text AS name,
      ARRAY(
        SELECT attname::text FROM pg_attribute
        WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
        ORDER BY attnum
      ) AS columns,
      identity.attname::text AS id,
      pg_get_serial_sequence(quote_ident(class.relname), identity.attname) AS sequence,
      ARRAY(
        SELECT attname::text FROM pg_index
        JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY(indkey)
        WHERE indrelid = class.oid AND indisprimary
        ORDER BY array_position(indkey::int[], attnum::int)
      ) AS key,
      (SELECT COALESCE(json_object_agg(own.attname, target.relname), '{}')
        FROM pg_constraint CROSS JOIN LATERAL unnest(conkey, confkey) AS pair (own, other)
        JOIN pg_class target ON target.oid = confrelid
        JOIN pg_attribute own ON own.attrelid = conrelid AND own.attnum = pair.own
        JOIN pg_attribute other ON other.attrelid = confrelid AND other.attnum = pair.other
          AND other.attidentity <> ''
        WHERE conrelid = class.oid AND contype = 'f') AS "refersTo"
    FROM pg_class class
    LEFT JOIN pg_attribute identity ON identity.attrelid = class.oid AND identity.attidentity <> ''
      AND NOT identity.attisdropped
    WHERE class.relnamespace = 'public'::regnamespace AND class.relkind = 'r'
      AND class.relname = ANY(${names}::text[])`.execute(db);
  return new Map(rows.map((shape) => [shape.name, shape]));
}

/** How long the tables are waited for (milliseconds). */
const LOCK_TIMEOUT = 500;
/** Rows of one table that are written at a time. */
const BATCH_ROWS = 500;
const BATCH_LENGTH = 4_000_000;

/** A copied row cannot be written: something in it is not of this table, or names a row that is not there. */
export class CopiedRowError extends Error {
  override readonly name = 'CopiedRowError';
}

/** Tables into which a company is written. */
export interface CompanyWriter {
  /**
   * Writes rows of one table, in their order. Those that they refer to are written before.
   *
   * @param filled columns that are not copied, and that these rows have all the same
   * @throws CopiedRowError for a row with a column that is not copied, or with other columns than the first
   */
  write(table: string, rows: AsyncIterable<CopiedRow>, filled?: readonly string[]): Promise<void>;
  /** Names the only row of a table by one that is there already. */
  adopt(table: string, id: number): void;
  /** The new id of a rank. @throws CopiedRowError */
  idOf(table: string, rank: number): number;
  /** Lets the database's rules apply again. Called after the last row. */
  finish(): Promise<void>;
}

/**
 * Begins writing the rows of a company into the tables. Others may read meanwhile, and wait to write, until the transaction
 * ends: the triggers of the tables are off in it. All constraints hold.
 */
export async function writeCompany(
  trx: Trx,
  tables: readonly CopiedTable[],
): Promise<CompanyWriter> {
  const plain = trx.withoutPlugins();
  const shapes = await findShapes(plain, tables);
  // All at once and first, so that no deadlock can come later. Who waits for a table holds up all that come after.
  await sql`SET LOCAL lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(plain);
  await sql`LOCK TABLE ${sql.join(tables.map(({ name }) => sql.table(name)))} IN SHARE ROW EXCLUSIVE MODE`.execute(
    plain,
  );
  for (const { name } of tables) {
    await sql`ALTER TABLE ${sql.table(name)} DISABLE TRIGGER USER`.execute(plain);
  }
  const ids = new Map<string, number[]>();
  const idOf = (table: string, rank: number): number => {
    const id = ids.get(table)?.[rank - 1];
    if (id === undefined) throw new CopiedRowError(`there is no row ${rank} of ${table}`);
    return id;
  };
  const rank: IdMap = (of, place) => idOf(of, Number(place));
  const toIds = { rank, upTo: (of: string, place: unknown) => (place === 0 ? 0 : rank(of, place)) };
  return {
    idOf,
    adopt: (table, id) => void ids.set(table, [id]),
    async write(name, rows, filled = []) {
      const table = tables.find((each) => each.name === name);
      if (!table) throw new CopiedRowError(`there is no table ${name}`);
      const own: number[] = ids.get(name) ?? [];
      ids.set(name, own);
      const shape = requireShape(shapes, name);
      const requireCopied = rowCheck(table, shape, filled);
      for await (const batch of inBatches(rows)) {
        await nextIds(plain, shape, batch.length, own);
        const first = own.length - batch.length;
        const mapped = batch.map((row, index) => {
          requireCopied(row, first + index + 1);
          const ownId = own[first + index];
          const copied = mapIds(row, table, shape, toIds, ownId);
          if (shape.columns.includes(COMPANY)) copied[COMPANY] = idOf('company', 1);
          return copied;
        });
        await insertRows(plain, shape, mapped);
      }
    },
    finish: async () => enableRules(plain, tables),
  };
}

async function enableRules(trx: Trx, tables: readonly CopiedTable[]): Promise<void> {
  await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(trx);
  for (const { name } of tables) {
    await sql`ALTER TABLE ${sql.table(name)} ENABLE TRIGGER USER`.execute(trx);
  }
  for (const { name } of tables) await sql`ANALYZE ${sql.table(name)}`.execute(trx);
}

/** Refuses rows that no copy has: a changed one could set `is_staff`. */
function rowCheck(table: CopiedTable, shape: Shape, filled: readonly string[]) {
  const { name, id } = shape;
  const copied = new Set([...columnsOf(table, shape), ...(id === null ? [] : [id]), ...filled]);
  let first: ReadonlySet<string> | null = null;
  return (row: CopiedRow, place: number): void => {
    const given = Object.keys(row);
    const unknown = given.find((column) => !copied.has(column));
    if (unknown !== undefined) {
      throw new CopiedRowError(`row ${place} of ${name} has ${unknown}, which is not copied`);
    }
    // A copy that an older version made has fewer columns, in each of its rows.
    const known = (first ??= new Set(given));
    if (given.length !== known.size || given.some((column) => !known.has(column))) {
      throw new CopiedRowError(`row ${place} of ${name} has other columns than row 1`);
    }
    if (id !== null && row[id] !== place) {
      throw new CopiedRowError(`row ${place} of ${name} is not in its place`);
    }
  };
}

async function* inBatches(rows: AsyncIterable<CopiedRow>): AsyncGenerator<CopiedRow[]> {
  let batch: CopiedRow[] = [];
  let length = 0;
  for await (const row of rows) {
    batch.push(row);
    // A file of an archive is the only large value.
    length += Object.values(row).reduce<number>(
      (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
      0,
    );
    if (batch.length < BATCH_ROWS && length < BATCH_LENGTH) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Takes ids for new rows, ascending. */
async function nextIds(
  trx: Trx,
  { sequence }: Shape,
  count: number,
  into: number[],
): Promise<void> {
  if (sequence === null) {
    for (let added = 0; added < count; added += 1) into.push(0);
    return;
  }
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(${sequence}::regclass)::bigint AS id FROM generate_series(1, ${count}::int)
  `.execute(trx);
  for (const { id } of rows) into.push(id);
}

async function insertRows(trx: Trx, shape: Shape, rows: readonly CopiedRow[]): Promise<void> {
  const list = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)));
  await sql`
    INSERT INTO ${sql.table(shape.name)} (${list}) OVERRIDING SYSTEM VALUE
    SELECT ${list}
    FROM json_populate_recordset(NULL::${sql.table(shape.name)}, ${JSON.stringify(rows)}::text::json)
  `.execute(trx);
}
