import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { openTestDatabase } from '../../testing/database.ts';
import { afterCommit, KEPT_OPEN } from './connections.ts';
import type { Database } from './database.ts';
import { until } from '../../testing/until.ts';

let database: Database;
let called = 0;
const call = () => void (called += 1);

beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(() => void vi.useRealTimers());
afterAll(async () => database.close());

test('a callback of a transaction is called once, after its commit', async () => {
  const before = called;
  await database.db.transaction().execute(async (trx) => {
    await afterCommit(trx, call);
    await afterCommit(trx.withoutPlugins(), call);
    await sql`SELECT 1`.execute(trx);
    expect(called).toBe(before);
  });
  expect(called).toBe(before + 1);
});

test('a rollback drops the callback', async () => {
  const before = called;
  const fails = database.db.transaction().execute(async (trx) => {
    await afterCommit(trx, call);
    throw new Error('No');
  });
  await expect(fails).rejects.toThrow('No');
  await database.db.transaction().execute(async (trx) => sql`SELECT 1`.execute(trx));
  expect(called).toBe(before);
});

test('outside a transaction the callback is called at once', async () => {
  const before = called;
  await afterCommit(database.db, call);
  expect(called).toBe(before + 1);
});

test.runIf(process.env['TEST_DATABASE'] === 'postgres')(
  'four connections stay open while nothing is asked, the others for ten seconds',
  async () => {
    const own = sql<{ pid: number }>`SELECT pg_backend_pid() AS pid, pg_sleep(0.2)`;
    const ask = async () => (await own.execute(database.db)).rows.map(({ pid }) => pid);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const pids = (await Promise.all(Array.from({ length: 8 }, ask))).flat();
    const opened = new Set(pids).size;
    expect(opened).toBeGreaterThan(KEPT_OPEN);
    const countOpen = async () => {
      const found = sql`SELECT FROM pg_stat_activity WHERE pid = ANY(${pids})`;
      return (await found.execute(database.db)).rows.length;
    };
    vi.advanceTimersByTime(9999);
    expect(await countOpen()).toBe(opened);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await until(countOpen, (open) => open === KEPT_OPEN);
    const after = (await Promise.all(Array.from({ length: KEPT_OPEN }, ask))).flat();
    expect(new Set(after).size).toBe(KEPT_OPEN);
    expect(pids).toEqual(expect.arrayContaining(after));
  },
);
