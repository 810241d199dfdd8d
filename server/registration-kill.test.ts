import { afterAll, beforeAll, expect, test } from 'vitest';

import { createCustomer, invoiceBody } from './testing/factories.ts';
import { runScript } from './testing/process.ts';
import { logIn, openStage, SECRET_KEY, type Stage } from './testing/stage.ts';

const MANY = 60;
const AT_ONCE = 20;
const NUMBERS = Array.from({ length: MANY }, (_, index) => index + 1);

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => stage.close());

// INV-14
test('killed while it registers, it continues without a gap or duplicate', async () => {
  let server = await stage.start();
  let client = await logIn(server, stage.smtp, 'crash@example.no');
  const customer = await createCustomer(client);
  const uuids: string[] = [];
  for (let i = 0; i < MANY; i++) {
    const { body } = await client.post('/api/invoices/create/', invoiceBody([customer]));
    uuids.push(body[0].uuid);
  }

  const given = new Map<string, number>();
  const registerAll = async () => {
    const queue = [...uuids];
    const work = async () => {
      for (let uuid = queue.shift(); uuid !== undefined; uuid = queue.shift()) {
        const { body } = await client.post(`/api/invoices/queue/?invoice_uuid=${uuid}`);
        for (const { uuid: id, invoice_number } of body.registered) given.set(id, invoice_number);
      }
    };
    await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  };
  const registering = registerAll();
  await expect.poll(() => given.size, { interval: 5, timeout: 240_000 }).toBeGreaterThan(5);
  await server.kill();
  await registering;
  expect(given.size).toBeLessThan(MANY);

  server = await stage.start();
  client = server.visitor(client.cookieHeader);
  // Every number that was answered is stored.
  for (const [uuid, number] of given) {
    expect((await client.get(`/api/invoices/${uuid}/`)).body.invoice_number).toBe(number);
  }
  await registerAll();
  const numbers = await Promise.all(
    uuids.map(async (uuid) => (await client.get(`/api/invoices/${uuid}/`)).body.invoice_number),
  );
  expect(numbers.toSorted((a, b) => a - b)).toEqual(NUMBERS);

  const settings = {
    DATA_DIR: stage.dataDir,
    SECRET_KEY,
    ...(stage.databaseUrl !== undefined && { DATABASE_URL: stage.databaseUrl }),
  };
  const ledger = await runScript('scripts/operator.ts', settings, 'ledger', 'check');
  expect(ledger.code).toBe(0);
  expect(ledger.output).toContain(`1 companies with ${MANY} registered documents: all in order`);
});
