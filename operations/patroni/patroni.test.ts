import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import type { ProductProcess } from '../../server/testing/process.ts';
import { harmDone, NO_HARM } from '../../server/testing/harm.ts';
import { keepRegistering, openSellers, type Seller } from '../../server/testing/registering.ts';
import { askPostgres } from '../../server/testing/server-database.ts';
import { openStage, type Stage } from '../../server/testing/stage.ts';
import { until } from '../../server/testing/until.ts';
import {
  startPatroni,
  type Member,
  type PatroniCluster,
  type PatroniNode,
} from './patroni-cluster.ts';

const COMPANIES = 50;
const CALLERS = 8;
/** Number registered before and after each failure. */
const SOME = 40;
/** Time until there is a new primary and the product has found it (milliseconds). */
const BACK_WITHIN = 120_000;
/** The `ttl` of patroni.yml (milliseconds). */
const TTL = 20_000;
/** Longer than the product waits for a commit, which is a minute (milliseconds). */
const WITHOUT_STANDBY = 70_000;
const PASSWORD = 'of the product';

let cluster: PatroniCluster;
let databaseUrl: string;
let stage: Stage;
let processes: ProductProcess[];
let sellers: Seller[];

beforeAll(async () => {
  cluster = await startPatroni();
  const made = spawnSync(
    'psql',
    [
      '-h',
      '127.0.0.1',
      '-p',
      String(cluster.port),
      '-U',
      'postgres',
      '-v',
      'ON_ERROR_STOP=1',
    ].concat(['-v', `password=${PASSWORD}`, '-f', join(import.meta.dirname, 'database.sql')]),
    {
      env: {
        PATH: process.env['PATH'],
        PGPASSWORD: cluster.superuser['PATRONI_SUPERUSER_PASSWORD'],
      },
      encoding: 'utf8',
    },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  databaseUrl = `postgres://faktur:${encodeURIComponent(PASSWORD)}@127.0.0.1:${cluster.port}/faktur`;
  stage = await openStage({ headersOnly: true }, { databaseUrl });
  processes = await Promise.all(
    ['web', 'worker'].map(async (ROLE) => stage.start({ ROLE, LOGIN_LIMIT_PER_IP: '1000' })),
  );
  const [web] = processes;
  if (web) sellers = await openSellers(web, stage.smtp, COMPANIES);
});
afterAll(async () => {
  await stage?.close();
  await cluster?.close();
});

/** Asserts that everything acknowledged and mailed during a failure is stored, and that the product went on. */
async function expectNoHarm(registering: ReturnType<typeof keepRegistering>): Promise<void> {
  expect(await harmDone(databaseUrl, registering.acknowledged, stage.smtp.mails)).toEqual(NO_HARM);
  expect(registering.refused.filter((status) => status !== 503)).toEqual([]);
  for (const { origin, pid } of processes) {
    expect(process.kill(pid, 0)).toBe(true);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  }
}

test('kill -9 of PostgreSQL on the primary', async () => {
  const primary = await cluster.untilWhole();
  const registering = keepRegistering(sellers, CALLERS);
  await registering.more(SOME);
  primary.killPostgres();
  await registering.more(SOME, BACK_WITHIN);
  await registering.stop();
  await expectNoHarm(registering);
});

test('a Patroni that hangs: its primary is demoted before its lease ends, and another takes over', async () => {
  const old = await cluster.untilWhole();
  const registering = keepRegistering(sellers, CALLERS);
  await registering.more(SOME);
  old.signalPatroni('SIGSTOP');
  onTestFinished(() => old.signalPatroni('SIGCONT'));
  const since = performance.now();
  await until(
    async () => isRefused(databaseUrl),
    (refused) => refused,
    TTL,
  );
  expect(performance.now() - since).toBeLessThan(TTL);

  const others = cluster.nodes.filter((node) => node !== old);
  const leads = (members: readonly Member[]) =>
    others.find(({ name }) => members.some((one) => one.name === name && one.role === 'leader'));
  const members = await until(
    async () => cluster.members(),
    (found) => !!leads(found),
    BACK_WITHIN,
  );
  // Until it is promoted it still follows the old primary and acknowledges its commits.
  await until(
    async () => askPostgres(addressOf(leads(members)), 'SELECT pg_is_in_recovery() AS follows'),
    ([row]) => row?.['follows'] === false,
  );
  // The old primary's PostgreSQL still runs, but a client at its own address gets no commit acknowledged.
  const strayed = new pg.Client({ connectionString: addressOf(old) });
  strayed.on('error', () => undefined);
  await strayed.connect();
  let acknowledged = false;
  const write = strayed.query('CREATE TABLE astray ()').then(
    () => (acknowledged = true),
    () => undefined,
  );
  await registering.more(SOME, BACK_WITHIN);
  await sleep(2000);
  expect(acknowledged).toBe(false);
  old.signalPatroni('SIGCONT');
  await registering.stop();
  await cluster.untilWhole();
  await write;
  expect(acknowledged).toBe(false);
  await strayed.end().catch(() => undefined);
  await expectNoHarm(registering);
  expect(await askPostgres(databaseUrl, `SELECT to_regclass('astray') AS found`)).toEqual([
    { found: null },
  ]);
});

test('without a standby nothing is acknowledged, and with one again everything continues', async () => {
  const primary = await cluster.untilWhole();
  const standbys = cluster.nodes.filter((node) => node !== primary);
  const registering = keepRegistering(sellers, CALLERS);
  await registering.more(SOME);
  await Promise.all(standbys.map(async (node) => node.turnOff()));
  // Lets answers on their way reach their callers.
  await sleep(1000);
  const before = registering.acknowledged.length;
  await sleep(WITHOUT_STANDBY);
  expect(registering.acknowledged.length).toBe(before);
  expect(registering.refused).toContain(503);
  for (const node of standbys) node.turnOn();
  await registering.more(SOME, BACK_WITHIN);
  await registering.stop();
  await cluster.untilWhole();
  await expectNoHarm(registering);
});

/** The database on one machine, bypassing HAProxy. */
function addressOf(node: PatroniNode | undefined): string {
  const address = new URL(databaseUrl);
  address.port = String(node?.port);
  return address.href;
}

async function isRefused(url: string): Promise<boolean> {
  return askPostgres(url, 'SELECT 1').then(
    () => false,
    () => true,
  );
}
