// A process of its own: names of statements and messages already logged are state of the process.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createApp } from '../../app.ts';
import { createLog } from '../../platform/log/log.ts';
import { readConfig } from '../../config.ts';
import { explainStartFailure } from '../../operator/start-failure.ts';
import { startTestApp } from '../../testing/app.ts';
import { startProxy } from '../../testing/proxies.ts';
import { completeProfile, createCustomer, createDraft, register } from '../../testing/factories.ts';
import { startPgBouncer, type PgBouncer } from '../../testing/pgbouncer.ts';
import { runScript } from '../../testing/process.ts';
import { progressOf, untilAllSent } from '../../testing/sends.ts';
import { createServerDatabase } from '../../testing/server-database.ts';
import { CALL_LIMITS } from './connections.ts';
import { openServer, type Db } from './database.ts';
import type { TimeLimits } from './client.ts';

const SETTINGS = { SECRET_KEY: 's'.repeat(32), PORT: '0' };
const NAMES_ADVICE = 'set DATABASE_PREPARED_STATEMENTS=no';
const NAMES_OFF = { DATABASE_PREPARED_STATEMENTS: 'no' };

let folder: string;
let pooler: PgBouncer;
let database: Awaited<ReturnType<typeof createServerDatabase>>;
let pooledUrl: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faktur-pooler-'));
  const serverUrl = inject('postgresUrl');
  database = await createServerDatabase(serverUrl, inject('postgresTemplate'));
  pooler = await startPgBouncer(serverUrl, { mode: 'transaction' });
  pooledUrl = pooler.through(database.url);
});
afterAll(async () => {
  await pooler.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function openPooled(preparesStatements: boolean, limits: TimeLimits = CALL_LIMITS) {
  const errors: Error[] = [];
  const options = { limits, databaseDirectUrl: database.url, preparesStatements };
  return { errors, ...openServer(pooledUrl, (error) => void errors.push(error), options) };
}

/** Runs the same statement on many connections at once, several times. */
async function askMuch({ db }: { readonly db: Db }): Promise<number> {
  let failed = 0;
  for (let round = 0; round < 5; round += 1) {
    const asked = Array.from({ length: 8 }, async () =>
      sql`SELECT count(*), pg_sleep(0.01) FROM customer WHERE id > ${round}`.execute(db),
    );
    const answers = await Promise.allSettled(asked);
    failed += answers.filter(({ status }) => status === 'rejected').length;
  }
  return failed;
}

test('a transaction pooler mixes up the names of statements, and one line says what to set', async () => {
  const named = openPooled(true);
  expect(await askMuch(named)).toBeGreaterThan(0);
  expect(named.errors[0]?.message).toContain(NAMES_ADVICE);
  await named.close();

  const unnamed = openPooled(false);
  expect([await askMuch(unnamed), unnamed.errors]).toEqual([0, []]);
  await unnamed.close();
});

test('a process logs it once, however often it happens, and nothing else at start', async () => {
  const other = await createServerDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  const settings = {
    ...SETTINGS,
    DATABASE_URL: pooler.through(other.url),
    DATABASE_DIRECT_URL: other.url,
  };
  const lines: string[] = [];
  const config = readConfig({ ...settings, DATA_DIR: folder, LOG_LEVEL: 'error' });
  const log = createLog(config, { write: (line) => void lines.push(line) });
  const app = await createApp({ config, log, webFolder: null });
  const next = await runScript('server/main.ts', { ...settings, DATA_DIR: folder });
  expect([next.code, next.output]).toEqual([1, expect.stringContaining(NAMES_ADVICE)]);

  expect(await askMuch(app.context)).toBeGreaterThan(1);
  expect(lines.filter((line) => line.includes(NAMES_ADVICE))).toHaveLength(1);
  await app.close();
  await other.drop();
});

test('time limits hold in and outside transactions, and do not leak to the next client', async () => {
  const limited = openPooled(false, { ...CALL_LIMITS, statementOfTransaction: 300 });
  const settings = async (db: typeof limited.db) =>
    sql`SELECT current_setting('statement_timeout') AS statement,
      current_setting('lock_timeout') AS lock,
      current_setting('idle_in_transaction_session_timeout') AS idle`.execute(db);
  const alone = [{ statement: '5s', lock: '4s', idle: '0' }];
  expect((await settings(limited.db)).rows).toEqual(alone);
  const within = await limited.db.transaction().execute(settings);
  expect(within.rows).toEqual([{ statement: '300ms', lock: '4s', idle: '30s' }]);
  const long = limited.db
    .transaction()
    .execute(async (trx) => sql`SELECT pg_sleep(5)`.execute(trx));
  await expect(long).rejects.toMatchObject({ code: '57014' });
  expect((await settings(limited.db)).rows).toEqual(alone);
  await limited.close();
});

test('a silent connection to it is closed, and the next one is used', async () => {
  const line = await startProxy(pooler.port);
  const through = new URL(pooledUrl);
  through.port = String(line.port);
  const options = {
    limits: { ...CALL_LIMITS, statement: 100 },
    databaseDirectUrl: database.url,
    preparesStatements: false,
  };
  const watched = openServer(through.href, () => undefined, options);
  const ask = async () => sql`SELECT 1 FROM pg_sleep(0.01)`.execute(watched.db);
  await Promise.all(Array.from({ length: 8 }, ask));
  line.silence();
  line.mend();
  await expect(ask()).rejects.toThrow('No answer within');
  expect((await ask()).rows).toHaveLength(1);
  await watched.close();
  await line.close();
});

test('invoices are made, registered and mailed through it', async () => {
  const app = await startTestApp({}, { database: openPooled(false) });
  const client = await app.login();
  await completeProfile(client);
  const draft = await createDraft(client, await createCustomer(client), { delivery_type: 'EMAIL' });
  await register(client, draft);
  await untilAllSent(client, 1);
  expect(await progressOf(client)).toMatchObject({ sent: 1 });
  await app.close();
});

test('a command bypasses it, so it needs no other setting', async () => {
  const settings = {
    ...SETTINGS,
    DATA_DIR: folder,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  };
  const check = async (url: string) =>
    runScript('scripts/operator.ts', { ...settings, DATABASE_DIRECT_URL: url }, 'ledger', 'check');
  expect(await check(database.url)).toMatchObject({ code: 0 });
  expect(await check('postgres://nobody@127.0.0.1:2/none')).toEqual({
    code: 1,
    output: expect.stringMatching(/or mend DATABASE_DIRECT_URL\.\n$/),
  });
});

/** Starts the product in this process; returns its log lines. */
async function linesOf(settings: NodeJS.ProcessEnv): Promise<string[]> {
  const lines: string[] = [];
  const config = readConfig({ ...SETTINGS, ...NAMES_OFF, DATA_DIR: folder, ...settings });
  const log = createLog(config, { write: (line) => void lines.push(line) });
  try {
    await (await createApp({ config, log, webFolder: null })).close();
  } catch (error) {
    lines.push(explainStartFailure(error, config) ?? 'no explanation');
  }
  return lines;
}

test('without a bypass nothing starts, since jobs and migrations need a session', async () => {
  const advice = /leads to a pooler .* set DATABASE_DIRECT_URL to PostgreSQL itself/;
  const [line, ...more] = await linesOf({ DATABASE_URL: pooledUrl });
  expect([line, more]).toEqual([expect.stringMatching(advice), []]);
  expect(line).toMatch(/^DATABASE_URL leads/);
  const other = new URL(pooledUrl);
  other.hostname = 'localhost';
  const again = await linesOf({ DATABASE_URL: pooledUrl, DATABASE_DIRECT_URL: other.href });
  expect(again).toEqual([expect.stringMatching(advice)]);
});

test('a pooler without limits is reported', async () => {
  const careless = await startPgBouncer(database.url, { mode: 'transaction', hasLimits: false });
  const lines = await linesOf({
    DATABASE_URL: careless.through(database.url),
    DATABASE_DIRECT_URL: database.url,
  });
  expect(lines.filter((line) => line.includes('set both in its connect_query'))).toHaveLength(1);
  await careless.stop();
});
