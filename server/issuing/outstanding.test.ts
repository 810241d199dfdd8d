import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { checkLedger } from '../document/ledger.service.ts';
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

const EMAIL = 'tilgode@example.no';
/** The sum of each invoice, in kroner. */
const GROSS = 173.46;

let testApp: TestApp;
let client: TestClient;
let customer: number;
const uuids: Record<string, string> = {};

/** A registered invoice that is due so many days from today. */
async function issue(name: string, inDays: number): Promise<void> {
  const due_days = 14;
  const issue_date = addDays(todayInOslo(), inDays - due_days);
  const uuid = await createDraft(client, customer, { issue_date, due_days });
  await register(client, uuid);
  uuids[name] = uuid;
}

const uuidOf = (name: string) => uuids[name] ?? '';
const list = async (query = '') => (await client.get(`/api/invoices/?${query}`)).body;

async function owed() {
  const { outstanding, outstanding_amount, overdue, overdue_amount } = (await list()).summary;
  return [outstanding, outstanding_amount, overdue, overdue_amount];
}

async function listed(status: string): Promise<string[]> {
  const { results, count } = await list(`status=${status}`);
  const found = (results as { uuid: string }[]).map(({ uuid }) => uuid);
  expect(count).toBe(found.length);
  return Object.keys(uuids)
    .toSorted((left, right) => found.indexOf(uuidOf(left)) - found.indexOf(uuidOf(right)))
    .filter((name) => found.includes(uuidOf(name)));
}

async function expectBooksInOrder(): Promise<void> {
  const [report] = await Array.fromAsync(checkLedger(testApp.context.db, EMAIL));
  expect(report?.fault).toBeNull();
}

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'payments', DISPATCH: 'staff' });
  client = await testApp.login(EMAIL);
  await completeProfile(client);
  customer = await createCustomer(client);
});
afterAll(async () => testApp.close());

describe('the outstanding amount', () => {
  test('is 0 before anything is registered', async () => {
    await createDraft(client, customer);
    expect(await owed()).toEqual([0, 0, 0, 0]);
  });

  // INV-30
  test('is the sum of registered invoices, overdue from the day after the due date', async () => {
    await issue('tomorrow', 1);
    await issue('today', 0);
    await issue('yesterday', -1);
    await issue('long ago', -300);
    expect(await owed()).toEqual([4, 4 * GROSS, 2, 2 * GROSS]);
    expect(await listed('OUTSTANDING')).toEqual(['long ago', 'yesterday', 'today', 'tomorrow']);
    expect(await listed('OVERDUE')).toEqual(['long ago', 'yesterday']);
    await expectBooksInOrder();
  });

  // INV-12
  test('excludes an invoice of 0 kroner in every status', async () => {
    const issue_date = addDays(todayInOslo(), -60);
    const cancelling = [line('Arbeid', 100, 25), line('Rabatt', -100, 25)];
    const before = await owed();
    const made: string[] = [];
    for (const invoice_lines of [cancelling, [line('Gratis', 0, 25)]]) {
      const uuid = await createDraft(client, customer, { issue_date, invoice_lines });
      await register(client, uuid);
      made.push(uuid);
      expect((await client.get(`/api/invoices/${uuid}/`)).body).toMatchObject({
        status: 'REGISTERED',
        gross_amount: 0,
        amount_due: 0,
      });
    }
    expect(await owed()).toEqual(before);
    expect(await listed('OUTSTANDING')).toEqual(['long ago', 'yesterday', 'today', 'tomorrow']);
    expect(await listed('OVERDUE')).toEqual(['long ago', 'yesterday']);
    const [first, second] = made;
    for (const status of ['PAID', 'REGISTERED']) {
      await client.post(`/api/invoices/${first}/update/`, { status });
      expect(await owed()).toEqual(before);
      await expectBooksInOrder();
    }
    await client.delete(`/api/invoices/${second}/`);
    expect(await owed()).toEqual(before);
    await expectBooksInOrder();
  });

  test('excludes payments and paid invoices', async () => {
    const date = todayInOslo();
    const pay = async (name: string, amount: number) =>
      client.post('/api/payments/', { invoice_uuid: uuidOf(name), amount, date });
    expect((await pay('yesterday', 73.46)).status).toBe(201);
    expect(await owed()).toEqual([4, 4 * GROSS - 73.46, 2, 273.46]);
    expect((await pay('yesterday', 100)).status).toBe(201);
    expect(await owed()).toEqual([3, 3 * GROSS, 1, GROSS]);
    expect(await listed('OVERDUE')).toEqual(['long ago']);
    await expectBooksInOrder();
    const back = await client.post(`/api/invoices/${uuidOf('yesterday')}/update/`, {
      status: 'REGISTERED',
    });
    expect(back.status).toBe(200);
    expect(await owed()).toEqual([4, 4 * GROSS, 2, 2 * GROSS]);
  });

  test('excludes credited invoices and credit notes', async () => {
    expect((await client.delete(`/api/invoices/${uuidOf('long ago')}/`)).status).toBe(204);
    expect(await owed()).toEqual([3, 3 * GROSS, 1, GROSS]);
    expect(await listed('OUTSTANDING')).toEqual(['yesterday', 'today', 'tomorrow']);
    // Includes the credit notes and an invoice of 0 kroner.
    expect((await list('status=REGISTERED')).count).toBe(6);
    await expectBooksInOrder();
  });

  test('is searched, and read page by page', async () => {
    expect(await list('status=OVERDUE&query=%C3%98rsta')).toMatchObject({ count: 1 });
    expect(await list('status=OVERDUE&query=finnes-ikke')).toMatchObject({ count: 0, results: [] });
    for (let days = 2; days < 24; days++) await issue(`${days} days ago`, -days);
    const first = await list('status=OVERDUE');
    expect(first).toMatchObject({ count: 23, next: '/api/invoices/?page=2&status=OVERDUE' });
    const second = await list('status=OVERDUE&page=2');
    const dates = [...first.results, ...second.results].map(
      ({ due_date }: { due_date: string }) => due_date,
    );
    expect(dates).toHaveLength(23);
    expect(dates).toEqual(dates.toSorted());
    await expectBooksInOrder();
  });

  test('equals a fresh count after many concurrent calls', async () => {
    const drafts = await Promise.all(
      Array.from({ length: 12 }, async () => createDraft(client, customer)),
    );
    await Promise.all(
      drafts.map(async (uuid, index) => {
        await register(client, uuid);
        const status = index % 3 === 0 ? 'REGISTERED' : 'PAID';
        if (status === 'PAID') await client.post(`/api/invoices/${uuid}/update/`, { status });
        if (index % 4 === 0) await client.delete(`/api/invoices/${uuid}/`);
      }),
    );
    await expectBooksInOrder();
  });
});

test('the list of open invoices uses its index, and the amount not yet due few rows', async () => {
  const { db } = testApp.context;
  const companyId = await companyIdOf(db, EMAIL);
  // Planned as for a million rows: PostgreSQL reads a small table whole.
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL enable_seqscan = off`.execute(trx);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      EXPLAIN SELECT id FROM invoice WHERE company_id = ${companyId}
        AND kind = 'INVOICE' AND status = 'REGISTERED' AND gross_amount > 0 AND due_date < ${todayInOslo()}::date
      ORDER BY due_date DESC, invoice_number DESC LIMIT 20`.execute(trx);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('invoice_by_due_date');
    expect(plan).not.toContain('Sort');
  });
});
