import { type Compilable, CompiledQuery, type Insertable, type Selectable } from 'kysely';

import { toSnakeKey } from '../../../domain/api/case.ts';
import { mayBePrepared } from './client.ts';
import type { Db, Trx } from './database.ts';
import type { Tables } from './tables.ts';

/** Rows per statement. More are not faster, and their text takes memory. */
const AT_ONCE = 5000;

/** Tables whose rows belong to a company. */
type Owned = {
  [Table in keyof Tables]: 'companyId' extends keyof Tables[Table] ? Table : never;
}[keyof Tables];

/** A row of such a table without its company. */
export type OwnedRow<Table extends Owned> = Omit<Insertable<Tables[Table]>, 'companyId'>;

/** The table and the company of the rows. */
interface Target<Table> {
  readonly companyId: number;
  readonly table: Table;
}

/**
 * Inserts any number of a company's rows with the same columns, and returns the requested columns of each, in order.
 * All rows are one parameter, because a statement takes at most 65,535. The company is a parameter of its own, so
 * that the statement names it.
 */
export async function insertAll<
  Table extends Owned,
  const Column extends keyof Selectable<Tables[Table]> & string = never,
>(
  trx: Trx,
  { companyId, table }: Target<Table>,
  rows: readonly OwnedRow<Table>[],
  returning: readonly Column[],
): Promise<Pick<Selectable<Tables[Table]>, Column>[]> {
  const inserted: Pick<Selectable<Tables[Table]>, Column>[] = [];
  const text = textOf(table, Object.keys(rows[0] ?? {}), returning);
  for (const part of partsOf(rows)) {
    const insert = CompiledQuery.raw(text, [companyId, toRecords(part)]);
    const answer = await trx.executeQuery<(typeof inserted)[number]>(insert);
    inserted.push(...answer.rows);
  }
  return inserted;
}

// The columns are few, and an import repeats them thousands of times.
const snakeKeys = new Map<string, string>();

function snakeKeyOnce(key: string): string {
  let snake = snakeKeys.get(key);
  if (snake === undefined) {
    snake = toSnakeKey(key);
    snakeKeys.set(key, snake);
  }
  return snake;
}

/** The statement as text: building its columns in Kysely takes longer than the rest of the call. */
function textOf(table: string, columns: readonly string[], returning: readonly string[]): string {
  const into = snakeKeyOnce(table);
  const named = listOf(columns);
  const insert = `INSERT INTO ${into} (company_id, ${named})
    SELECT $1::bigint, ${named} FROM json_populate_recordset(NULL::${into}, $2)`;
  return returning.length === 0 ? insert : `${insert} RETURNING ${listOf(returning)}`;
}

function listOf(columns: readonly string[]): string {
  return columns.map((column) => `"${snakeKeyOnce(column)}"`).join(', ');
}

/** Splits rows into the batches of one statement each. */
export function* partsOf<Item>(rows: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    yield rows.slice(start, start + AT_ONCE);
  }
}

/** Rows as JSON with their column names. Values of columns stay unchanged. */
export function toRecords(rows: readonly object[]): string {
  return JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [snakeKeyOnce(column), value as unknown]),
      ),
    ),
  );
}

/**
 * A query that is compiled once, at its first use. For frequent queries, compiling in Kysely takes longer than
 * mapping their rows.
 *
 * @param build gets the values that differ from call to call, and may only pass them to Kysely
 * @throws TypeError for a statement that PostgreSQL would plan at each call anyway
 */
export function compiledOnce<Values extends readonly unknown[], Row>(
  build: (db: Db, ...values: Values) => Compilable<Row>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  const places = Array.from({ length: build.length - 1 }, () => ({}));
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, ...values) => {
    compiled ??= preparable(build(db, ...(places as unknown as Values)).compile());
    const parameters = compiled.parameters.map((parameter) => {
      const place = places.indexOf(parameter as object);
      return place === -1 ? parameter : values[place];
    });
    const query: CompiledQuery<Row> = { ...compiled, parameters };
    return (await db.executeQuery(query)).rows;
  };
}

function preparable<Row>(compiled: CompiledQuery<Row>): CompiledQuery<Row> {
  if (!mayBePrepared(compiled.sql))
    throw new TypeError(`It would not be prepared: ${compiled.sql}`);
  return compiled;
}
