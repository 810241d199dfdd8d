import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import { createCustomer } from '../testing/factories.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(async () => testApp.close());

test('a list of more groups than fit in memory at a time is complete, and each has its members', async () => {
  const client = await testApp.login();
  const number = await createCustomer(client);
  const names = Array.from({ length: 51 }, (_, index) => `Kor ${String(index).padStart(2, '0')}`);
  const form = (group_name: string) => ({ group_name, customers: [number] });
  for (const name of names) await client.post('/api/customers/groups/create/', form(name));
  const { status, body } = await client.get('/api/customers/groups/');
  expect(status).toBe(200);
  expect(body).toMatchObject(
    names.map((name) => ({
      group_name: name,
      customer_count: 1,
      customers: [{ customer_number: number }],
    })),
  );
});
