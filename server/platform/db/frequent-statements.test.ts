import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestDatabase } from '../../testing/database.ts';
import { compiledOnce } from './frequent-statements.ts';
import type { Database } from './database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => database.close());

test('a statement is compiled once and run with the values of each call', async () => {
  let built = 0;
  const subtract = compiledOnce((db, one: number, other: number) => {
    built += 1;
    return db.selectNoFrom(sql<number>`${one}::integer - ${other}::integer`.as('rest'));
  });
  expect(await subtract(database.db, 5, 2)).toEqual([{ rest: 3 }]);
  expect(await subtract(database.db, 2, 5)).toEqual([{ rest: -3 }]);
  expect(built).toBe(1);
});

test('a statement that PostgreSQL would plan at each call is refused', async () => {
  const everything = compiledOnce((db, ids: readonly number[]) =>
    db
      .selectFrom(sql<{ id: number }>`(SELECT * FROM unnest(${ids}::bigint[]))`.as('given'))
      .selectAll(),
  );
  await expect(everything(database.db, [1])).rejects.toThrow('would not be prepared');
});
