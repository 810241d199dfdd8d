import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { CALL_LIMITS, POOL_SIZE } from '../db/connections.ts';
import type { Db } from '../db/database.ts';
import { requestContext } from '../log/log.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { Answer, TestClient } from '../../testing/client.ts';
import { companyIdOf } from '../../testing/company.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  CUSTOMER,
  register,
} from '../../testing/factories.ts';

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

/** Starts a transaction as for a call of that company; it ends when released. */
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

/** Takes every connection. */
async function holdAll(): Promise<() => Promise<void>> {
  const held: (() => Promise<void>)[] = [];
  // By as many companies as needed.
  for (let index = 0; index < (onServer ? POOL_SIZE : 1); index += 1) {
    held.push(await hold(-1 - (index % 3), async (trx) => sql`SELECT 1`.execute(trx)));
  }
  return async () => void (await Promise.all(held.map(async (letGo) => letGo())));
}

test('many calls of one company do not all delay another company', async () => {
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
  'a company whose row is locked waits alone, and gets an error after the time limit',
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
      expect(performance.now() - began).toBeLessThan(CALL_LIMITS.lock);
    }
    for (const answer of await waiting) expectRefusal(answer);
    await letGo();
    expect((await addCustomer(greedy)).status).toBe(201);
  },
);

// WIRE-15
test('when all connections are taken, calls get a time to retry and /readyz does not wait', async () => {
  const letGo = await holdAll();
  const [list, ready] = await Promise.all([
    modest.get('/api/invoices/'),
    testApp.visitor().get('/readyz'),
  ]);
  expect(ready.status).toBe(200);
  expectRefusal(list);
  await letGo();
  expect((await modest.get('/api/invoices/')).status).toBe(200);
});

/** Calls over the network, so that a client can hang up on an invoice's PDF. */
async function callOverNetwork() {
  const uuid = await createDraft(greedy, await createCustomer(greedy));
  await register(greedy, uuid);
  expect((await greedy.get(`/invoices/${uuid}/pdf/`)).status).toBe(200);
  const origin = `http://127.0.0.1:${await testApp.app.listen()}`;
  const gone = new AbortController();
  const call = async (path: string, init: RequestInit = {}) =>
    fetch(origin + path, { ...init, headers: { cookie: greedy.cookieHeader } });
  const connections = async () =>
    new Promise<number>((resolve) =>
      testApp.app.http.server.getConnections((_, count) => resolve(count)),
    );
  return {
    call,
    open: async (signal?: AbortSignal) =>
      call(`/invoices/${uuid}/pdf/`, { ...(signal && { signal }) }),
    gone,
    /** Resolves when this many calls have arrived. */
    came: async (count: number) =>
      vi.waitUntil(async () => (await connections()) >= count, { timeout: 240_000 }),
    hungUp: async () => vi.waitUntil(async () => (await connections()) === 0, { timeout: 240_000 }),
  };
}

/** Counts reads of documents and their bytes. */
function countReadings(): () => number {
  const selections = vi.spyOn(testApp.context.db, 'selectFrom');
  return () => selections.mock.calls.filter(([table]) => table === 'document').length;
}

test('a PDF is read once for all callers that wait for it', async () => {
  const { open, came } = await callOverNetwork();
  const readings = countReadings();
  const letGo = await holdAll();
  const asked = Array.from({ length: 40 }, async () => open());
  await came(40);
  await letGo();
  const answers = await Promise.all(asked);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const etags = answers.map(({ headers }) => headers.get('etag'));
  expect(new Set(etags).size).toBe(1);
  await Promise.all(answers.map(async (answer) => answer.arrayBuffer()));
  // A caller that arrives during a read waits for the next one, which sees current data.
  expect(readings()).toBeLessThanOrEqual(4);
});

test('a PDF is not read for a caller that has hung up, but still for the others', async () => {
  const { open, gone, came, hungUp } = await callOverNetwork();
  const readings = countReadings();
  const letGo = await holdAll();
  const asked = Array.from({ length: 40 }, async () => open(gone.signal));
  await came(40);
  gone.abort();
  await Promise.allSettled(asked);
  await hungUp();
  const last = open();
  await came(1);
  await letGo();
  expect((await last).status).toBe(200);
  expect(readings()).toBe(1);
});

test('a caller that has hung up leaves the queue for the database, unless the call changes something', async () => {
  const { call, gone, came, hungUp } = await callOverNetwork();
  const companyId = await companyIdOf(testApp.context.db, GREEDY);
  const draft = await createDraft(greedy, await createCustomer(greedy));
  const letGo = await holdAll();
  const work = { requestId: 'test', call: { companyId, signal: gone.signal } };
  const reading = requestContext.run(work, async () => sql`SELECT 1`.execute(testApp.context.db));
  // It has no body, so the whole request has arrived.
  const registering = call(`/api/invoices/queue/?invoice_uuid=${draft}`, {
    method: 'POST',
    signal: gone.signal,
  });
  await came(1);
  gone.abort(new Error('the caller has gone'));
  await expect(reading).rejects.toThrow('the caller has gone');
  await expect(registering).rejects.toThrow('the caller has gone');
  await hungUp();
  await letGo();
  const status = async () => (await greedy.get(`/api/invoices/${draft}/`)).body.status;
  await vi.waitUntil(async () => (await status()) === 'REGISTERED', { timeout: 240_000 });
});
