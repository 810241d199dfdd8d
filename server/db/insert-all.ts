import { sql, type Insertable, type Selectable } from 'kysely';

import { toSnakeKey } from '../../domain/api/case.ts';
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
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const part = rows.slice(start, start + AT_ONCE);
    const columns = sql.join(Object.keys(part[0] ?? {}).map((column) => sql.ref(column)));
    const answer = await sql<Pick<Selectable<Tables[Table]>, Column>>`
      INSERT INTO ${sql.table(table)} (${columns})
      SELECT ${columns} FROM json_populate_recordset(
        NULL::${sql.table(table)}, ${JSON.stringify(part.map(toRecord))})
      ${returning.length === 0 ? sql`` : sql`RETURNING ${sql.join(returning.map((column) => sql.ref(column)))}`}
    `.execute(trx);
    inserted.push(...answer.rows);
  }
  return inserted;
}

function toRecord(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [toSnakeKey(column), value as unknown]),
  );
}
