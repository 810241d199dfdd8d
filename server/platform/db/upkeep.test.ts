import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../testing/app.ts';
import { companyIdOf } from '../../testing/company.ts';
import { completeProfile, createGroup, createTemplate } from '../../testing/factories.ts';
import { analyzeAfterBulk, checkpointLog, vacuumTables } from './upkeep.ts';

const isEmbedded = process.env['TEST_DATABASE'] !== 'postgres';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp({ METRICS_TOKEN: 'for-tests' });
});

afterAll(async () => testApp.close());

/** PostgreSQL's statistics of a table. */
async function beliefs(table: string) {
  const { db } = testApp.context;
  await sql`SELECT pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ rows: number; dead: number }>`
    SELECT reltuples::integer AS rows, n_dead_tup::integer AS dead
    FROM pg_class JOIN pg_stat_user_tables ON relid = pg_class.oid
    WHERE pg_class.relname = ${table}`.execute(db);
  return rows[0];
}

test('dead rows of repeated updates are vacuumed, and counted', async () => {
  const { db } = testApp.context;
  await sql`
    INSERT INTO rate_limit (key, hits, resets_at)
    SELECT 'nr' || number, 1, now() + interval '1 hour' FROM generate_series(1, 1000) AS number
  `.execute(db);
  await db.connection().execute(async (connection) => {
    await sql`UPDATE rate_limit SET hits = hits + 1`.execute(connection);
    // A connection tells what it counted within a second, which may be after the vacuum.
    await sql`SELECT pg_stat_force_next_flush()`.execute(connection);
  });
  await vacuumTables(db);
  expect(await beliefs('rate_limit')).toEqual({ rows: 1000, dead: 0 });
});

test.runIf(isEmbedded)('what PostgreSQL keeps of its own is cleared too', async () => {
  const { db } = testApp.context;
  const size = async () => {
    const { rows } = await sql<{ bytes: number }>`
      SELECT pg_table_size('pg_statistic') AS bytes`.execute(db);
    return rows[0]?.bytes ?? 0;
  };
  await sql`CREATE TABLE wide (number integer, text text)`.execute(db);
  const round = async () => {
    await sql`TRUNCATE wide`.execute(db);
    await sql`
      INSERT INTO wide SELECT number, repeat(md5(random()::text), 25)
      FROM generate_series(1, 300) AS number`.execute(db);
    await vacuumTables(db);
  };
  for (let times = 0; times < 20; times += 1) await round();
  const before = await size();
  for (let times = 0; times < 60; times += 1) await round();
  expect(await size()).toBeLessThan(before * 1.5);
  await sql`DROP TABLE wide`.execute(db);
});

test.runIf(isEmbedded)(
  'a checkpoint is made when there is much log since the one before, and no sooner',
  async () => {
    const { db } = testApp.context;
    const write = async (bytes: number) =>
      sql`SELECT pg_logical_emit_message(false, 'test', repeat('x', ${bytes}))`.execute(db);
    const logSince = async () => {
      const { rows } = await sql<{ bytes: string }>`
      SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) AS bytes
      FROM pg_control_checkpoint()`.execute(db);
      return Number(rows[0]?.bytes);
    };
    await sql`CHECKPOINT`.execute(db);
    await write(15_000_000);
    await checkpointLog(db);
    expect(await logSince()).toBeGreaterThan(15_000_000);
    await write(3_000_000);
    await checkpointLog(db);
    expect(await logSince()).toBeLessThan(1_000_000);
  },
);

test('the planner gets statistics after a bulk, and is left alone otherwise', async () => {
  await analyzeAfterBulk(testApp.context, 10);
  expect((await beliefs('invoice'))?.rows).toBe(-1);
  await analyzeAfterBulk(testApp.context, 10_000);
  expect((await beliefs('invoice'))?.rows).toBe(0);
});

// A bulk is analysed by the same statement on both.
test.runIf(!isEmbedded)('the planner gets statistics after an import of customers', async () => {
  const client = await testApp.login('mange@example.no');
  const rows = Array.from({ length: 500 }, (_, index) => ({ name: `Medlem ${index}` }));
  const imported = await client.post('/api/customers/import/', { rows });
  expect(imported.status).toBe(200);
  expect((await beliefs('customer'))?.rows).toBe(500);
});

// The fault is made in PostgreSQL, which is the same embedded.
test.runIf(!isEmbedded)(
  'a committed change is answered with success, even if the upkeep after it fails',
  async () => {
    const { db } = testApp.context;
    // The test above imported this account's customers.
    const client = await testApp.login('mange@example.no');
    await completeProfile(client);
    const template = await createTemplate(client);
    const { rows } = await sql<{ number: number }>`
    SELECT customer_number AS number FROM customer
    WHERE company_id = ${await companyIdOf(db, 'mange@example.no')}`.execute(db);
    const group = await createGroup(
      client,
      rows.map(({ number }) => number),
    );
    // As a newer pg-boss might have it.
    await sql`ALTER TABLE jobs.job RENAME TO job_of_tomorrow`.execute(db);
    const made = await client.post(`/api/invoices/create/`, {
      group_uuid: group,
      template_id: template,
      issue_date: '2026-01-31',
    });
    await sql`ALTER TABLE jobs.job_of_tomorrow RENAME TO job`.execute(db);
    expect([made.status, made.text.slice(0, 200)]).toEqual([201, expect.any(String)]);
    await sql`ALTER TABLE delivery RENAME TO delivery_of_tomorrow`.execute(db);
    await analyzeAfterBulk(testApp.context, 10_000);
    await sql`ALTER TABLE delivery_of_tomorrow RENAME TO delivery`.execute(db);
  },
);

test.runIf(!isEmbedded)(
  'the metrics of the process are reported even when those of the queue fail',
  async () => {
    const { db } = testApp.context;
    await sql`ALTER TABLE jobs.job RENAME TO job_of_tomorrow`.execute(db);
    const metrics = await testApp
      .visitor()
      .send({ url: '/metrics', headers: { authorization: 'Bearer for-tests' } });
    await sql`ALTER TABLE jobs.job_of_tomorrow RENAME TO job`.execute(db);
    expect([metrics.status, metrics.text]).toEqual([
      200,
      expect.stringMatching(/^faktur_deliveries\{status="queued"\} 0$/m),
    ]);
  },
);
