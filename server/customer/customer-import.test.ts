import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { toSnakeKey } from '../../domain/api/case.ts';
import { IMPORTED_FIELDS } from '../../domain/customer/customer-import.schema.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { Answer, TestClient } from '../testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  createGroup,
  PROFILE,
} from '../testing/factories.ts';

const URL = '/api/customers/import/';
const NOBODY = { email: null, org_number: null };

let testApp: TestApp;
let client: TestClient;
let owners = 0;

beforeAll(async () => {
  testApp = await startTestApp({ LOGIN_LIMIT_PER_IP: '1000000', FEATURES: 'vat,einvoice' });
});
afterAll(async () => testApp.close());
beforeEach(async () => {
  owners += 1;
  client = await testApp.login(`eier${owners}@example.no`);
});

async function tryRows(rows: object[], rest: object = {}): Promise<Answer> {
  return client.post(`${URL}?dry_run=true`, { rows, ...rest });
}

async function importRows(rows: object[], rest: object = {}): Promise<Answer> {
  return client.post(URL, { rows, ...rest });
}

interface Customer {
  customer_number: number;
  name: string;
  version: number;
}

async function customers(who = client): Promise<Customer[]> {
  return (await who.get('/api/customers/')).body as Customer[];
}

async function numbersByName(): Promise<Record<string, number>> {
  const all = await customers();
  return Object.fromEntries(all.map(({ name, customer_number }) => [name, customer_number]));
}

const isSet = (value: unknown) => value !== null && value !== undefined && value !== '';

describe('rows', () => {
  // CUS-5, IMP-7
  test('take numbers as a form and the API take them, and cells as a spreadsheet meant them', async () => {
    const pasted = {
      org_number: '\u202ANO 974 760 673 MVA\u202C',
      phone_number: '+47\u00A0912 34\u200B 567',
      email: '\uFEFFpost@kaia.no\u200B',
      postal_code: '\u200B0150',
    };
    const meant = {
      org_number: '974760673',
      phone_number: '91234567',
      email: 'post@kaia.no',
      postal_code: '0150',
    };
    const made = await client.post('/api/customers/create/', { name: 'Kaia AS', ...pasted });
    expect(made).toMatchObject({ status: 201, body: meant });
    const number = (made.body as Customer).customer_number;
    const marks = { address1: "'12", postal_code: '="0150"', org_number: '="974760673"' };
    const rows = [
      { ...marks, customer_number: number, phone_number: '91234567.0' },
      {
        name: 'Ola',
        postal_code: "'0150",
        org_number: '\u202A123456785',
        phone_number: '+4722334455',
      },
    ];
    expect((await importRows(rows)).body).toMatchObject({ created: 1, updated: 1, faults: [] });
    const stored = (await client.get('/api/customers/')).body;
    expect(stored).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...meant, address1: '12' }),
        expect.objectContaining({
          name: 'Ola',
          postal_code: '0150',
          org_number: '123456785',
          phone_number: '22334455',
        }),
      ]),
    );
    const bank = { bank_account_number: '\u202A8601.11.17947\u202C', is_primary: true };
    const company = {
      ...PROFILE,
      org_number: 'NO 974 760 673 MVA',
      billing_postal_code: '\u200B0150',
      bank_accounts: [bank],
    };
    expect(await client.post('/api/users/update/', company)).toMatchObject({
      status: 200,
      body: {
        org_number: '974760673',
        billing_postal_code: '0150',
        bank_accounts: [{ bank_account_number: '86011117947' }],
      },
    });
    // Neither is longer or shorter than it looks.
    const short = { name: 'Kort', org_number: '97476067\u200B', phone_number: '1234567\u200B' };
    expect(await client.post('/api/customers/create/', short)).toMatchObject({
      status: 400,
      body: {
        detail: [
          { message: 'org_number must be exactly 9 characters' },
          { message: 'phone_number must be exactly 8 characters' },
        ],
      },
    });
  });

  // IMP-1
  test('become customers with the next numbers, in their order', async () => {
    await createCustomer(client);
    const rows = [
      { name: ' Åse Ærlig ', email: 'ASE@Bjørnsrud.no', postal_code: '0150', city: 'Oslo' },
      { name: 'Ola', customer_number: 40, org_number: '', phone_number: '91234567' },
      { name: 'Kari', address1: 'Kaia 2', address2: '3. etasje', unknown: true },
    ];
    expect(await tryRows(rows)).toMatchObject({
      status: 200,
      body: { created: 3, updated: 0, faults: [], known: [], group_uuid: null },
    });
    expect(await customers()).toHaveLength(1);
    expect(await importRows(rows)).toMatchObject({ status: 200, body: { created: 3, updated: 0 } });
    // Explicit numbers first, so that no other customer gets one of them automatically.
    expect(await numbersByName()).toEqual({
      'Ørsta Båt AS': 1,
      'Åse Ærlig': 41,
      Ola: 40,
      Kari: 42,
    });
    expect((await client.get('/api/customers/41/')).body).toEqual({
      customer_number: 41,
      name: 'Åse Ærlig',
      email: 'ase@xn--bjrnsrud-64a.no',
      org_number: null,
      phone_number: null,
      address1: null,
      address2: null,
      postal_code: '0150',
      city: 'Oslo',
      country: 'NO',
      contact_name: null,
      invoice_emails: [],
      reference: null,
      due_days: null,
      delivery_type: null,
      is_private: false,
      vat_number: null,
      ehf_first: true,
      version: 1,
    });
    expect(await createCustomer(client)).toBe(43);
    expect((await client.get('/api/customers/search/?query=bjørnsrud')).body).toHaveLength(1);
  });

  // IMP-3, IMP-4, IMP-9
  test('are judged one by one, and nothing is written if one has a fault', async () => {
    await createCustomer(client, { ...NOBODY, name: 'Kjent' });
    const rows = [
      { name: 'Riktig' },
      { email: 'ola@', org_number: '12345678', phone_number: '1234567' },
      { name: 'x'.repeat(256), customer_number: 10_000_000 },
      { name: 'Linje\u0000skift', customer_number: 'ti' },
      { customer_number: 1, city: 'Bergen' },
      {},
      { name: 'Kort', customer_number: '7,03801E+12', reference: '7,03801E+12' },
    ];
    const faults = [
      [2, 'email', 'email must be a valid email'],
      [2, 'name', 'name is a required field'],
      [2, 'org_number', 'org_number must be exactly 9 characters'],
      [2, 'phone_number', 'phone_number must be exactly 8 characters'],
      [3, 'customer_number', 'customer_number must be less than or equal to 9999999'],
      [3, 'name', 'name must be at most 255 characters'],
      [4, 'customer_number', 'customer_number must be a number'],
      [4, 'name', 'name must not contain control characters'],
      [6, 'name', 'name is a required field'],
      [7, 'customer_number', 'customer_number must be a number'],
      [7, 'reference', 'reference was shortened by a spreadsheet, and lacks its last digits'],
    ].map(([row, field, message]) => ({ row, field, message, repeats: null }));
    const inOrder = (answer: Answer) =>
      (answer.body as { faults: typeof faults }).faults.toSorted((left, right) =>
        `${left.row} ${left.field}`.localeCompare(`${right.row} ${right.field}`),
      );
    const tried = await tryRows(rows);
    expect(tried).toMatchObject({ status: 200, body: { created: 1, updated: 1 } });
    expect(inOrder(tried)).toEqual(faults);
    const refused = await importRows(rows);
    expect(refused).toMatchObject({
      status: 400,
      body: { detail: [{ field: 'rows', message: 'Nothing was imported: 5 rows have faults' }] },
    });
    expect(inOrder(refused)).toEqual(faults);
    expect(await numbersByName()).toEqual({ Kjent: 1 });
    expect(await createCustomer(client, { name: 'Neste' })).toBe(2);
  });

  // IMP-1
  test('can be from one to ten thousand, and a body of eight megabytes', async () => {
    const many = (count: number, name: string) => Array.from({ length: count }, () => ({ name }));
    expect(await importRows([])).toMatchObject({
      status: 400,
      body: { detail: [{ message: 'rows field must have at least 1 items' }] },
    });
    expect(await tryRows(many(10_001, 'A'))).toMatchObject({
      status: 400,
      body: { detail: [{ message: 'rows field must have less than or equal to 10000 items' }] },
    });
    // More than the body of another call may have.
    expect(await tryRows(many(10_000, 'x'.repeat(200)))).toMatchObject({
      status: 200,
      body: { created: 10_000 },
    });
    expect((await tryRows(many(10_000, 'x'.repeat(900)))).status).toBe(413);
    expect((await client.post(URL, { rows: ['Ola'] })).status).toBe(400);
  });
});

describe('an existing customer', () => {
  // IMP-2, IMP-5
  test('is found by number, else by organisation number, else by an address that only it has', async () => {
    await createCustomer(client, { name: 'En', email: 'en@example.no', org_number: '974760673' });
    await createCustomer(client, { ...NOBODY, name: 'To', email: 'felles@example.no' });
    await createCustomer(client, { ...NOBODY, name: 'Tre', email: 'felles@example.no' });
    await createCustomer(client, { ...NOBODY, name: 'Fire', email: 'fire@example.no' });
    const rows = [
      // Its own number, but another customer's address.
      { customer_number: 2, email: 'fire@example.no' },
      { org_number: '974760673', name: 'En AS', email: 'ny@example.no' },
      { email: 'FIRE@example.no', phone_number: '91234567' },
      { name: 'Fem', email: 'felles@example.no' },
      // A different number is a different customer, even with a shared family address.
      { name: 'Seks', customer_number: 6, email: 'fire@example.no' },
    ];
    const known = [
      { row: 1, customer_number: 2, name: 'To', changes: ['email'] },
      { row: 2, customer_number: 1, name: 'En', changes: ['name', 'email'] },
      { row: 3, customer_number: 4, name: 'Fire', changes: ['phone_number'] },
    ];
    const answer = { created: 2, updated: 3, faults: [], known, group_uuid: null };
    expect((await tryRows(rows)).body).toEqual(answer);
    expect((await importRows(rows)).body).toEqual(answer);
    expect(await numbersByName()).toEqual({ 'En AS': 1, To: 2, Tre: 3, Fire: 4, Fem: 7, Seks: 6 });
  });

  // IMP-2
  test('keeps the values of empty fields, and is not saved when nothing changes', async () => {
    await createCustomer(client, {
      phone_number: '91234567',
      address2: 'Bygg B',
      country: 'SE',
      contact_name: 'Kari',
      invoice_emails: ['post@example.no'],
      reference: 'Avd. 3',
      due_days: 30,
      delivery_type: 'EMAIL',
      vat_number: 'SE556012579001',
      ehf_first: false,
    });
    const before = (await client.get('/api/customers/1/')).body as Customer;
    const filled = new Map(Object.entries(before));
    expect(IMPORTED_FIELDS.filter((field) => !isSet(filled.get(toSnakeKey(field))))).toEqual([]);
    const rows = [{ customer_number: 1, name: '', city: 'Volda', email: null }];
    await importRows(rows);
    const after = { ...before, city: 'Volda', version: 2 };
    expect((await client.get('/api/customers/1/')).body).toEqual(after);
    expect((await importRows(rows)).body).toMatchObject({ updated: 1, known: [{ changes: [] }] });
    expect((await client.get('/api/customers/1/')).body).toEqual(after);
  });

  // IMP-2
  test('can be left unchanged', async () => {
    await createCustomer(client, { name: 'Før' });
    const group = await createGroup(client, []);
    const rest = { update_known: false, group_uuid: group };
    const { body } = await importRows([{ customer_number: 1, name: 'Etter' }], rest);
    expect(body).toMatchObject({ created: 0, updated: 0, group_uuid: group });
    expect(await numbersByName()).toEqual({ Før: 1 });
    expect((await client.get(`/api/customers/groups/${group}/`)).body.customer_count).toBe(1);
    // An empty value counts as absent.
    for (const empty of [null, '']) {
      const stated = await importRows([{ customer_number: 1, name: 'Etter' }], {
        update_known: empty,
      });
      expect(stated.body).toMatchObject({ updated: 1 });
    }
  });

  test('is found under its new name, also through its drafts', async () => {
    await completeProfile(client);
    await createDraft(client, await createCustomer(client, { name: 'Gammelt navn' }));
    await importRows([{ customer_number: 1, name: 'Nytt navn' }]);
    const found = async (query: string) =>
      (await client.get(`/api/invoices/?query=${query}`)).body.results.map(
        ({ customer_name }: { customer_name: string }) => customer_name,
      );
    expect([await found('nytt'), await found('gammelt')]).toEqual([['Nytt navn'], []]);
    expect((await client.get('/api/customers/search/?query=nytt')).body).toHaveLength(1);
  });

  test('of another company is not found', async () => {
    const other = await testApp.login('annen@example.no');
    await createCustomer(other, { name: 'Andres' });
    const group = await createGroup(other, [1]);
    const row = { customer_number: 1, name: 'Min', org_number: '974760673' };
    expect((await importRows([row])).body).toMatchObject({ created: 1, updated: 0, known: [] });
    expect(await customers(other)).toMatchObject([{ name: 'Andres', version: 1 }]);
    for (const send of [tryRows, importRows]) {
      expect(await send([{ name: 'Ny' }], { group_uuid: group })).toMatchObject({
        status: 400,
        body: { detail: [{ field: 'group_uuid' }] },
      });
    }
    expect(await numbersByName()).toEqual({ Min: 1 });
  });
});

describe('rows that repeat others', () => {
  // IMP-3
  test.each([
    [
      'a number',
      { customer_number: 7, name: 'A' },
      { customer_number: 7, name: 'B' },
      'customer_number',
    ],
    [
      'a known number',
      { customer_number: 1 },
      { customer_number: 1, city: 'Oslo' },
      'customer_number',
    ],
    ['a known customer', { customer_number: 1 }, { org_number: '974760673' }, 'org_number'],
    ['a known address', { customer_number: 1 }, { email: 'kunde@example.no', name: 'B' }, 'email'],
    [
      'a new organisation number',
      { org_number: '923609016', name: 'A' },
      { org_number: '923609016', name: 'B', customer_number: 9 },
      'org_number',
    ],
  ])('%s are a fault', async (_, first, second, field) => {
    await createCustomer(client);
    const rows = [first, { name: 'Mellom' }, second];
    expect((await tryRows(rows)).body).toMatchObject({ faults: [{ row: 3, field, repeats: 1 }] });
    expect((await importRows(rows)).status).toBe(400);
    expect(await customers()).toHaveLength(1);
  });

  test('with one organisation number or address are not repeats when both have numbers', async () => {
    const rows = [
      { customer_number: 1, org_number: '974760673', name: 'A', email: 'a@example.no' },
      { customer_number: 2, org_number: '974760673', name: 'B', email: 'a@example.no' },
      { name: 'C', email: 'a@example.no' },
    ];
    expect((await importRows(rows)).body).toMatchObject({ created: 3, faults: [] });
    const { body } = await tryRows([{ org_number: '974760673', name: 'C' }]);
    expect(body.faults).toEqual([
      {
        row: 1,
        field: 'org_number',
        message: 'More than one customer has this org_number; give the row a customer_number',
        repeats: null,
      },
    ]);
  });
});

describe('numbers', () => {
  test('are the lowest free ones when too few are left after the highest', async () => {
    await createCustomer(client, { customer_number: 9_999_998 });
    const rows = [
      { name: 'Anne' },
      { name: 'Bo' },
      { name: 'Cato', customer_number: 2 },
      { name: 'Dina' },
    ];
    expect(await tryRows(rows)).toMatchObject({ status: 200, body: { created: 4, faults: [] } });
    expect((await importRows(rows)).status).toBe(200);
    expect(await numbersByName()).toMatchObject({ Anne: 9_999_999, Bo: 1, Cato: 2, Dina: 3 });
    expect((await importRows([{ name: 'Espen' }])).status).toBe(200);
    expect(await numbersByName()).toMatchObject({ Espen: 4 });
  });

  test('of two concurrent imports, and of customers made meanwhile, are unique and without gaps', async () => {
    const rowsOf = (name: string) =>
      Array.from({ length: 300 }, (_, index) => ({ name: `${name} ${index}` }));
    const answers = await Promise.all([
      importRows(rowsOf('A')),
      importRows(rowsOf('B')),
      ...Array.from({ length: 5 }, async () =>
        client.post('/api/customers/create/', { name: 'C' }),
      ),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 201, 201, 201, 201]);
    const numbers = (await customers()).map((customer) => customer.customer_number);
    expect(numbers).toEqual(Array.from({ length: 605 }, (_, index) => index + 1));
  });

  test('given explicitly in two concurrent imports make one customer', async () => {
    const rows = [{ name: 'Samme', customer_number: 5, email: 'samme@example.no' }];
    const answers = await Promise.all([importRows(rows), importRows(rows)]);
    const counts = answers.map(({ body }) => `${body.created} new, ${body.updated} known`);
    expect(counts.toSorted()).toEqual(['0 new, 1 known', '1 new, 0 known']);
    expect(await customers()).toHaveLength(1);
  });
});

// IMP-6
describe('a group', () => {
  test('gets the new and the existing customers beside its members', async () => {
    await createCustomer(client, { ...NOBODY, name: 'Medlem' });
    await createCustomer(client, { ...NOBODY, name: 'Kjent' });
    const group = await createGroup(client, [1]);
    const rows = [{ customer_number: 2 }, { name: 'Ny' }, { customer_number: 1 }];
    expect((await tryRows(rows, { group_uuid: group })).body.group_uuid).toBe(group);
    expect((await importRows(rows, { group_uuid: group })).body.group_uuid).toBe(group);
    const { body } = await client.get(`/api/customers/groups/${group}/`);
    expect(body).toMatchObject({ customer_count: 3, version: 2 });
    // A form read before cannot save the group without them.
    const late = { group_name: 'Medlemmer', customers: [1], version: 1 };
    expect((await client.post(`/api/customers/groups/${group}/update/`, late)).status).toBe(409);
  });

  test('can be made by the import, and is not made when the import is refused', async () => {
    const groups = async () => (await client.get('/api/customers/groups/')).body;
    const rest = { group_name: 'Klubben' };
    await tryRows([{ name: 'Ny' }], rest);
    await importRows([{ name: '' }], rest);
    expect(await groups()).toEqual([]);
    const { body } = await importRows([{ name: 'Ny' }, { name: 'Nyere' }], rest);
    expect(await groups()).toMatchObject([
      { uuid: body.group_uuid, group_name: 'Klubben', customer_count: 2 },
    ]);
  });
});

test('a refusal is in Norwegian for a caller that asks for it', async () => {
  const rows = [
    { name: 'A', customer_number: 1 },
    { name: 'B', customer_number: 1 },
  ];
  const { body } = await client.send({
    method: 'POST',
    url: URL,
    payload: { rows },
    headers: { 'accept-language': 'nb' },
  });
  expect(body).toMatchObject({
    detail: [{ message: 'Ingenting er importert: 1 rad har feil' }],
    faults: [{ row: 2, message: 'Kundenummeret står også på en tidligere rad' }],
  });
});

test('only one large body of a company is read at a time, and each is read in turn', async () => {
  const port = await testApp.app.listen();
  const payload = JSON.stringify({ rows: [{ name: 'Ny' }], group_name: PROFILE.company_name });
  const send = async () =>
    fetch(`http://127.0.0.1:${port}${URL}`, {
      method: 'POST',
      headers: { cookie: client.cookieHeader, 'content-type': 'application/json' },
      body: payload,
    });
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await send()).status));
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  expect(await customers()).toHaveLength(5);
});
