import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startPgBouncer, type PgBouncer, type PoolMode } from '../../server/testing/pgbouncer.ts';
import { ROOT } from '../../server/testing/process.ts';
import { createServerDatabase } from '../../server/testing/server-database.ts';
import { logIn, openStage, type Stage } from '../../server/testing/stage.ts';

/** Longer than pg-boss needs to notice that nobody listens any more (ms). */
const TWO_HEARTBEATS = 22_000;
const LISTENER = /LISTEN\/NOTIFY/;

let pooler: PgBouncer;

beforeAll(async () => {
  pooler = await startPgBouncer(inject('postgresUrl'), { mode: 'transaction' });
});
afterAll(async () => pooler.stop());

/** Other queries, so that the pooler lends every connection to another client. */
async function keepBusy(url: string, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  const pool = new pg.Pool({ connectionString: url, max: 5 });
  const ask = async () => {
    while (performance.now() < end) await pool.query('SELECT pg_sleep(0.05)');
  };
  await Promise.all(Array.from({ length: 5 }, ask));
  await pool.end();
}

test('through the pooler a listener is lost repeatedly: proves that the next test can detect it', async () => {
  const { url, drop } = await createServerDatabase(inject('postgresUrl'));
  const boss = new PgBoss({ connectionString: pooler.through(url), useListenNotify: true });
  const errors: string[] = [];
  boss.on('error', ({ message }) => void errors.push(message));
  await boss.start();
  await keepBusy(pooler.through(url), TWO_HEARTBEATS);
  expect(errors).toContainEqual(expect.stringMatching(LISTENER));
  await boss.stop({ graceful: false });
  await drop();
});

test('the product listens past the pooler, without warnings', async () => {
  const stage: Stage = await openStage();
  const databaseUrl = pooler.through(stage.directUrl ?? '');
  const settings = {
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: stage.directUrl,
    DATABASE_PREPARED_STATEMENTS: 'no',
  };
  const [web, worker] = await Promise.all([
    stage.start({ ...settings, ROLE: 'web' }),
    stage.start({ ...settings, ROLE: 'worker' }),
  ]);
  await keepBusy(databaseUrl, TWO_HEARTBEATS);
  // The worker is notified of the login mail that the web process added.
  await logIn(web, stage.smtp, 'kari@example.no');
  expect([...web.log, ...worker.log].filter((line) => LISTENER.test(line))).toEqual([]);
  expect([...web.log, ...worker.log].filter((line) => /"level":[456]0/.test(line))).toEqual([]);
  await stage.close();
});

interface Outcome {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs every server test that needs a PostgreSQL server, through PgBouncer. */
async function runThrough(mode: PoolMode): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'faktur-pooler-'));
  const report = join(folder, 'report.json');
  const args = ['run', '--project=server-postgres*', '--reporter=json', `--outputFile=${report}`];
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: ROOT,
    env: { ...process.env, VITEST: undefined, TEST_POOLER: mode },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'close');
  const outcome = JSON.parse(await readFile(report, 'utf8')) as Outcome;
  await rm(folder, { recursive: true });
  return outcome;
}

test.each(['session', 'transaction'] as const)(
  'every test that needs a server passes through it (%s)',
  async (mode) => {
    const { numPassedTests, testResults } = await runThrough(mode);
    const failed = testResults.flatMap(({ name, message, assertionResults }) =>
      assertionResults.length === 0 && message !== ''
        ? [`${name}: ${message}`]
        : assertionResults.flatMap((it) =>
            it.status === 'failed' ? [`${it.fullName}: ${it.failureMessages.join()}`] : [],
          ),
    );
    expect(failed).toEqual([]);
    expect(numPassedTests).toBeGreaterThan(500);
  },
  15 * 60_000,
);
