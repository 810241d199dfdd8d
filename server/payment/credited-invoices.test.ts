import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { sumKroner } from '../../domain/money.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import {
  bill,
  createBankCompany,
  creditOf,
  uploadAndBook,
} from '../testing/bank-files/bank-company.ts';
import { ocrFile } from '../testing/bank-files/payment-files.ts';
import type { TestClient } from '../testing/client.ts';
import { createCustomer } from '../testing/factories.ts';
import { lateInvoice, saveReminderSettings } from '../testing/late-invoices.ts';
import { readWithPoppler, removeFolder, temporaryFolder } from '../testing/poppler.ts';
import { paymentsAreRight } from './payment-check.repository.ts';

// The bank's files and reminders go on with what credit notes leave of an invoice (CRE-9).

const TODAY = todayInOslo();
let testApp: TestApp;
let client: TestClient;
let customer: number;
let folder: string;
let transmission = 0;

beforeAll(async () => {
  folder = temporaryFolder();
  testApp = await startTestApp({ FEATURES: 'payments,reminders,credit', DISPATCH: 'staff' });
  ({ client, customer } = await createBankCompany(testApp));
});
afterAll(async () => {
  const companies = await testApp.context.db.selectFrom('company').select('id').execute();
  for (const { id } of companies) {
    expect(await paymentsAreRight(testApp.context.db, id)).toBe(true);
  }
  await testApp.close();
  removeFolder(folder);
});

async function reduce(uuid: string, net_amount: number) {
  const reductions = [{ description: 'Avslag', net_amount, vat_treatment: 'EXEMPT' }];
  const answer = await client.post(`/api/invoices/${uuid}/credit/`, { reductions });
  expect(answer.status).toBe(201);
}

async function read(uuid: string) {
  return (await client.get(`/api/invoices/${uuid}/`)).body;
}

function paidByKid(amount: number, kid: string) {
  transmission += 1;
  return uploadAndBook(client, ocrFile([{ amount, kid }], { transmission }));
}

test('a payment of the whole after a part was credited leaves credit, until the file is undone', async () => {
  const { uuid, kid } = await bill(client, customer, 1000);
  await reduce(uuid, 400);
  const booked = await paidByKid(1000, kid);
  expect(booked.body.entries).toMatchObject([{ outcome: 'OVER' }]);
  expect(await read(uuid)).toMatchObject({ status: 'PAID', paid_amount: 600, amount_due: 0 });
  expect(await creditOf(testApp.context.db, client)).toBe(400);
  const undone = await client.post(`/api/payments/files/${booked.body.uuid}/undo/`);
  expect(undone.status).toBe(200);
  expect(await read(uuid)).toMatchObject({ status: 'REGISTERED', paid_amount: 0, amount_due: 600 });
  expect(await creditOf(testApp.context.db, client)).toBe(0);
});

test('a file pays what is left, and can be undone after more is credited', async () => {
  const { uuid, kid } = await bill(client, customer, 1000);
  await reduce(uuid, 400);
  const booked = await paidByKid(600, kid);
  expect(booked.body.entries).toMatchObject([{ outcome: 'EXACT' }]);
  await reduce(uuid, 100);
  expect(await read(uuid)).toMatchObject({
    status: 'PAID',
    paid_amount: 500,
    credited_amount: 500,
  });
  expect(await creditOf(testApp.context.db, client)).toBe(100);
  expect((await client.post(`/api/payments/files/${booked.body.uuid}/undo/`)).status).toBe(200);
  expect(await read(uuid)).toMatchObject({ status: 'REGISTERED', amount_due: 500 });
  expect(await creditOf(testApp.context.db, client)).toBe(0);
});

test('proposals and reminders ask for what is left, with interest on it for the whole time', async () => {
  const steps = [{ days: 14, kind: 'NOTICE', fee: true, interest: true }];
  await saveReminderSettings(client, { steps });
  const uuid = await lateInvoice(testApp.context.db, client, { customer });
  const path = `/api/invoices/${uuid}/reminders/`;
  const whole = (await client.post(`${path}?dry_run=true`, wish)).body;
  expect(whole.principal).toBe(1000);
  await reduce(uuid, 400);
  const rest = (await client.post(`${path}?dry_run=true`, wish)).body;
  expect(rest).toMatchObject({ principal: 600, interest: await interestOf(600) });
  const { body: proposals } = await client.get('/api/reminders/proposals/');
  expect(proposals.results ?? proposals).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        invoice_uuid: uuid,
        amount_due: 600,
        interest: rest.interest,
      }),
    ]),
  );
  const shown = await testApp.app.http.inject({
    url: `${path}preview/?kind=NOTICE&fee=true&interest=true`,
    headers: { cookie: client.cookieHeader },
  });
  expect(shown.statusCode).toBe(200);
  const text = readWithPoppler(folder, shown.rawPayload).text();
  expect(text).toMatch(/Kreditert\s+−400,00/);
});

const wish = { kind: 'NOTICE', fee: true, interest: true };

/** Interest so far of an invoice of this sum. A share of the interest of another sum may differ by an øre. */
async function interestOf(kroner: number): Promise<number> {
  const uuid = await lateInvoice(testApp.context.db, client, { kroner });
  return (await client.post(`/api/invoices/${uuid}/reminders/?dry_run=true`, wish)).body.interest;
}

/** Sends a reminder: one that still waits is stopped when the invoice is paid, and asks for nothing then. */
async function remind(uuid: string) {
  const path = `/api/invoices/${uuid}/reminders/`;
  const answer = await client.post(path, wish);
  expect(answer.status).toBe(201);
  await expect.poll(async () => (await client.get(path)).body[0].delivery_status).toBe('SENT');
  return answer.body as unknown as { fee: number; interest: number };
}

// REM-13, REM-19
test('a fee that was asked for before stays, its interest falls with the claim, and both end with the rest', async () => {
  const uuid = await lateInvoice(testApp.context.db, client, { customer });
  const { fee, interest } = await remind(uuid);
  expect(interest).toBeGreaterThan(0);
  expect(await read(uuid)).toMatchObject({ reminder_amount: sumKroner([fee, interest]) });
  await reduce(uuid, 400);
  const asked = sumKroner([fee, await interestOf(600)]);
  expect(await read(uuid)).toMatchObject({ reminder_amount: asked, amount_due: 600 });
  const pay = { invoice_uuid: uuid, amount: 600, date: addDays(TODAY, -1) };
  expect((await client.post('/api/payments/', pay)).status).toBe(201);
  // The rest of what reminders ask for is waived where the settings say so, as they do by default.
  expect(await read(uuid)).toMatchObject({ status: 'PAID', reminder_amount: 0, paid_date: TODAY });
  expect((await client.delete(`/api/invoices/${uuid}/?expect=PAID`)).status).toBe(204);
  expect(await read(uuid)).toMatchObject({ status: 'CANCELLED', paid_amount: 0, amount_due: 0 });
  expect((await client.get(`/api/invoices/${uuid}/reminders/`)).body).toMatchObject([
    { fee, interest, waived: true },
  ]);
});

test('interest that was paid for what is credited later becomes credit of the customer', async () => {
  const other = await createCustomer(client);
  const uuid = await lateInvoice(testApp.context.db, client, { customer: other });
  const { fee, interest } = await remind(uuid);
  const all = { invoice_uuid: uuid, amount: sumKroner([1000, fee, interest]), date: TODAY };
  expect((await client.post('/api/payments/', all)).status).toBe(201);
  await reduce(uuid, 400);
  const kept = await interestOf(600);
  expect(await read(uuid)).toMatchObject({ status: 'PAID', paid_amount: 600, reminder_amount: 0 });
  const { credit } = (await client.get(`/api/customers/${other}/`)).body;
  expect(credit).toBe(sumKroner([400, interest, -kept]));
  const { body } = await client.get(`/api/payments/?invoice=${uuid}`);
  const money = body.results as { reminder_amount: number }[];
  const sum = sumKroner(money.map(({ reminder_amount }) => reminder_amount));
  expect(sum).toBe(sumKroner([fee, kept]));
});

test('a fee of a notice for what is left is waived by money that had come, and stays waived when more is credited', async () => {
  await saveReminderSettings(client, { waive_rest: false });
  const uuid = await lateInvoice(testApp.context.db, client, { customer });
  await reduce(uuid, 400);
  // On the same day as the note, after it.
  const { fee, interest } = await remind(uuid);
  const { customer_identification_number: kid } = await read(uuid);
  const before = addDays(TODAY, -2);
  const [year, month, day] = before.split('-');
  transmission += 1;
  const file = ocrFile([{ amount: 600, kid }], {
    transmission,
    date: `${day}${month}${year?.slice(2)}`,
  });
  const booked = await uploadAndBook(client, file);
  expect(booked.body.entries).toMatchObject([{ outcome: 'EXACT' }]);
  const paid = await read(uuid);
  expect(paid).toMatchObject({ status: 'PAID' });
  expect(paid.reminder_amount).toBeLessThan(interest);
  await reduce(uuid, 300);
  const { reminder_amount: left } = await read(uuid);
  // To the øre, which two roundings may differ by.
  expect(left).toBeCloseTo(paid.reminder_amount / 2, 1);
  expect(left).toBeLessThan(fee);
  await saveReminderSettings(client, { waive_rest: true });
});

// PAY-6, PAY-7, PAY-9
describe('an invoice that was marked as paid by hand before a part was credited', () => {
  let owner: number;
  let uuid: string;
  beforeEach(async () => {
    owner = await createCustomer(client);
    ({ uuid } = await bill(client, owner, 125));
    expect(await mark(uuid, 'PAID')).toBe(200);
    await reduce(uuid, 50);
    expect(await read(uuid)).toMatchObject({ status: 'PAID', paid_amount: 75 });
    expect(await booksOf()).toEqual({ credit: 50, unplaced: [50] });
  });

  async function mark(invoice: string, status: 'PAID' | 'REGISTERED') {
    return (await client.post(`/api/invoices/${invoice}/update/`, { status })).status;
  }
  async function unplaced() {
    const url = `/api/payments/?state=UNPLACED&customer_number=${owner}`;
    return (await client.get(url)).body.results as {
      uuid: string;
      amount: number;
      can_be_dropped: boolean;
    }[];
  }
  async function booksOf() {
    const { credit } = (await client.get(`/api/customers/${owner}/`)).body;
    return { credit, unplaced: (await unplaced()).map(({ amount }) => amount) };
  }
  const post = async (payment: string | undefined, what: string, body = {}) =>
    client.post(`/api/payments/${payment}/${what}/`, body);
  const nothing = { credit: 0, unplaced: [] };
  const due = { status: 'REGISTERED', paid_amount: 0, amount_due: 75 };

  test('is as if it had never been paid after ‘Ikke betalt’, which says all that it takes back', async () => {
    const body = { uuids: [uuid], status: 'REGISTERED' };
    const tried = await client.post('/api/invoices/update/?dry_run=true', body);
    expect(tried.body).toMatchObject({
      updated: [uuid],
      payments: [
        { amount: 50, source: 'MANUAL', taken_back: true },
        { amount: 75, source: 'MANUAL', taken_back: true },
      ],
    });
    expect(await mark(uuid, 'REGISTERED')).toBe(200);
    expect(await read(uuid)).toMatchObject(due);
    expect(await booksOf()).toEqual(nothing);
    expect(await mark(uuid, 'REGISTERED')).toBe(409);
    expect(await mark(uuid, 'PAID')).toBe(200);
    expect(await booksOf()).toEqual(nothing);
  });

  test('keeps a part that was used or paid back until that is undone, in bulk too', async () => {
    const other = await bill(client, owner, 80);
    const [{ uuid: credit } = { uuid: '' }] = await unplaced();
    const placed = await post(credit, 'place', { invoice_uuid: other.uuid });
    expect(placed.status).toBe(200);
    expect(await mark(uuid, 'REGISTERED')).toBe(409);
    const body = { uuids: [uuid], status: 'REGISTERED' };
    const { skipped } = (await client.post('/api/invoices/update/', body)).body;
    expect(skipped[0].message).toContain(String(other.number));
    // The money that was placed there goes back to the customer, since it was not marked there.
    const rest = { invoice_uuid: other.uuid, amount: 30, date: TODAY };
    expect((await client.post('/api/payments/', rest)).status).toBe(201);
    expect(await mark(other.uuid, 'REGISTERED')).toBe(200);
    expect(await booksOf()).toEqual({ credit: 50, unplaced: [50] });
    const [{ uuid: again } = { uuid: '' }] = await unplaced();
    const refund = await post(again, 'refund');
    expect(refund.status).toBe(200);
    expect(await mark(uuid, 'REGISTERED')).toBe(409);
    expect((await post(refund.body.undone_by, 'undo')).status).toBe(200);
    expect(await mark(uuid, 'REGISTERED')).toBe(200);
    expect(await read(uuid)).toMatchObject(due);
    expect(await booksOf()).toEqual(nothing);
  });

  test.each(['undo', 'DELETE'])('loses the part that is unplaced alone by %s', async (how) => {
    const [payment] = await unplaced();
    expect(payment?.can_be_dropped).toBe(true);
    const url = `/api/payments/${payment?.uuid}/`;
    const act = async () => (how === 'undo' ? client.post(`${url}undo/`) : client.delete(url));
    expect((await act()).status).toBeLessThan(300);
    expect((await act()).status).toBe(409);
    expect(await booksOf()).toEqual(nothing);
    expect(await read(uuid)).toMatchObject({ status: 'PAID', paid_amount: 75 });
    // The other part is gone too when it is undone by itself.
    const { body } = await client.get(`/api/payments/?invoice=${uuid}`);
    const [{ uuid: part }] = body.results;
    expect((await post(part, 'undo')).status).toBe(200);
    expect(await read(uuid)).toMatchObject(due);
    expect(await booksOf()).toEqual(nothing);
  });
});
