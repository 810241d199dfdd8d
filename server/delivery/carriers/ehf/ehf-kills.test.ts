import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openServer, type Db } from '../../../platform/db/database.ts';
import { approveAgreement } from './ehf-agreement.service.ts';
import type { TestClient } from '../../../testing/client.ts';
import { companyIdOf } from '../../../testing/company.ts';
import { createCustomer, createGroup, invoiceBody } from '../../../testing/factories.ts';
import type { ProductProcess } from '../../../testing/process.ts';
import { killRounds, logIn, openStage, type Product, type Stage } from '../../../testing/stage.ts';
import { passTime, RECEIVER } from '../../../testing/peppol/ehf-world.ts';
import type { FakeAccessPoint } from '../../../testing/peppol/fake-access-point.ts';
import { startFakePhossAp } from '../../../testing/peppol/fake-phoss-ap.ts';
import { startFakeStorecove, type FakeStorecove } from '../../../testing/peppol/fake-storecove.ts';
import { progressOf } from '../../../testing/sends.ts';
import { until } from '../../../testing/until.ts';

/** Besides the kill of the other test. In a short run none: `delivery-kills` has one at any moment of a delivery. */
const ROUNDS = killRounds(0);
/** `EHF_KILLED=200` for as many invoices in each. */
const PER_ROUND = Number(process.env['EHF_KILLED'] ?? 8);
/** The latest moment of a kill after the processes are up (ms). */
const LATEST_KILL = 1500;
const OWNER = 'ehf@example.no';
/** Longer than a lease lasts (hours). */
const A_WHILE = 1;
/** Milliseconds between two looks at what is sent, which takes minutes. */
const LOOK = 1000;

async function withDatabase<T>(stage: Stage, work: (db: Db) => Promise<T>): Promise<T> {
  const database = openServer(stage.directUrl ?? '', () => undefined);
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

const ACCESS_POINTS = ['phoss-ap', 'storecove'] as const;

async function killAll(processes: readonly ProductProcess[]): Promise<void> {
  await Promise.all(processes.map(async (process) => process.kill()));
}

/** Waits until the processes have nothing to do before more time has passed. */
async function untilIdle(db: Db): Promise<void> {
  await until(
    async () => {
      const { rows } = await sql`
        SELECT FROM jobs.job WHERE name IN ('dispatch', 'deliver-ehf') AND
          (state = 'active' OR state IN ('created', 'retry') AND start_after <= now())`.execute(db);
      return rows.length;
    },
    (many) => many === 0,
    240_000,
    LOOK,
  );
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

describe.each(ACCESS_POINTS)('by %s', (kind) => {
  let stage: Stage;
  let fake: FakeAccessPoint;
  let settings: NodeJS.ProcessEnv;
  /** The product after the last kill. */
  let product: Product;
  let mortal: ProductProcess;
  let client: TestClient;
  let group: string;

  /** A process that sends for a company that may send EHF, and has a group of its customers. */
  beforeAll(async () => {
    stage = await openStage();
    fake = kind === 'storecove' ? await startFakeStorecove() : await startFakePhossAp();
    settings = {
      ACCESS_POINT: kind,
      ACCESS_POINT_URL: fake.url,
      ACCESS_POINT_TOKEN: fake.token,
      // Nobody answers there, so who can receive is unknown, and the access point is left to find out.
      PEPPOL_DNS: '127.0.0.1:9',
    };
    mortal = await stage.start(settings);
    client = await logIn(mortal, stage.smtp, OWNER);
    group = await makeCustomers(client);
    await client.post('/api/users/ehf-agreement/');
    await withDatabase(stage, async (db) =>
      approveAgreement(db, await companyIdOf(db, OWNER), '4711'),
    );
  });
  afterAll(async () => {
    await stage.close();
    await fake.close();
  });

  async function goOn(): Promise<void> {
    product = await stage.startHere(settings);
    client = product.visitor(client.cookieHeader);
  }

  function transmit(): void {
    if (kind === 'storecove') (fake as FakeStorecove).transmit();
  }

  // DEL-14
  test('within two minutes of the start all goes on that was under way', async () => {
    // Two processes side by side are one work, whoever takes the documents: one kind shows it.
    const killed = kind === 'storecove' ? [mortal] : [mortal, await stage.start(settings)];
    // The answers to what is under way come after the kill.
    fake.answerDelay = 500;
    for (let half = 0; half < 2; half += 1) await send(client, group);
    await until(
      () => {
        transmit();
        return fake.transmissions.length;
      },
      (many) => many >= PER_ROUND / 2,
    );
    await killAll(killed);
    fake.answerDelay = 0;
    const heard = new Set(fake.transmissions.map(({ key }) => key));
    const leased = await withDatabase(stage, findLeased);
    const unheard = leased.filter((key) => !heard.has(key)).length;
    await goOn();
    const progress = async () => {
      transmit();
      return progressOf(client);
    };
    const all = 2 * PER_ROUND;
    await until(progress, ({ sent }) => sent >= all - unheard, TWO_MINUTES, LOOK);
    // A document that was leased and never arrived could arrive twice until its call has surely ended.
    await withDatabase(stage, async (db) => passTime(db, A_WHILE));
    await until(progress, ({ sent }) => sent === all, TWO_MINUTES, LOOK);
    const keys = fake.transmissions.map(({ key }) => key);
    expect(keys).toHaveLength(all);
    expect(new Set(keys).size).toBe(all);
  }, 600_000);

  test.runIf(ROUNDS > 0)(
    'no EHF is lost or transmitted twice by processes that are killed again and again',
    async () => {
      const { sent: sentBefore } = await progressOf(client);
      const transmittedBefore = fake.transmissions.length;
      fake.answerDelay = 30;
      await product.stop();
      for (let round = 1; round <= ROUNDS; round += 1) {
        // Alone, and in a longer run also beside another, as those that the other test kills.
        const running = await Promise.all(
          Array.from({ length: round % 2 === 0 ? 2 : 1 }, async () => stage.start(settings)),
        );
        client = running[0]?.visitor(client.cookieHeader) ?? client;
        await send(client, group);
        // Each in another part of the work.
        await sleep((LATEST_KILL * (round - Math.random())) / ROUNDS);
        await killAll(running);
        await withDatabase(stage, recover);
      }
      await goOn();
      const all = ROUNDS * PER_ROUND;
      for (;;) {
        await withDatabase(stage, untilIdle);
        const { sent } = await progressOf(client);
        if (sent - sentBefore === all) break;
        transmit();
        await withDatabase(stage, recover);
      }
      const keys = fake.transmissions.map(({ key }) => key);
      const transmitted = keys.length - transmittedBefore;
      process.stdout.write(`${kind}: ${ROUNDS} kills, ${transmitted} EHF transmitted\n`);
      expect(transmitted).toBe(all);
      expect(new Set(keys).size).toBe(keys.length);
    },
    300_000 + ROUNDS * 60_000,
  );
});
