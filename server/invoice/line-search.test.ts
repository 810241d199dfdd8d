import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft, line } from '../testing/factories.ts';

let testApp: TestApp;
let client: TestClient;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: '' });
  client = await testApp.login();
  await completeProfile(client);
  customer = await createCustomer(client);
  await invoice(line('Konsulenttime', 1000, 25), line('100 % rabatt_', -10, 0));
  await invoice(line('KONSULENTTIME', 1100.5, 15), line('Kontorleie', 500, 25));
  await invoice(line('Årsavgift', 300, 25), line('Ærfugl', 20, 0), line('Øl', 90, 25));
});
afterAll(async () => testApp.close());

async function invoice(...lines: object[]): Promise<string> {
  return createDraft(client, customer, { invoice_lines: lines });
}

async function find(query: string, { size = 4, who = client } = {}): Promise<unknown[]> {
  const path = `/api/invoices/lines/search/?query=${encodeURIComponent(query)}&size=${size}`;
  const { status, body } = await who.get(path);
  expect(status).toBe(200);
  return body as unknown[];
}

const found = async (query: string) =>
  ((await find(query)) as { description: string }[]).map(({ description }) => description);

test('each description with the prefix is found once, as it was last used', async () => {
  expect(await find('kons')).toEqual([
    { description: 'KONSULENTTIME', net_unit_amount: 1100.5, vat_rate_percentage: 15 },
  ]);
  expect(await found('kon')).toEqual(['Kontorleie', 'KONSULENTTIME']);
  expect(await find('kon', { size: 1 })).toHaveLength(1);
});

test.each([
  ['årsavgift', ['Årsavgift']],
  ['ÆR', ['Ærfugl']],
  ['øl', ['Øl']],
  ['100 %', ['100 % rabatt_']],
  ['%', []],
  ['timer', []],
  ['konsulenttimene', []],
  ['', []],
  ['k'.repeat(200), []],
])('%s', async (query, expected) => {
  expect(await found(query)).toEqual(expected);
});

test('the lines of a deleted draft are not proposed', async () => {
  const uuid = await invoice(line('Skrivefiel', 1, 25));
  expect(await found('skrive')).toEqual(['Skrivefiel']);
  await client.delete(`/api/invoices/${uuid}/`);
  expect(await found('skrive')).toEqual([]);
});

test('the lines of other companies are not proposed', async () => {
  const other = await testApp.login();
  expect(await find('kon', { who: other })).toEqual([]);
});

test('the unit is returned when units are on', async () => {
  const app = await startTestApp({ FEATURES: 'units' });
  try {
    const owner = await app.login();
    await completeProfile(owner);
    const buyer = await createCustomer(owner);
    const hour = { ...line('Konsulenttime', 1000, 25, 1.5), unit: 'HUR' };
    await createDraft(owner, buyer, { invoice_lines: [hour] });
    expect(await find('kon', { who: owner })).toMatchObject([{ unit: 'HUR' }]);
  } finally {
    await app.close();
  }
});
