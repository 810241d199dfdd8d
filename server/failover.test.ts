import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { askPostgres, createServerDatabase } from './testing/server-database.ts';
import { startProxy, type CuttableProxy } from './testing/cuttable-proxy.ts';
import { startPostgres, type PostgresCluster } from './testing/postgres-cluster.ts';
import type { ProductProcess } from './testing/process.ts';
import {
  findLost,
  harmDone,
  keepRegistering,
  NO_HARM,
  openSellers,
  type Seller,
} from './testing/registering.ts';
import { untilStreaming } from './testing/replication.ts';
import { openStage, type Stage } from './testing/stage.ts';

// Longer than `harmDone` waits for the last mail, so that it can say what was not sent.
vi.setConfig({ testTimeout: 240_000 });

const COMPANIES = 50;
const CALLERS = 8;
/** Registered before the primary dies, and after another took its place. */
const SOME = 60;
/** How long the new address is that of a standby (milliseconds). */
const READ_ONLY_FOR = 500;
/** What the product promises to answer within, whatever its database does (milliseconds). */
const ANSWERED_WITHIN = 10_000;

let first: PostgresCluster;
let second: PostgresCluster;
let third: PostgresCluster | undefined;
/** The address of whichever is the primary. */
let address: CuttableProxy;
let databaseUrl: string;
let stage: Stage;
let processes: ProductProcess[];
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
  processes = await Promise.all(
    ['web', 'worker'].map(async (ROLE) => stage.start({ ROLE, LOGIN_LIMIT_PER_IP: '1000' })),
  );
  const [web] = processes;
  if (web) sellers = await openSellers(web, stage.smtp, COMPANIES);
});
afterAll(async () => {
  await stage?.close();
  await address?.close();
  for (const server of [first, second, third]) await server?.stop();
});

/** From now on a commit waits until this standby has it on disk too. */
async function commitOn(primary: PostgresCluster, standby: string): Promise<void> {
  await askPostgres(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
  await askPostgres(primary.url, 'SELECT pg_reload_conf()');
  await untilStreaming(primary.url, standby, 'sync');
}

/** A power cut at the primary; the other takes its place and its address. */
async function failOver(primary: PostgresCluster, standby: PostgresCluster): Promise<void> {
  primary.kill();
  // As providers and proxies may: the address follows before the standby has taken over, and reads alone work.
  address.pointTo(standby.port);
  await sleep(READ_ONLY_FOR);
  await askPostgres(standby.url, 'SELECT pg_promote()');
  // Nobody stands behind the new one yet.
  await askPostgres(standby.url, "ALTER SYSTEM SET synchronous_standby_names = ''");
  await askPostgres(standby.url, 'SELECT pg_reload_conf()');
}

test('nothing that was acknowledged or mailed is lost with a primary whose standby is synchronous', async () => {
  const registering = keepRegistering(sellers, CALLERS);
  await registering.more(SOME);
  await failOver(first, second);
  await registering.more(SOME);
  await registering.stop();

  expect(await harmDone(databaseUrl, registering.acknowledged, stage.smtp.mails)).toEqual(NO_HARM);
  // Callers that were refused were told to come back, and soon.
  expect(registering.refused.filter((status) => status !== 503)).toEqual([]);
  expect(registering.longestWait()).toBeLessThan(ANSWERED_WITHIN);
  for (const { origin, pid } of processes) {
    expect(process.kill(pid, 0)).toBe(true);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  }
});

// Without it nobody would know that the test above can see anything. That all is mailed in the end is not
// awaited here: a job may have ended on the new primary whose outcome was lost with the old one, and it
// takes housekeeping some minutes to doubt it.
test('numbers are lost with a primary whose standby is asynchronous and cut off, and that is seen', async () => {
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
