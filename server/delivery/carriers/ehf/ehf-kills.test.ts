import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { openDatabase, type Db } from '../../../platform/db/database.ts';
import { approveAgreement } from './ehf-agreement.service.ts';
import type { TestClient } from '../../../testing/client.ts';
import { companyIdOf } from '../../../testing/company.ts';
import { createCustomer, createGroup, invoiceBody } from '../../../testing/factories.ts';
import { killRounds, logIn, openStage, type Stage } from '../../../testing/stage.ts';
import { passTime, RECEIVER } from '../../../testing/peppol/ehf-world.ts';
import type { FakeAccessPoint } from '../../../testing/peppol/fake-access-point.ts';
import { startFakePhossAp } from '../../../testing/peppol/fake-phoss-ap.ts';
import { startFakeStorecove, type FakeStorecove } from '../../../testing/peppol/fake-storecove.ts';
import { progressOf } from '../../../testing/sends.ts';
import { until } from '../../../testing/until.ts';

const ROUNDS = killRounds(2);
/** `EHF_KILLED=200` for as many invoices in each. */
const PER_ROUND = Number(process.env['EHF_KILLED'] ?? 25);
/** The latest moment of a kill after the processes are up (ms). */
const LATEST_KILL = 1500;
const OWNER = 'ehf@example.no';
/** Longer than a lease lasts (hours). */
const A_WHILE = 1;

/** Something to do with the database while no process has it. */
async function withDatabase<T>(stage: Stage, work: (db: Db) => Promise<T>): Promise<T> {
  const { dataDir, directUrl: databaseUrl = null } = stage;
  const options = { onError: () => undefined, limits: undefined };
  const database = await openDatabase({ databaseUrl, dataDir, ...options });
  try {
    return await work(database.db);
  } finally {
    await database.close();
  }
}

/** Ends the leases of the killed processes, as after their time. */
async function recover(db: Db): Promise<void> {
  await passTime(db, A_WHILE);
  await sql`
    UPDATE jobs.job SET state = 'retry', start_after = now(), heartbeat_on = NULL
    WHERE state = 'active'`.execute(db);
}

async function makeCustomers(client: TestClient): Promise<string> {
  const numbers: number[] = [];
  for (let each = 0; each < PER_ROUND; each += 1) {
    numbers.push(await createCustomer(client, { name: `Kunde ${each}`, org_number: RECEIVER }));
  }
  return createGroup(client, numbers);
}

async function send(client: TestClient, groupUuid: string): Promise<void> {
  const body = invoiceBody([], { group_uuid: groupUuid, delivery_type: 'EHF' });
  expect((await client.post('/api/invoices/create/', body)).status).toBe(201);
  expect((await client.post('/api/invoices/queue/')).body.registered).toHaveLength(PER_ROUND);
}

interface World {
  readonly stage: Stage;
  readonly fake: FakeAccessPoint;
  readonly settings: NodeJS.ProcessEnv;
}

/** Starts as many processes as the database bears, and returns the first. */
async function start({ stage, settings }: World) {
  const product = await stage.start(settings);
  const others = stage.databaseUrl === undefined ? [] : [await stage.start(settings)];
  return {
    product,
    kill: async () => Promise.all([product, ...others].map(async (process) => process.kill())),
  };
}

const ACCESS_POINTS = ['phoss-ap', 'storecove'] as const;
// The embedded database has one of the tests, because there a start releases the leases of the killed process.
const isEmbedded = process.env['TEST_DATABASE'] !== 'postgres';
const OF_START = isEmbedded ? (['storecove'] as const) : ACCESS_POINTS;
const OF_KILLS = isEmbedded ? [] : ACCESS_POINTS;

/** Processes that send for a company that may send EHF, and have a group of its customers. */
async function prepareWorld(kind: (typeof ACCESS_POINTS)[number]) {
  const stage = await openStage();
  const fake = kind === 'storecove' ? await startFakeStorecove() : await startFakePhossAp();
  fake.answerDelay = 30;
  const settings = {
    ACCESS_POINT: kind,
    ACCESS_POINT_URL: fake.url,
    ACCESS_POINT_TOKEN: fake.token,
    // Nobody answers there, so who can receive is unknown, and the access point is left to find out.
    PEPPOL_DNS: '127.0.0.1:9',
  };
  const world: World = { stage, fake, settings };
  const running = await start(world);
  const client = await logIn(running.product, stage.smtp, OWNER);
  const group = await makeCustomers(client);
  await client.post('/api/users/ehf-agreement/');
  await running.kill();
  await withDatabase(stage, async (db) =>
    approveAgreement(db, await companyIdOf(db, OWNER), '4711'),
  );
  return { world, client, group };
}

/** The keys of deliveries that a process held. */
async function findLeased(db: Db): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT carrier_key AS key FROM delivery WHERE status = 'QUEUED' AND leased_until > now()
  `.execute(db);
  return rows.map(({ key }) => key);
}

/** Deliveries of a killed process go on within this time after the next start (ms). */
const TWO_MINUTES = 120_000;

test.each(OF_START)(
  'within two minutes of the start all goes on that was under way (%s)',
  async (kind) => {
    const { world, group, ...before } = await prepareWorld(kind);
    const { stage, fake } = world;
    const killed = await start(world);
    // The answers to what is under way come after the kill.
    fake.answerDelay = 500;
    const first = killed.product.visitor(before.client.cookieHeader);
    for (let half = 0; half < 2; half += 1) await send(first, group);
    await until(
      () => {
        if (kind === 'storecove') (fake as FakeStorecove).transmit();
        return fake.transmissions.length;
      },
      (many) => many >= PER_ROUND / 2,
    );
    await killed.kill();
    fake.answerDelay = 0;
    const heard = new Set(fake.transmissions.map(({ key }) => key));
    const leased = await withDatabase(stage, findLeased);
    const unheard = leased.filter((key) => !heard.has(key)).length;
    const running = await start(world);
    const client = running.product.visitor(before.client.cookieHeader);
    const progress = async () => {
      if (kind === 'storecove') (fake as FakeStorecove).transmit();
      return progressOf(client);
    };
    const all = 2 * PER_ROUND;
    await until(progress, ({ sent }) => sent >= all - unheard, TWO_MINUTES);
    // A document that was leased and never arrived could arrive twice until its call has surely ended. The waits between
    // its tries double, so the next one may come late by as much again.
    await until(progress, ({ sent }) => sent === all, 3 * TWO_MINUTES);
    const keys = fake.transmissions.map(({ key }) => key);
    expect(keys).toHaveLength(2 * PER_ROUND);
    expect(new Set(keys).size).toBe(2 * PER_ROUND);
    await running.kill();
    await fake.close();
    await stage.close();
  },
  600_000,
);

test.each(OF_KILLS)(
  'no EHF is lost or transmitted twice by processes that are killed again and again (%s)',
  async (kind) => {
    const prepared = await prepareWorld(kind);
    const { world, group } = prepared;
    const { stage, fake } = world;
    let { client } = prepared;
    let running;
    for (let round = 1; round <= ROUNDS; round += 1) {
      running = await start(world);
      client = running.product.visitor(client.cookieHeader);
      await send(client, group);
      await sleep(Math.random() * LATEST_KILL);
      await running.kill();
      await withDatabase(stage, recover);
    }
    const all = ROUNDS * PER_ROUND;
    for (let sent = 0; sent < all;) {
      if (kind === 'storecove') (fake as FakeStorecove).transmit();
      running = await start(world);
      client = running.product.visitor(client.cookieHeader);
      for (let before = -1; before < sent; await sleep(2000)) {
        before = sent;
        ({ sent } = await progressOf(client));
      }
      await running.kill();
      await withDatabase(stage, recover);
    }
    const keys = fake.transmissions.map(({ key }) => key);
    process.stdout.write(`${kind}: ${ROUNDS} kills, ${keys.length} EHF transmitted\n`);
    expect(keys).toHaveLength(all);
    expect(new Set(keys).size).toBe(all);
    await fake.close();
    await stage.close();
  },
  300_000 + ROUNDS * 60_000,
);
