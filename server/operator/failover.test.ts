import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { askPostgres, createServerDatabase } from '../testing/server-database.ts';
import { startProxy, type CuttableProxy } from '../testing/proxies.ts';
import { startPostgres, type PostgresCluster } from '../testing/postgres-cluster.ts';
import { findLost, harmDone, NO_HARM } from '../testing/harm.ts';
import { keepRegistering, openSellers, type Seller } from '../testing/registering.ts';
import { openStage, type Product, type Stage } from '../testing/stage.ts';
import { until } from '../testing/until.ts';

// Longer than `harmDone` waits for the last mail, so that it can report unsent ones.
vi.setConfig({ testTimeout: 240_000 });

const COMPANIES = 10;
const CALLERS = 8;
/** Number registered before the primary dies, and after another took over. */
const SOME = 12;
/** How long the new address points to a read-only standby (milliseconds). */
const READ_ONLY_FOR = 500;
/** The product's promised longest answer time, even if its database fails (milliseconds). */
const ANSWERED_WITHIN = 10_000;

let first: PostgresCluster;
let second: PostgresCluster;
let third: PostgresCluster | undefined;
/** An address that always points to the current primary. */
let address: CuttableProxy;
let databaseUrl: string;
let stage: Stage;
let products: Product[];
let sellers: Seller[];

beforeAll(async () => {
  first = await startPostgres();
  second = await startPostgres({ standbyOf: { port: first.port, name: 'second' } });
  await commitOn(first, 'second');
  address = await startProxy(first.port);
  const database = await createServerDatabase(
    `postgres://faktur@127.0.0.1:${address.port}/postgres`,
  );
  databaseUrl = database.url;
  stage = await openStage({ headersOnly: true }, { databaseUrl });
  products = await Promise.all(
    ['web', 'worker'].map(async (ROLE) => stage.startHere({ ROLE, LOGIN_LIMIT_PER_IP: '1000' })),
  );
  const [web] = products;
  if (web) sellers = await openSellers(web, stage.smtp, COMPANIES);
});
afterAll(async () => {
  await stage?.close();
  await address?.close();
  for (const server of [first, second, third]) await server?.stop();
});

/** Waits until a standby follows a primary, and commits wait for it or not. */
async function untilStreaming(
  primaryUrl: string,
  name: string,
  state: 'sync' | 'async',
): Promise<void> {
  const question = `SELECT application_name, sync_state FROM pg_stat_replication WHERE state = 'streaming'`;
  await until(
    async () => askPostgres(primaryUrl, question),
    (rows) => rows.some((row) => row['application_name'] === name && row['sync_state'] === state),
  );
}

/** From now on a commit waits until this standby has it on disk too. */
async function commitOn(primary: PostgresCluster, standby: string): Promise<void> {
  await askPostgres(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
  await askPostgres(primary.url, 'SELECT pg_reload_conf()');
  await untilStreaming(primary.url, standby, 'sync');
}

/** A power cut at the primary; the standby takes over its role and its address. */
async function failOver(primary: PostgresCluster, standby: PostgresCluster): Promise<void> {
  primary.kill();
  // As with some providers and proxies: the address moves before the standby is promoted, and only reads work.
  address.pointTo(standby.port);
  await sleep(READ_ONLY_FOR);
  await askPostgres(standby.url, 'SELECT pg_promote()');
  // The new primary has no standby yet.
  await askPostgres(standby.url, "ALTER SYSTEM SET synchronous_standby_names = ''");
  await askPostgres(standby.url, 'SELECT pg_reload_conf()');
}

test('nothing acknowledged or mailed is lost with a primary that has a synchronous standby', async () => {
  const registering = keepRegistering(sellers, CALLERS);
  await registering.more(SOME);
  await failOver(first, second);
  await registering.more(SOME);
  await registering.stop();

  expect(await harmDone(databaseUrl, registering.acknowledged, stage.smtp.mails)).toEqual(NO_HARM);
  // Refused callers got 503 with a short Retry-After.
  expect(registering.refused.filter((status) => status !== 503)).toEqual([]);
  expect(registering.longestWait()).toBeLessThan(ANSWERED_WITHIN);
  for (const { origin } of products) {
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  }
});

// Proves that the previous test can detect a loss. It does not wait for all mails: a job may have ended on the new
// primary after its result was lost with the old one, and housekeeping needs some minutes to find it.
test('numbers are lost with a primary whose standby is asynchronous and cut off, and the loss is detected', async () => {
  const link = await startProxy(second.port);
  third = await startPostgres({ standbyOf: { port: link.port, name: 'third' } });
  await untilStreaming(second.url, 'third', 'async');
  const registering = keepRegistering(sellers, CALLERS);
  await registering.more(SOME);
  link.silence();
  await registering.more(SOME);
  await failOver(second, third);
  await registering.more(SOME);
  await registering.stop();
  await link.close();

  const lost = await findLost(databaseUrl, registering.acknowledged);
  expect(lost.length).toBeGreaterThan(0);
});
