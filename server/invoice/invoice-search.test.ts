import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { COUNTED_MAX } from '../../domain/invoice/invoice.schema.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, invoiceBody, line } from '../testing/factories.ts';

const OWNER = 'mange@example.no';
const MEMBERS = 1500;

let testApp: TestApp;
let client: TestClient;

beforeAll(async () => {
  testApp = await startTestApp();
  client = await testApp.login(OWNER);
  await completeProfile(client);
  const companyId = await companyIdOf(testApp.context.db, OWNER);
  await sql`
    INSERT INTO customer (company_id, customer_number, name, search_text)
    SELECT ${companyId}, n, 'Medlem ' || n, ' medlem ' || n || ' ' || n
    FROM generate_series(1, ${MEMBERS}::integer) n`.execute(testApp.context.db);
  const numbers = Array.from({ length: MEMBERS }, (_, index) => index + 1);
  const body = invoiceBody(numbers, { invoice_lines: [line('Kontingent', 100, 0)] });
  expect((await client.post('/api/invoices/create/', body)).status).toBe(201);
});
afterAll(async () => testApp.close());

interface Page {
  readonly count: number;
  readonly next: string | null;
  readonly results: readonly {
    uuid: string;
    customer_number: number;
    invoice_number: number | null;
  }[];
}

async function search(parameters: string): Promise<Page> {
  const { status, body } = await client.get(`/api/invoices/?${parameters}`);
  expect(status).toBe(200);
  return body as Page;
}

describe('a search of drafts', () => {
  test('searches the drafts of all customers', async () => {
    const found = await search('query=medlem');
    expect(found).toMatchObject({ count: MEMBERS, next: '/api/invoices/?page=2&query=medlem' });
    expect(found.results.map((draft) => draft.customer_number)).toEqual(
      Array.from({ length: 20 }, (_, index) => MEMBERS - index),
    );
    const last = await search(`query=medlem&page=${MEMBERS / 20}`);
    expect(last.next).toBeNull();
    expect(last.results.at(-1)?.customer_number).toBe(1);
  });

  test.each([742, 1043, MEMBERS])('finds the one of customer %i', async (number) => {
    const found = await search(`query=medlem+${number}+medlem&status=DRAFT`);
    expect(found.results.map((draft) => draft.customer_number)).toContain(number);
  });

  test('respects the status filter', async () => {
    expect(await search('query=medlem&status=DRAFT')).toMatchObject({ count: MEMBERS });
    expect(await search('query=medlem&status=REGISTERED')).toMatchObject({ count: 0, results: [] });
  });

  test('shows drafts before registered invoices, each once', async () => {
    const { results } = await search('query=medlem');
    const [first] = results;
    await client.post(`/api/invoices/queue/?invoice_uuid=${first?.uuid}`);
    expect(await search('query=medlem')).toMatchObject({ count: MEMBERS });
    const all = await search(`query=medlem&page=${MEMBERS / 20}`);
    expect(all.results.at(-1)).toMatchObject({ customer_number: MEMBERS, invoice_number: 1 });
    expect(await search('query=medlem&status=REGISTERED')).toMatchObject({ count: 1 });
  });
});

test('counts to 10,000 (INV-29)', async () => {
  const { db } = testApp.context;
  const companyId = await companyIdOf(db, OWNER);
  const drafts = sql`
    INSERT INTO invoice (company_id, customer_id, delivery_type, issue_date, due_days,
      delivery_date, net_amount, vat_amount, gross_amount)
    SELECT ${companyId}, id, 'NONE', '2026-01-01', 1, '2026-01-01', 0, 0, 0
    FROM customer CROSS JOIN generate_series(1, 6) WHERE company_id = ${companyId}`;
  // In a transaction, whose statements have a longer limit, for a busy machine.
  await db.transaction().execute(async (trx) => drafts.execute(trx));
  expect((await client.get('/api/invoices/')).body.count).toBe(7 * MEMBERS);
  expect(await search('query=medlem')).toMatchObject({ count: COUNTED_MAX });
});
