import { CompiledQuery, type Insertable, type Selectable } from 'kysely';

import { snakeKeyOnce } from '../../domain/api/case.ts';
import type { Trx } from './database.ts';
import type { Tables } from './tables.ts';

/** Rows of one statement: more make it no faster, and they are in memory as text. */
const AT_ONCE = 5000;

/**
 * Inserts rows that have the same columns, any number of them, and returns what is asked for of each,
 * in their order. They are one parameter: of single values a statement can have 65,535.
 */
export async function insertAll<
  Table extends keyof Tables,
  const Column extends keyof Selectable<Tables[Table]> & string = never,
>(
  trx: Trx,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
  returning: readonly Column[],
): Promise<Pick<Selectable<Tables[Table]>, Column>[]> {
  const inserted: Pick<Selectable<Tables[Table]>, Column>[] = [];
  const text = textOf(table, Object.keys(rows[0] ?? {}), returning);
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const part = JSON.stringify(rows.slice(start, start + AT_ONCE).map(toRecord));
    const insert = CompiledQuery.raw(text, [part]);
    const answer = await trx.executeQuery<(typeof inserted)[number]>(insert);
    inserted.push(...answer.rows);
  }
  return inserted;
}

/** The statement, as text: to put its columns together takes kysely longer than the rest of the call. */
function textOf(table: string, columns: readonly string[], returning: readonly string[]): string {
  const into = snakeKeyOnce(table);
  const named = listOf(columns);
  const insert = `INSERT INTO ${into} (${named})
    SELECT ${named} FROM json_populate_recordset(NULL::${into}, $1)`;
  return returning.length === 0 ? insert : `${insert} RETURNING ${listOf(returning)}`;
}

function listOf(columns: readonly string[]): string {
  return columns.map((column) => `"${snakeKeyOnce(column)}"`).join(', ');
}

function toRecord(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [snakeKeyOnce(column), value as unknown]),
  );
}
