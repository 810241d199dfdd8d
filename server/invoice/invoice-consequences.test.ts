import { afterAll, beforeAll, expect, test } from 'vitest';

import { COUNTED_MAX } from '../../domain/invoice/invoice.schema.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  line,
  register,
} from '../testing/factories.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff' });
});
afterAll(async () => testApp.close());

async function seller(email?: string): Promise<TestClient> {
  const client = await testApp.login(email);
  await completeProfile(client);
  return client;
}

async function queueable(client: TestClient): Promise<unknown> {
  return (await client.get('/api/invoices/')).body.summary.queueable;
}

// INV-30
test('the list predicts what registering all drafts does', async () => {
  const client = await seller();
  expect(await queueable(client)).toEqual({ drafts: 0, emails: 0, gross_amount: 0 });
  const withAddress = await createCustomer(client);
  const without = await createCustomer(client, { email: '' });
  // 173.46 kroner each.
  await createDraft(client, withAddress);
  await createDraft(client, withAddress, { delivery_type: 'EMAIL' });
  await createDraft(client, without);
  // These stay drafts.
  await createDraft(client, without, { delivery_type: 'EMAIL' });
  await createDraft(client, withAddress, { delivery_type: 'EHF' });
  await createDraft(client, withAddress, { invoice_lines: [line('Rabatt', -50, 25)] });
  expect(await queueable(client)).toEqual({ drafts: 3, emails: 1, gross_amount: 520.38 });
  // An address that is added later counts at once.
  await client.put(`/api/customers/${without}/update/`, { name: 'Ny', email: 'ny@example.no' });
  expect(await queueable(client)).toEqual({ drafts: 4, emails: 2, gross_amount: 693.84 });

  const other = await seller();
  expect(await queueable(other)).toEqual({ drafts: 0, emails: 0, gross_amount: 0 });

  const { body } = await client.post('/api/invoices/queue/');
  expect(body.registered).toHaveLength(4);
  expect(body.skipped).toHaveLength(2);
  expect(await queueable(client)).toEqual({ drafts: 0, emails: 0, gross_amount: 0 });
});

// INV-30
test('the list predicts nothing when there are more drafts than it examines', async () => {
  const client = await seller('mange@example.no');
  const customer = await createCustomer(client);
  await createDraft(client, customer);
  const { db } = testApp.context;
  const companyId = await companyIdOf(db, 'mange@example.no');
  const count = async (drafts: number) =>
    db.updateTable('invoiceCount').set({ drafts }).where('companyId', '=', companyId).execute();
  await count(COUNTED_MAX + 1);
  expect(await queueable(client)).toBeNull();
  await count(COUNTED_MAX);
  expect(await queueable(client)).toEqual({ drafts: 1, emails: 0, gross_amount: 173.46 });
});

// INV-27
test('an invoice is deleted only if its status is the one the caller expects', async () => {
  const client = await seller();
  const customer = await createCustomer(client);
  const uuid = await createDraft(client, customer);
  const remove = async (expected: string) =>
    client.delete(`/api/invoices/${uuid}/?expect=${expected}`);
  const changed = (status: string) => ({
    detail: [{ message: `The status has changed to ${status} meanwhile` }],
  });
  expect((await remove('CANCELLED')).status).toBe(400);
  expect(await remove('PAID')).toMatchObject({ status: 409, body: changed('DRAFT') });
  expect(await remove('REGISTERED')).toMatchObject({ status: 409, body: changed('DRAFT') });
  const number = await register(client, uuid);
  expect(await remove('DRAFT')).toMatchObject({ status: 409, body: changed('REGISTERED') });
  const { body: page } = await client.get('/api/invoices/');
  expect(page).toMatchObject({ count: 1, results: [{ status: 'REGISTERED' }] });
  expect((await remove('REGISTERED')).status).toBe(204);
  expect((await client.get(`/api/invoices/${number}/`)).body.status).toBe('CANCELLED');

  const draft = await createDraft(client, customer);
  expect((await client.delete(`/api/invoices/${draft}/?expect=DRAFT`)).status).toBe(204);
  expect((await client.get(`/api/invoices/${draft}/`)).status).toBe(404);
});
