import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeChallenge } from '../account/login.service.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { Answer, TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  createGroup,
  createTemplate,
  CUSTOMER,
  invoiceBody,
  LINES,
  PROFILE,
  register,
} from '../testing/factories.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(async () => testApp.close());

interface Company {
  readonly client: TestClient;
  readonly customer: number;
  readonly email: string;
}

let companies = 0;

async function newCompany(): Promise<Company> {
  const email = `race${++companies}@example.no`;
  const client = await testApp.login(email);
  await completeProfile(client);
  return { client, customer: await createCustomer(client), email };
}

/** Sends all calls at once. Fails on a server error and on a call that never ends. */
async function atOnce(...calls: readonly Promise<Answer>[]): Promise<Answer[]> {
  const answers = await Promise.all(calls);
  for (const answer of answers)
    expect([answer.status < 500, answer.text]).toEqual([true, answer.text]);
  return answers;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const upTo = (count: number) => times(count, (index) => index + 1);

async function drafts({ client, customer }: Company, count: number): Promise<string[]> {
  const uuids: string[] = [];
  for (let index = 0; index < count; index++) uuids.push(await createDraft(client, customer));
  return uuids;
}

const queue = async (client: TestClient, uuid?: string) =>
  client.post(`/api/invoices/queue/${uuid === undefined ? '' : `?invoice_uuid=${uuid}`}`);

/** Checks that the company's numbers are 1, 2, 3 … without a gap. */
async function expectUnbroken({ email }: Company): Promise<number> {
  const { db } = testApp.context;
  const companyId = await companyIdOf(db, email);
  const rows = await db
    .selectFrom('invoice')
    .select('invoiceNumber')
    .where('companyId', '=', companyId)
    .where('invoiceNumber', 'is not', null)
    .orderBy('invoiceNumber')
    .execute();
  expect(rows.map((row) => row.invoiceNumber)).toEqual(upTo(rows.length));
  const { lastInvoiceNumber } = await db
    .selectFrom('company')
    .select('lastInvoiceNumber')
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow();
  expect(lastInvoiceNumber ?? 0).toBe(rows.length);
  return rows.length;
}

describe('customers', () => {
  test('made at once have numbers of their own', async () => {
    const { client } = await newCompany();
    const answers = await atOnce(
      ...times(30, async () => client.post('/api/customers/create/', CUSTOMER)),
    );
    const numbers = answers.map(({ body }) => body.customer_number as number);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(times(30, (index) => index + 2));
  });

  test('with the same number made at once become one', async () => {
    const { client } = await newCompany();
    const body = { ...CUSTOMER, customer_number: 5 };
    const answers = await atOnce(
      ...times(10, async () => client.post('/api/customers/create/', body)),
      ...times(10, async () => client.post('/api/customers/create/', CUSTOMER)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
    const { body: all } = await client.get('/api/customers/');
    const numbers = all.map((customer: { customer_number: number }) => customer.customer_number);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers).toContain(5);
  });

  test('deleted while they are used are found or not found, never partly', async () => {
    const company = await newCompany();
    const { client } = company;
    const group = await createGroup(client, [company.customer]);
    const putInGroup = async (number: number) =>
      client.post(`/api/customers/groups/${group}/update/`, {
        group_name: 'G',
        customers: [company.customer, number],
      });
    for (let round = 0; round < 8; round++) {
      const number = await createCustomer(client);
      await putInGroup(number);
      const [created, deleted] = await atOnce(
        client.post('/api/invoices/create/', invoiceBody([number])),
        client.delete(`/api/customers/${number}/`),
        client.put(`/api/customers/${number}/update/`, { ...CUSTOMER, name: 'Ny' }),
        putInGroup(number),
        client.delete(`/api/customers/${number}/`),
      );
      // Either the draft or the deletion came first; the list shows which, and shows every draft complete.
      const { status, body } = await client.get('/api/invoices/');
      expect(status).toBe(200);
      expect(body.count === 1).toBe(created?.status === 201);
      expect([204, 404, 409]).toContain(deleted?.status);
      for (const { uuid } of body.results) await client.delete(`/api/invoices/${uuid}/`);
      await client.delete(`/api/customers/${number}/`);
      const members = await client.get(`/api/customers/groups/${group}/`);
      expect(members.body.customers).toHaveLength(1);
    }
  });

  test('deleted while their group is invoiced: are in or out, without an error', async () => {
    const { client } = await newCompany();
    for (let round = 1; round <= 6; round++) {
      const rows = upTo(100).map((number) => ({ name: `Medlem ${round}-${number}` }));
      const kor = { rows, group_name: `Kor ${round}` };
      const { group_uuid } = (await client.post('/api/customers/import/', kor)).body;
      const { customers } = (await client.get(`/api/customers/groups/${group_uuid}/`)).body;
      const leaving = (customers as { customer_number: number }[]).slice(-8);
      const [made] = await atOnce(
        client.post('/api/invoices/create/', { ...invoiceBody([]), group_uuid }),
        ...leaving.map(async (one) => client.delete(`/api/customers/${one.customer_number}/`)),
      );
      expect(made?.status).toBe(201);
    }
  });

  test('deleted while their invoices are cancelled', async () => {
    const company = await newCompany();
    const { client } = company;
    for (let round = 0; round < 6; round++) {
      const number = await createCustomer(client);
      const uuids = await Promise.all(times(3, async () => createDraft(client, number)));
      for (const uuid of uuids) await register(client, uuid);
      const answers = await atOnce(
        ...uuids.map(async (uuid) => client.delete(`/api/invoices/${uuid}/`)),
        client.delete(`/api/customers/${number}/`),
      );
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    }
    expect(await expectUnbroken(company)).toBe(36);
  });
});

describe('registering', () => {
  test('all and each, many times at once, gives every number once', async () => {
    const company = await newCompany();
    const { client } = company;
    const uuids = await drafts(company, 24);
    const answers = await atOnce(
      ...times(4, async () => queue(client)),
      ...uuids.map(async (uuid) => queue(client, uuid)),
      ...times(4, async () => queue(client)),
      ...uuids.map(async (uuid) => queue(client, uuid)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const given = answers.flatMap(({ body }) => body.registered as { uuid: string }[]);
    expect(new Set(given.map(({ uuid }) => uuid)).size).toBe(24);
    expect(given).toHaveLength(24);
    expect(await expectUnbroken(company)).toBe(24);
  });

  test('of two companies at once keeps them apart', async () => {
    const both = [await newCompany(), await newCompany()];
    for (const company of both) await drafts(company, 10);
    await atOnce(...both.flatMap(({ client }) => times(3, async () => queue(client))));
    for (const company of both) expect(await expectUnbroken(company)).toBe(10);
  });

  test('against deleting leaves no gap', async () => {
    const company = await newCompany();
    const { client } = company;
    const uuids = await drafts(company, 12);
    const answers = await atOnce(
      ...uuids.map(async (uuid) => queue(client, uuid)),
      ...uuids.map(async (uuid) => client.delete(`/api/invoices/${uuid}/`)),
      queue(client),
    );
    for (const { status } of answers) expect([200, 204, 404]).toContain(status);
    await expectUnbroken(company);
    for (const uuid of uuids) {
      const { status, body } = await client.get(`/api/invoices/${uuid}/`);
      // Deleted as a draft, or cancelled with its credit note: a registered invoice is never deleted.
      expect(status === 404 || body.status === 'CANCELLED').toBe(true);
      expect(status === 404).toBe((body.credit_note ?? null) === null);
    }
  });

  test('while the profile changes freezes one complete seller', async () => {
    const company = await newCompany();
    const { client } = company;
    const seller = (name: string, account: string) => ({
      ...PROFILE,
      company_name: name,
      billing_city: name,
      bank_accounts: [{ bank_account_number: account }],
    });
    const sellers = [seller('Første AS', '12345678903'), seller('Andre AS', '97104133219')];
    await client.post('/api/users/update/', sellers[0] ?? {});
    const uuids = await drafts(company, 12);
    await atOnce(
      ...uuids.flatMap((uuid, index) => [
        client.post('/api/users/update/', sellers[index % 2] ?? {}),
        queue(client, uuid),
      ]),
    );
    expect(await expectUnbroken(company)).toBe(12);
    const rows = await testApp.context.db
      .selectFrom('invoice')
      .select(['seller', 'bankAccountNumber'])
      .where('companyId', '=', await companyIdOf(testApp.context.db, company.email))
      .execute();
    for (const { seller, bankAccountNumber } of rows) {
      const expected = seller?.name === 'Første AS' ? '12345678903' : '97104133219';
      expect([seller?.city, bankAccountNumber]).toEqual([seller?.name, expected]);
    }
  });

  test('against creating, and the start number against the first invoice', async () => {
    const company = await newCompany();
    const { client, customer } = company;
    await atOnce(
      ...times(10, async () => client.post('/api/invoices/create/', invoiceBody([customer]))),
      ...times(5, async () => queue(client)),
      ...times(5, async (index) =>
        client.post('/api/users/update/', { ...PROFILE, start_invoice_number: index + 1 }),
      ),
    );
    await queue(client);
    const { body: profile } = await client.get('/api/users/profile/');
    const { body: page } = await client.get('/api/invoices/');
    const numbers = page.results.map((invoice: typeof page) => invoice.invoice_number as number);
    expect(numbers.toSorted((a: number, b: number) => a - b)).toEqual(
      times(10, (index) => index + (profile.start_invoice_number as number)),
    );
  });
});

describe('a registered invoice', () => {
  test('cancelled, paid and queued at once ends in one state, with one credit note or none', async () => {
    const company = await newCompany();
    const { client } = company;
    for (let round = 0; round < 10; round++) {
      const uuid = await createDraft(client, company.customer);
      await register(client, uuid);
      const before = await expectUnbroken(company);
      const update = async (status: string) =>
        client.post(`/api/invoices/${uuid}/update/`, { status });
      await atOnce(
        ...(round % 2 === 0
          ? [client.delete(`/api/invoices/${uuid}/`), update('PAID')]
          : [update('PAID'), client.delete(`/api/invoices/${uuid}/`)]),
        queue(client, uuid),
        update('REGISTERED'),
        client.delete(`/api/invoices/${uuid}/`),
        update('PAID'),
      );
      const { body } = await client.get(`/api/invoices/${uuid}/`);
      const isCancelled = body.status === 'CANCELLED';
      expect(body.credit_note !== null).toBe(isCancelled);
      expect(await expectUnbroken(company)).toBe(before + (isCancelled ? 1 : 0));
    }
  });

  test('cancelled twice at once has one credit note', async () => {
    const company = await newCompany();
    const uuid = await createDraft(company.client, company.customer);
    await register(company.client, uuid);
    const answers = await atOnce(
      ...times(6, async () => company.client.delete(`/api/invoices/${uuid}/`)),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    expect(await expectUnbroken(company)).toBe(2);
  });
});

describe('pressed twice', () => {
  test('a code logs in once', async () => {
    const visitor = testApp.visitor();
    const challenge = await makeChallenge(testApp.context, 'register', 'dobbel@example.no');
    const body = { email: 'dobbel@example.no', registration_token: challenge?.code };
    const answers = await atOnce(
      ...times(8, async () => visitor.post('/api/users/login/verify/', body)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const links = await atOnce(
      ...times(8, async () =>
        visitor.post('/api/users/login/verify/', { token: challenge?.token }),
      ),
    );
    expect(links.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('two devices that register an address at once have one account', async () => {
    const tokens = await Promise.all(
      times(5, async () => makeChallenge(testApp.context, 'register', 'en@example.no')),
    );
    const answers = await atOnce(
      ...tokens.map(async (challenge) =>
        testApp.visitor().post('/api/users/login/verify/', { token: challenge?.token }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const accounts = testApp.context.db.selectFrom('account').where('email', '=', 'en@example.no');
    expect(await accounts.selectAll().execute()).toHaveLength(1);
  });

  test('a template is saved whole, and used whole', async () => {
    const { client, customer } = await newCompany();
    const id = await createTemplate(client);
    const save = async (count: number) =>
      client.put(`/api/invoices/template/${id}/update/`, {
        name: `${count}`,
        delivery_type: 'NONE',
        due_days: count,
        lines: LINES.slice(0, count),
      });
    const use = async () =>
      client.post(`/api/invoices/template/${id}/create-invoice/`, {
        customer_numbers: [customer],
        issue_date: '2026-11-21',
      });
    const answers = await atOnce(
      ...times(6, async (index) => save((index % 3) + 1)),
      ...times(6, use),
      ...times(6, async (index) => save((index % 3) + 1)),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(6);
    for (const { body } of made) {
      const [invoice] = body;
      expect([3, invoice.due_days]).toContain(invoice.lines.length);
    }
    const { body } = await client.get(`/api/invoices/template/${id}/`);
    expect(body.lines).toHaveLength(body.due_days);
    await atOnce(save(1), client.delete(`/api/invoices/template/${id}/`), save(2), use());
  });
});
