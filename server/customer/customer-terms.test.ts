import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { createCustomer, CUSTOMER } from '../testing/factories.ts';

// The optional fields of a customer (CUS-12 to CUS-17).

let testApp: TestApp;
let client: TestClient;
let owners = 0;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(async () => testApp.close());
beforeEach(async () => {
  owners += 1;
  client = await testApp.login(`vilkar${owners}@example.no`);
});

const TERMS = {
  country: 'SE',
  contact_name: 'Åse Ærlig',
  invoice_emails: ['regnskap@kunde.no', 'post@xn--bjrnsrud-64a.no'],
  reference: 'Avdeling 7',
  due_days: 30,
  delivery_type: 'EMAIL',
  is_private: true,
};
const PERSON = { name: 'Kari Dal', ...TERMS };

// CUS-13
test('are kept as they are given, and cleared by a change without them', async () => {
  const given = {
    ...PERSON,
    country: 'se',
    // In another form, and twice.
    invoice_emails: [' REGNSKAP@kunde.no', 'post@bjørnsrud.no', 'regnskap@kunde.no'],
  };
  const created = await client.post('/api/customers/create/', given);
  expect(created).toMatchObject({ status: 201, body: { ...PERSON, version: 1 } });
  const url = `/api/customers/${(created.body as { customer_number: number }).customer_number}/`;
  expect((await client.get(url)).body).toEqual(created.body);
  expect((await client.get('/api/customers/search/?query=kari')).body).toEqual([created.body]);

  const changed = await client.put(`${url}update/`, { ...PERSON, due_days: 10, version: 1 });
  expect(changed.body).toMatchObject({ ...PERSON, due_days: 10, version: 2 });
  const cleared = await client.put(`${url}update/`, { name: 'Kari Dal' });
  expect(cleared.body).toMatchObject({
    country: 'NO',
    contact_name: null,
    invoice_emails: [],
    reference: null,
    due_days: null,
    delivery_type: null,
    is_private: false,
    version: 3,
  });
});

// CUS-15
test('a private person has neither organisation number nor EHF', async () => {
  const faults = [
    [{ org_number: '974760673' }, 'org_number', 'org_number is not for a private person'],
    [{ delivery_type: 'EHF' }, 'delivery_type', 'delivery_type cannot be EHF for a private person'],
  ] as const;
  const number = await createCustomer(client);
  for (const [changes, field, message] of faults) {
    const body = { ...PERSON, ...changes };
    const refusal = { status: 400, body: { detail: [{ field, message }] } };
    expect(await client.post('/api/customers/create/', body)).toMatchObject(refusal);
    expect(await client.put(`/api/customers/${number}/update/`, body)).toMatchObject(refusal);
  }
  // Beside other faults too.
  const both = { ...PERSON, name: '', org_number: '974760673' };
  expect(await client.post('/api/customers/create/', both)).toMatchObject({
    status: 400,
    body: { detail: [{ field: 'name' }, { field: 'org_number' }] },
  });
});

test('are imported, and an empty field of a row keeps what is stored', async () => {
  const created = await client.post('/api/customers/create/', PERSON);
  const before = created.body as { customer_number: number };
  const { customer_number } = before;
  const importRows = async (rows: object[], rest = {}) =>
    client.post('/api/customers/import/', { rows, ...rest });
  const kept = { ...TERMS, country: '', invoice_emails: [], is_private: null };
  const rows = [
    { customer_number, ...kept, contact_name: 'Ola', due_days: null },
    { name: 'Ny', country: 'dk', invoice_emails: ['a@b.no'], is_private: false, due_days: 7 },
    { name: 'Uten' },
  ];
  expect((await importRows(rows)).body).toMatchObject({
    created: 2,
    known: [{ changes: ['contact_name'] }],
    faults: [],
  });
  expect((await client.get('/api/customers/')).body).toMatchObject([
    { ...before, contact_name: 'Ola', version: 2 },
    { name: 'Ny', country: 'DK', invoice_emails: ['a@b.no'], is_private: false, due_days: 7 },
    { name: 'Uten', country: 'NO', invoice_emails: [], is_private: false },
  ]);
});

// CUS-15
test('an import makes no private person with an organisation number', async () => {
  const business = await createCustomer(client);
  await client.post('/api/customers/create/', PERSON);
  const rows = [
    { customer_number: business, is_private: true },
    { customer_number: business + 1, org_number: '974760673' },
    { name: 'Ny', org_number: '923609016', is_private: true },
    { name: 'Rett', is_private: true },
  ];
  const answer = await client.post('/api/customers/import/', { rows });
  expect(answer).toMatchObject({
    status: 400,
    body: {
      faults: [
        { row: 1, field: 'is_private' },
        { row: 2, field: 'is_private' },
        { row: 3, field: 'org_number', message: 'org_number is not for a private person' },
      ],
    },
  });
  const unchanged = { rows: rows.slice(0, 2), update_known: false };
  expect((await client.post('/api/customers/import/', unchanged)).body).toMatchObject({
    created: 0,
    updated: 0,
    faults: [],
  });
  expect((await client.get(`/api/customers/${business}/`)).body).toMatchObject(CUSTOMER);
});
