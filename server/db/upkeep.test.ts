import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import { noticeBulk, tidyTables } from './upkeep.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});

afterAll(async () => testApp.close());

/** What PostgreSQL believes of a table, without looking. */
async function beliefs(table: string) {
  const { db } = testApp.context;
  await sql`SELECT pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ rows: number; dead: number }>`
    SELECT reltuples::integer AS rows, n_dead_tup::integer AS dead
    FROM pg_class JOIN pg_stat_user_tables ON relid = pg_class.oid
    WHERE pg_class.relname = ${table}`.execute(db);
  return rows[0];
}

test('what was updated over and over is cleared, and counted', async () => {
  const { db } = testApp.context;
  await sql`
    INSERT INTO rate_limit (key, hits, resets_at)
    SELECT 'nr' || number, 1, now() + interval '1 hour' FROM generate_series(1, 1000) AS number
  `.execute(db);
  await sql`UPDATE rate_limit SET hits = hits + 1`.execute(db);
  await tidyTables(db);
  expect(await beliefs('rate_limit')).toEqual({ rows: 1000, dead: 0 });
});

test('the planner hears of much at once, and is left in peace otherwise', async () => {
  const { db } = testApp.context;
  await noticeBulk(db, 10);
  expect((await beliefs('invoice'))?.rows).toBe(-1);
  await noticeBulk(db, 10_000);
  expect((await beliefs('invoice'))?.rows).toBe(0);
});
