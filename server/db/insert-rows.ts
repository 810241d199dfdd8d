import { sql, type Insertable } from 'kysely';

import { toSnakeKey } from '../../domain/api/case.ts';
import type { Trx } from './database.ts';
import type { Tables } from './tables.ts';

/**
 * Adds rows in their order, thousands in one statement. All have the same columns. They are one
 * parameter, so the statement is the same for any number of them and is prepared once.
 */
export async function insertRows<Name extends keyof Tables>(
  trx: Trx,
  table: Name,
  rows: readonly Insertable<Tables[Name]>[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = sql.join(Object.keys(first).map((name) => sql.ref(name)));
  const content = JSON.stringify(rows.map(toRecord));
  await sql`
    INSERT INTO ${sql.table(table)} (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::${sql.table(table)}, ${content}::json)
  `.execute(trx);
}

/** Names as the database has them. What a column of JSON holds is left as it is. */
function toRecord(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [toSnakeKey(name), value]));
}
