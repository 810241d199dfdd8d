import { afterAll, beforeAll, expect, test } from 'vitest';

import { todayInOslo } from '../../domain/date.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';

let testApp: TestApp;
let client: TestClient;
let customers: [number, number];

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff', FEATURES: 'payments' });
  client = await testApp.login('kunder@example.no');
  await completeProfile(client);
  customers = [await createCustomer(client), await createCustomer(client, { name: 'En annen' })];
});
afterAll(async () => testApp.close());

async function numbersOf(path: string): Promise<unknown[]> {
  const { status, body } = await client.get(path);
  expect(status).toBe(200);
  const { results } = body as { results: { invoice_number: number | null }[] };
  return results.map(({ invoice_number }) => invoice_number);
}

test('the invoices of one customer are listed by page and filtered by status', async () => {
  const [one, other] = customers;
  for (const customer of [one, other, one]) {
    await register(client, await createDraft(client, customer));
  }
  await createDraft(client, one);
  expect(await numbersOf(`/api/invoices/?customer_number=${one}`)).toEqual([null, 3, 1]);
  expect(await numbersOf(`/api/invoices/?customer_number=${other}`)).toEqual([2]);
  expect(await numbersOf(`/api/invoices/?customer_number=${one}&status=DRAFT`)).toEqual([null]);
  expect(await numbersOf(`/api/invoices/?customer_number=${one}&query=annen`)).toEqual([]);
  expect(await numbersOf('/api/invoices/?customer_number=404')).toEqual([]);
  expect((await client.get('/api/invoices/?customer_number=x')).status).toBe(400);

  // Only registered invoices have an amount due.
  const { body: open } = await client.get('/api/invoices/3/');
  const due = (open as { amount_due: number }).amount_due;
  expect(await numbersOf(`/api/invoices/?amount_due=${due}`)).toEqual([3, 2, 1]);
  expect(await numbersOf(`/api/invoices/?amount_due=${due}&query=annen`)).toEqual([2]);
  expect(await numbersOf(`/api/invoices/?amount_due=${(due + 0.01).toFixed(2)}`)).toEqual([]);
  expect((await client.get('/api/invoices/?amount_due=1e3')).status).toBe(400);

  for (let made = 0; made < 20; made++) await createDraft(client, other);
  const { body } = await client.get(`/api/invoices/?customer_number=${other}`);
  const next = `/api/invoices/?page=2&customer_number=${other}`;
  expect(body).toMatchObject({ count: 21, next });
  expect(await numbersOf(next)).toEqual([2]);
});

// PAY-8
test('the credit of a customer is listed without that of others', async () => {
  const [one, other] = customers;
  for (const customer of customers) {
    const uuid = await createDraft(client, customer);
    await register(client, uuid);
    const paid = { invoice_uuid: uuid, amount: 100, date: todayInOslo() };
    expect((await client.post('/api/payments/', paid)).status).toBe(201);
    expect((await client.delete(`/api/invoices/${uuid}/?expect=REGISTERED`)).status).toBe(204);
  }
  const creditOf = async (customer: number) =>
    (await client.get(`/api/payments/?state=UNPLACED&customer_number=${customer}`)).body;
  const mine = await creditOf(one);
  expect(mine).toMatchObject({ count: 1, results: [{ amount: 100, customer_number: one }] });
  const [credit] = mine.results as [{ uuid: string }];
  expect((await client.post(`/api/payments/${credit.uuid}/refund/`)).status).toBe(200);
  expect(await creditOf(one)).toMatchObject({ count: 0, results: [] });
  const refundedOf = async (customer: number) =>
    (await client.get(`/api/payments/?state=REFUNDED&customer_number=${customer}`)).body;
  expect(await refundedOf(one)).toMatchObject({ count: 1, results: [{ uuid: credit.uuid }] });
  expect(await refundedOf(other)).toMatchObject({ count: 0 });
  const [refund] = (await client.get(`/api/payments/?customer_number=${one}`)).body.results;
  expect(refund).toMatchObject({ kind: 'REFUND', amount: -100, undoes: credit.uuid });
  expect(await creditOf(other)).toMatchObject({ count: 1, results: [{ customer_number: other }] });
  expect(await creditOf(404)).toMatchObject({ count: 0 });
});

// CUS-8
test('a customer with credit cannot be deleted until the credit is placed or refunded', async () => {
  const number = await createCustomer(client, { name: 'Til gode AS' });
  const uuid = await createDraft(client, number);
  await register(client, uuid);
  const paid = { invoice_uuid: uuid, amount: 100.5, date: todayInOslo() };
  await client.post('/api/payments/', paid);
  await client.delete(`/api/invoices/${uuid}/?expect=REGISTERED`);
  const path = `/api/customers/${number}/`;
  expect(await client.delete(path)).toMatchObject({
    status: 409,
    body: {
      detail: [{ message: 'The customer has 100.50 kr in credit; place or refund it first' }],
    },
  });
  expect((await client.get(path)).body).toMatchObject({ credit: 100.5 });
  const unplaced = `/api/payments/?state=UNPLACED&customer_number=${number}`;
  const [credit] = (await client.get(unplaced)).body.results as { uuid: string }[];
  await client.post(`/api/payments/${credit?.uuid}/refund/`);
  expect((await client.delete(path)).status).toBe(204);
});
