import { CompiledQuery, type Insertable, type Selectable } from 'kysely';

import { snakeKeyOnce } from '../../domain/api/case.ts';
import type { Trx } from './database.ts';
import type { Tables } from './tables.ts';

/** Rows of one statement: more make it no faster, and they are in memory as text. */
const AT_ONCE = 5000;

/** A table whose rows are a company's. */
type Owned = {
  [Table in keyof Tables]: 'companyId' extends keyof Tables[Table] ? Table : never;
}[keyof Tables];

/** A row of such a table, but for whose it is. */
export type OwnedRow<Table extends Owned> = Omit<Insertable<Tables[Table]>, 'companyId'>;

/** Where rows go, and whose they are. */
interface Target<Table> {
  readonly companyId: number;
  readonly table: Table;
}

/**
 * Inserts rows of a company that have the same columns, any number of them, and returns what is asked for
 * of each, in their order. They are one parameter, because a statement takes at most 65,535. The company is
 * another, so that the statement names it.
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

/** The statement, as text: to put its columns together takes kysely longer than the rest of the call. */
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

/** Rows in their order, as many at a time as one statement is to have. */
export function* partsOf<Item>(rows: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    yield rows.slice(start, start + AT_ONCE);
  }
}

/** Rows as JSON with the names of their columns. What a column holds stays as it is. */
export function toRecords(rows: readonly object[]): string {
  return JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [snakeKeyOnce(column), value as unknown]),
      ),
    ),
  );
}
