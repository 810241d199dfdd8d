import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  addQuote,
  completeProfile,
  createCustomer,
  line,
  quoteBody,
} from '../testing/factories.ts';

const clock = vi.hoisted(() => ({ today: '2027-03-01' }));
vi.mock(import('../../domain/date.ts'), async (importOriginal) => ({
  ...(await importOriginal()),
  todayInOslo: () => clock.today,
}));

let testApp: TestApp;
let client: TestClient;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'quotes', DISPATCH: 'staff' });
});
afterAll(async () => testApp.close());

beforeEach(async () => {
  clock.today = '2027-03-01';
  client = await testApp.login();
  await completeProfile(client);
  customer = await createCustomer(client, { name: 'Ørsta Bygg' });
});

describe('a draft', () => {
  // QUO-1, QUO-2, QUO-3
  test('has the values of its form, with the sums of an invoice of the same lines', async () => {
    const lines = [line('Arbeid', 100.1, 25, 3), line('Mat', 33.33, 15)];
    const quote = await addQuote(client, customer, {
      price_kind: 'ESTIMATE',
      valid_until: '2027-02-01',
      lines,
      title: ' Bad ',
      message: 'Hei\r\nder',
    });
    expect(quote).toMatchObject({
      quote_number: null,
      revision: 1,
      state: 'DRAFT',
      sent_state: null,
      customer_number: customer,
      customer_name: 'Ørsta Bygg',
      price_kind: 'ESTIMATE',
      valid_until: '2027-02-01',
      title: 'Bad',
      reference: null,
      message: 'Hei\nder',
      terms: null,
      confirm_by_code: false,
      net_amount: 333.63,
      vat_amount: 80.08,
      gross_amount: 413.71,
      url: null,
      left_net: 0,
      invoices: [],
      deliveries: [],
      version: 1,
      lines: [
        { description: 'Arbeid', invoiced_quantity: 3, net_amount: 300.3, net_left: 0 },
        { description: 'Mat', net_amount: 33.33 },
      ],
    });
    expect((await client.get(`/api/quotes/${quote.uuid}/`)).body).toEqual(quote);
  });

  // QUO-1
  test.each([
    ['unknown customer', { customer_number: 99 }, 'customer_number'],
    ['kind of price', { price_kind: 'CHEAP' }, 'price_kind'],
    ['lines', { lines: [] }, 'lines'],
    ['date', { valid_until: '2027-02-30' }, 'valid_until'],
    ['terms', { terms: 'x'.repeat(4001) }, 'terms'],
    [
      'line',
      { lines: [{ ...line('x', 1, 25), invoiced_quantity: 0 }] },
      'lines[0].invoiced_quantity',
    ],
  ])('is refused for its %s', async (_, changes, field) => {
    const { status, body } = await client.post('/api/quotes/create/', quoteBody(customer, changes));
    expect([status, body.detail[0].field]).toEqual([400, field]);
  });

  // QUO-1
  test('is refused while the profile is incomplete', async () => {
    const fresh = await testApp.login();
    const number = await createCustomer(fresh);
    expect((await fresh.post('/api/quotes/create/', quoteBody(number))).status).toBe(409);
  });

  // QUO-6
  test('has the terms of the profile unless it says otherwise', async () => {
    const change = async (terms?: string | null) =>
      completeProfile(client, terms === undefined ? {} : { default_quote_terms: terms });
    await change('Betaling etter\nbefaring');
    await change();
    expect((await client.get('/api/users/profile/')).body).toMatchObject({
      default_quote_terms: 'Betaling etter\nbefaring',
    });
    expect(await addQuote(client, customer)).toMatchObject({ terms: 'Betaling etter\nbefaring' });
    expect(await addQuote(client, customer, { terms: '' })).toMatchObject({ terms: null });
    expect(await addQuote(client, customer, { terms: 'Egne' })).toMatchObject({ terms: 'Egne' });
    await change('');
    expect(await addQuote(client, customer)).toMatchObject({ terms: null });
  });

  // QUO-4, QUO-22
  test('is changed on the version that was read', async () => {
    const { uuid } = await addQuote(client, customer);
    const url = `/api/quotes/${uuid}/`;
    const other = await createCustomer(client, { name: 'Nordavind' });
    const changed = { ...quoteBody(other, { title: 'Tak' }), version: 1 };
    expect((await client.put(url, quoteBody(other))).status).toBe(400);
    expect((await client.put(url, changed)).body).toMatchObject({
      title: 'Tak',
      customer_name: 'Nordavind',
      version: 2,
    });
    expect((await client.put(url, changed)).status).toBe(409);
    const { body: history } = await client.get(`${url}history/`);
    expect(history.map(({ kind }: { kind: string }) => kind)).toEqual(['CHANGED', 'CREATED']);
    expect(history[0].by.type).toBe('ACCOUNT');
  });

  // QUO-5
  test('is deleted with its history', async () => {
    const { uuid } = await addQuote(client, customer);
    expect((await client.delete(`/api/quotes/${uuid}/`)).status).toBe(204);
    expect((await client.get(`/api/quotes/${uuid}/`)).status).toBe(404);
    expect((await client.get(`/api/quotes/${uuid}/history/`)).status).toBe(404);
  });

  // QUO-7
  test('keeps its customer', async () => {
    const { uuid } = await addQuote(client, customer);
    const refused = await client.delete(`/api/customers/${customer}/`);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('quote')]);
    await client.delete(`/api/quotes/${uuid}/`);
    expect((await client.delete(`/api/customers/${customer}/`)).status).toBe(204);
  });
});

// QUO-21
test.each([
  ['few', 0],
  ['many', 100_000],
])(
  'a search among %s quotes finds each word at its beginning, also of the number',
  async (_, others) => {
    const email = `sok${others}@example.no`;
    client = await testApp.login(email);
    await completeProfile(client);
    customer = await createCustomer(client, { name: 'Ørsta Bygg', email: 'kari@example.no' });
    const first = await addQuote(client, customer, { title: 'Garasje', reference: 'PO-4711' });
    const second = await addQuote(client, customer, { lines: [line('Maling av gjerde', 1, 25)] });
    for (const { uuid } of [first, second]) await client.post(`/api/quotes/${uuid}/send/`, {});
    const { version } = (await client.post(`/api/quotes/${second.uuid}/revise/`, {})).body;
    const { db } = testApp.context;
    await sql`INSERT INTO quote_count VALUES (${await companyIdOf(db, email)}, 'WITHDRAWN', 'NONE', '0001-01-01', ${others}, 0)`.execute(
      db,
    );
    const found = async (query: string) => {
      const { body } = await client.get(`/api/quotes/?query=${encodeURIComponent(query)}`);
      expect(body.count).toBe(body.results.length);
      return body.results.map(({ uuid }: { uuid: string }) => uuid);
    };
    expect(await found('ørsta')).toEqual([second.uuid, first.uuid]);
    expect(await found('gara ørsta')).toEqual([first.uuid]);
    expect(await found('471')).toEqual([first.uuid]);
    expect(await found('GJERDE 2')).toEqual([second.uuid]);
    // A changed draft of a further revision is found by its words alone, and by the number still.
    const changed = { ...quoteBody(customer, { title: 'Bod' }), version };
    expect((await client.put(`/api/quotes/${second.uuid}/`, changed)).status).toBe(200);
    expect(await found('bod 2')).toEqual([second.uuid]);
    expect(await found('gjerde')).toEqual([]);
  },
);

// QUO-20, QUO-21
test('a list has 20 a page, newest first, and finds by words, customer and state', async () => {
  const other = await createCustomer(client, { name: 'Nordavind' });
  const first = await addQuote(client, other, { title: 'Garasje', reference: 'Kari' });
  for (let many = 0; many < 20; many += 1) await addQuote(client, customer);
  const { body: page } = await client.get('/api/quotes/');
  expect(page).toMatchObject({
    count: 21,
    next: '/api/quotes/?page=2',
    previous: null,
    summary: { drafts: 21, sent: 0, expired: 0, accepted: 0, to_invoice: 0 },
  });
  expect(page.results).toHaveLength(20);
  const found = async (query: string) => {
    const { body } = await client.get(`/api/quotes/?${query}`);
    return body.results.map(({ uuid }: { uuid: string }) => uuid);
  };
  expect(await found('page=2')).toEqual([first.uuid]);
  expect(await found('query=nord+gara')).toEqual([first.uuid]);
  expect(await found('query=kari')).toEqual([first.uuid]);
  expect(await found(`customer_number=${other}`)).toEqual([first.uuid]);
  expect(await found('state=DRAFT&page=2')).toEqual([first.uuid]);
  expect(await found('state=EXPIRED')).toEqual([]);
  expect(await found('state=TO_INVOICE')).toEqual([]);
  expect((await client.get('/api/quotes/?state=LATE')).status).toBe(400);
  await client.delete(`/api/quotes/${first.uuid}/`);
  expect((await client.get('/api/quotes/?state=DRAFT')).body).toMatchObject({
    count: 20,
    next: null,
  });
});
