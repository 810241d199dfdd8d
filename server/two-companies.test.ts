import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { POOL_SIZE } from './db/connections.ts';
import type { Db } from './db/database.ts';
import { requestContext } from './request-context.ts';
import { startTestApp, type TestApp } from './testing/app.ts';
import type { Answer, TestClient } from './testing/client.ts';
import { companyIdOf } from './testing/company.ts';
import { completeProfile, createCustomer, CUSTOMER } from './testing/factories.ts';

const GREEDY = 'mange@example.no';
const MODEST = 'en@example.no';
const CALLS = 100;

let testApp: TestApp;
let greedy: TestClient;
let modest: TestClient;

beforeEach(async () => {
  testApp = await startTestApp();
  greedy = await testApp.login(GREEDY);
  modest = await testApp.login(MODEST);
  for (const client of [greedy, modest]) {
    await completeProfile(client);
    await createCustomer(client);
  }
});
afterEach(async () => testApp.close());

const addCustomer = async (client: TestClient) => client.post('/api/customers/create/', CUSTOMER);

/** Begins a transaction, as for a call of that company, which ends when it is let go. */
async function hold(companyId: number, run: (trx: Db) => Promise<unknown>) {
  const isHeld = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const call = { requestId: 'test', call: { companyId } };
  const ended = requestContext.run(call, async () =>
    testApp.context.db.transaction().execute(async (trx) => {
      await run(trx);
      isHeld.resolve();
      await end.promise;
    }),
  );
  await isHeld.promise;
  return async () => {
    end.resolve();
    await ended;
  };
}

function expectRefusal({ status, headers, body }: Answer): void {
  expect({ status, body: body as unknown }).toEqual({
    status: 503,
    body: {
      detail: [
        {
          message: 'The server is busy, or out of reach of its database; try again in a moment',
        },
      ],
    },
  });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
}

const onServer = process.env['TEST_DATABASE'] === 'postgres';

test('many calls of one company do not make another wait for all of them', async () => {
  let done = 0;
  const calls = Array.from({ length: CALLS }, async () => {
    const answer = await addCustomer(greedy);
    done += 1;
    return answer.status;
  });
  expect((await addCustomer(modest)).status).toBe(201);
  expect(done).toBeLessThan(CALLS / 2);
  expect(new Set(await Promise.all(calls))).toEqual(new Set([201]));
});

test.runIf(onServer)(
  'a company whose row is held waits alone, and is told when that takes too long',
  async () => {
    const companyId = await companyIdOf(testApp.context.db, GREEDY);
    const letGo = await hold(0, async (trx) =>
      sql`SELECT FROM company WHERE id = ${companyId} FOR UPDATE`.execute(trx),
    );
    const waiting = Promise.all(Array.from({ length: CALLS }, async () => addCustomer(greedy)));
    while ((await Promise.race([waiting, sleep(200)])) === undefined) {
      const began = performance.now();
      expect((await modest.get('/api/invoices/')).status).toBe(200);
      expect((await addCustomer(modest)).status).toBe(201);
      expect((await testApp.visitor().get('/readyz')).status).toBe(200);
      expect(performance.now() - began).toBeLessThan(2000);
    }
    for (const answer of await waiting) expectRefusal(answer);
    await letGo();
    expect((await addCustomer(greedy)).status).toBe(201);
  },
);

test('when every connection is taken, calls are told to come again and /readyz does not wait', async () => {
  const held = [];
  for (let index = 0; index < (onServer ? POOL_SIZE : 1); index += 1) {
    // As many companies as it takes.
    held.push(await hold(-1 - (index % 3), async (trx) => sql`SELECT 1`.execute(trx)));
  }
  const [list, ready] = await Promise.all([
    modest.get('/api/invoices/'),
    testApp.visitor().get('/readyz'),
  ]);
  expect(ready.status).toBe(200);
  expectRefusal(list);
  for (const letGo of held) await letGo();
  expect((await modest.get('/api/invoices/')).status).toBe(200);
});
