import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { todayInOslo } from '../../domain/date.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  completeProfile,
  createGroup,
  createTemplate,
  invoiceBody,
  line,
} from '../testing/factories.ts';

const OWNER = 'laget@example.no';
const MEMBERS = 250;

let testApp: TestApp;
let client: TestClient;
let everybody: string;

beforeAll(async () => {
  testApp = await startTestApp();
  client = await testApp.login(OWNER);
  await completeProfile(client);
  await addMembers(OWNER, MEMBERS);
  everybody = await createGroup(client, numbers(MEMBERS));
});
afterAll(async () => testApp.close());

async function addMembers(owner: string, count: number): Promise<void> {
  const companyId = await companyIdOf(testApp.context.db, owner);
  await sql`
    INSERT INTO customer (company_id, customer_number, name, search_text)
    SELECT ${companyId}, n, 'Medlem ' || n, ' medlem ' || n
    FROM generate_series(1, ${count}::integer) n`.execute(testApp.context.db);
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function lines(count: number, description = 'x') {
  return Array.from({ length: count }, () => line(description, 1, 0));
}

/** The number of drafts of the company. */
async function drafts(): Promise<number> {
  return (await client.get('/api/invoices/')).body.summary.drafts;
}

// WIRE-17
describe('what one call may make', () => {
  test('is at most 100,000 lines, from a template too', async () => {
    const invoiceLines = lines(401);
    const message = 'The invoices would have 100250 lines; at most 100000 can be made at once';
    const refused = { status: 400, body: { detail: [{ message }] } };
    for (const recipients of [
      { customer_numbers: numbers(MEMBERS) },
      { customer_numbers: [], group_uuid: everybody },
      { customer_numbers: numbers(10), group_uuid: everybody },
    ]) {
      const body = invoiceBody([], { ...recipients, invoice_lines: invoiceLines });
      expect(await client.post('/api/invoices/create/', body)).toMatchObject(refused);
    }
    const template = await createTemplate(client, { lines: invoiceLines });
    const body = { group_uuid: everybody, issue_date: todayInOslo() };
    const url = `/api/invoices/template/${template}/create-invoice/`;
    expect(await client.post(url, body)).toMatchObject(refused);
    const create = invoiceBody([], { group_uuid: everybody, template_id: template });
    expect(await client.post('/api/invoices/create/', create)).toMatchObject(refused);
    expect(await drafts()).toBe(0);
    expect((await client.get('/api/users/profile/')).body.has_created_invoice).toBe(false);
  });

  test('is at most 20 MB of text, counted in bytes', async () => {
    const long = invoiceBody([], {
      group_uuid: everybody,
      invoice_lines: lines(41, 'ø'.repeat(1000)),
    });
    const message =
      'The lines would have 20500000 bytes of text; at most 20000000 can be made at once';
    expect(await client.post('/api/invoices/create/', long)).toMatchObject({
      status: 400,
      body: { detail: [{ message }] },
    });
    expect(await drafts()).toBe(0);
  });
});

// WIRE-17
describe('the response to many drafts', () => {
  const create = async (count: number) =>
    client.post('/api/invoices/create/', invoiceBody(numbers(count), { invoice_lines: lines(2) }));

  test('contains complete drafts up to 200', async () => {
    const { status, body } = await create(200);
    expect([status, body.length, body[199].lines.length]).toEqual([201, 200, 2]);
  });

  test('contains only customers and sums above 200, in order, from a template too', async () => {
    const template = await createTemplate(client, { lines: lines(2) });
    const fromTemplate = await client.post(`/api/invoices/template/${template}/create-invoice/`, {
      group_uuid: everybody,
      issue_date: todayInOslo(),
    });
    for (const { status, body } of [await create(201), fromTemplate]) {
      expect(status).toBe(201);
      expect(body[7]).toEqual({
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        status: 'DRAFT',
        customer_number: 8,
        customer_name: 'Medlem 8',
        customer_identifier: null,
        net_amount: 2,
        vat_amount: 0,
        gross_amount: 2,
      });
    }
    expect(fromTemplate.body).toHaveLength(MEMBERS);
  });
});

describe('a group of many', () => {
  // GRP-3, WIRE-10
  test('is listed and found with its first hundred and a count of all', async () => {
    for (const url of ['/api/customers/groups/', '/api/customers/groups/search/?query=medl']) {
      const { body } = await client.get(url);
      expect(body).toHaveLength(1);
      expect(body[0]).toMatchObject({ uuid: everybody, customer_count: MEMBERS });
      const members = body[0].customers as { customer_number: number }[];
      expect(members.map((member) => member.customer_number)).toEqual(numbers(100));
    }
  });

  // GRP-3
  test('has all members when fetched alone, created or saved', async () => {
    const url = `/api/customers/groups/${everybody}/`;
    const saved = await client.post(`${url}update/`, {
      group_name: 'Medlemmer',
      customers: numbers(MEMBERS),
    });
    for (const { body } of [await client.get(url), saved]) {
      expect(body.customer_count).toBe(MEMBERS);
      expect(body.customers).toHaveLength(MEMBERS);
    }
  });

  test('is streamed when it has very many members', async () => {
    const email = 'forbundet@example.no';
    const many = 4001;
    const owner = await testApp.login(email);
    await addMembers(email, many);
    const made = await owner.post('/api/customers/groups/create/', {
      group_name: 'Alle «medlemmer»',
      customers: numbers(many).toReversed(),
    });
    const url = `/api/customers/groups/${made.body.uuid}/`;
    for (const { headers, body } of [made, await owner.get(url)]) {
      // A streamed response has no length in its header.
      expect(headers['content-length']).toBeUndefined();
      const { customers, ...rest } = body as { customers: { customer_number: number }[] };
      expect(rest).toMatchObject({ group_name: 'Alle «medlemmer»', customer_count: many });
      expect(customers.map((member) => member.customer_number)).toEqual(numbers(many));
    }
    expect(made.status).toBe(201);
  });

  test('has a count of 0 when it is empty', async () => {
    const uuid = await createGroup(client, []);
    const { body } = await client.get(`/api/customers/groups/${uuid}/`);
    expect(body).toMatchObject({ customer_count: 0, customers: [] });
  });

  test('leaves its customers when it is deleted (GRP-4)', async () => {
    const uuid = await createGroup(client, [1]);
    expect((await client.delete(`/api/customers/groups/${uuid}/`)).status).toBe(204);
    expect((await client.get('/api/customers/1/')).body).toMatchObject({ name: 'Medlem 1' });
  });
});
