import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { PAGE_SIZE } from '../../domain/api/pages.ts';
import { checkLedger } from '../document/ledger.service.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  PROFILE,
  register,
} from '../testing/factories.ts';
import { addBankPayment } from '../testing/payments.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';

const OWNER = 'kari@fjordlys.no';
const TODAY = todayInOslo();
/** The sum of the factory's lines. */
const TOTAL = 173.46;

let testApp: TestApp;
let client: TestClient;
let companyId: number;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff', FEATURES: 'payments' });
  client = await testApp.login(OWNER);
  await completeProfile(client);
  companyId = await companyIdOf(testApp.context.db, OWNER);
  customer = await createCustomer(client);
});
afterAll(async () => testApp.close());

/** A registered invoice, issued thirty days ago unless stated. */
async function invoice(
  customerNumber = customer,
  issue_date = addDays(TODAY, -30),
): Promise<string> {
  const uuid = await createDraft(client, customerNumber, { issue_date });
  await register(client, uuid);
  return uuid;
}

async function pay(uuid: string, amount: number, date = TODAY) {
  return client.post('/api/payments/', { invoice_uuid: uuid, amount, date });
}

async function paid(uuid: string, amount: number, date = TODAY): Promise<string> {
  const { status, body } = await pay(uuid, amount, date);
  expect(status).toBe(201);
  return body.uuid;
}

async function addFromBank(amount: number, given: object = {}): Promise<string> {
  return addBankPayment(testApp.context.db, companyId, { amount, ...given });
}

async function act(uuid: string, what: string, body?: object) {
  return client.post(`/api/payments/${uuid}/${what}/`, body);
}

async function place(uuid: string, invoiceUuid: string) {
  return act(uuid, 'place', { invoice_uuid: invoiceUuid });
}

async function stateOf(uuid: string) {
  const { body } = await client.get(`/api/invoices/${uuid}/`);
  const { status, paid_date, paid_amount, amount_due } = body;
  return { status, paid_date, paid_amount, amount_due };
}

const unpaid = {
  status: 'REGISTERED',
  paid_date: null,
  paid_amount: 0,
  amount_due: TOTAL,
};
const paidOn = (paid_date: string) => ({
  status: 'PAID',
  paid_date,
  paid_amount: TOTAL,
  amount_due: 0,
});

async function listed(query: string) {
  const { status, body } = await client.get(`/api/payments/${query}`);
  expect(status).toBe(200);
  return body;
}

async function unplaced(): Promise<unknown[]> {
  return (await listed('?state=UNPLACED')).results;
}

async function creditOf(customerNumber: number): Promise<number> {
  return (await client.get(`/api/customers/${customerNumber}/`)).body.credit;
}

async function historyOf(uuid: string) {
  const { body } = await client.get(`/api/invoices/${uuid}/history/`);
  return body.map(({ kind, details }: { kind: string; details: object }) => [kind, details]);
}

function refused(message: string, field?: string) {
  return { detail: [field === undefined ? { message } : { message, field }] };
}

// PAY-5
describe('a manual payment', () => {
  // INV-33, PAY-2, PAY-8
  test('completes an invoice that is paid in parts, on the latest date of the parts', async () => {
    const uuid = await invoice();
    expect(await stateOf(uuid)).toEqual(unpaid);
    await paid(uuid, 73.46, addDays(TODAY, -2));
    expect(await stateOf(uuid)).toEqual({ ...unpaid, paid_amount: 73.46, amount_due: 100 });
    await paid(uuid, 60, addDays(TODAY, -9));
    const answer = await pay(uuid, 40, addDays(TODAY, -5));
    expect(answer.body).toEqual({
      uuid: expect.any(String),
      date: addDays(TODAY, -5),
      amount: 40,
      reminder_amount: 0,
      source: 'MANUAL',
      kind: 'PAYMENT',
      account: null,
      kid: null,
      text: null,
      payer: null,
      invoice_uuid: uuid,
      invoice_number: expect.any(Number),
      customer_number: null,
      customer_name: null,
      possible_copy: false,
      can_be_dropped: false,
      suggestion: null,
      undoes: null,
      undone_by: null,
    });
    // The latest date counts, not the latest entry.
    expect(await stateOf(uuid)).toEqual(paidOn(addDays(TODAY, -2)));
    const history = await historyOf(uuid);
    expect(history.slice(0, 4)).toEqual([
      ['PAID', { paid_date: addDays(TODAY, -2) }],
      ['PAYMENT', { amount: 40, date: addDays(TODAY, -5), source: 'MANUAL' }],
      ['PAYMENT', { amount: 60, date: addDays(TODAY, -9), source: 'MANUAL' }],
      ['PAYMENT', { amount: 73.46, date: addDays(TODAY, -2), source: 'MANUAL' }],
    ]);
  });

  test('with a wrong value is refused with the name of the field', async () => {
    const uuid = await invoice();
    expect(await pay(uuid, TOTAL + 0.01)).toMatchObject({
      status: 400,
      body: refused('The amount is more than what is due', 'amount'),
    });
    expect(await pay(uuid, 1, addDays(TODAY, 1))).toMatchObject({
      status: 400,
      body: refused('The date is after today', 'date'),
    });
    for (const amount of [0, -1, 1.001, '1', null]) {
      const answer = await pay(uuid, amount as number);
      expect(answer.status).toBe(400);
      expect(answer.body.detail[0].field).toBe('amount');
    }
    expect((await pay(crypto.randomUUID(), 1)).status).toBe(404);
    const draft = await createDraft(client, customer);
    expect((await pay(draft, 1)).status).toBe(409);
    expect(await stateOf(uuid)).toEqual(unpaid);
    await paid(uuid, TOTAL);
    expect((await pay(uuid, 0.01)).status).toBe(400);
    expect((await listed(`?invoice=${uuid}`)).count).toBe(1);
  });

  test('no longer counts after it is undone, and the paid date follows the remaining payments', async () => {
    const uuid = await invoice();
    const first = await paid(uuid, TOTAL, addDays(TODAY, -10));
    const undone = await act(first, 'undo');
    expect(undone).toMatchObject({
      status: 200,
      body: { uuid: first, undone_by: expect.any(String) },
    });
    expect(await stateOf(uuid)).toEqual(unpaid);
    await paid(uuid, TOTAL, addDays(TODAY, -1));
    expect(await stateOf(uuid)).toEqual(paidOn(addDays(TODAY, -1)));
    expect(await act(first, 'undo')).toMatchObject({
      status: 409,
      body: refused('The payment has been taken back already'),
    });
    expect((await act(undone.body.undone_by, 'undo')).status).toBe(409);
    const { results } = await listed(`?invoice=${uuid}`);
    expect(results.map(({ kind, amount }: Record<string, unknown>) => [kind, amount])).toEqual([
      ['PAYMENT', TOTAL],
      ['UNDO', -TOTAL],
      ['PAYMENT', TOTAL],
    ]);
    expect(results[1]).toMatchObject({ undoes: first, undone_by: null });
    expect(await unplaced()).toEqual([]);
    expect((await historyOf(uuid)).slice(0, 4).map(([kind]: [string]) => kind)).toEqual([
      'PAID',
      'PAYMENT',
      'UNPAID',
      'PAYMENT',
    ]);
  });

  test('by ‘Sett til betalt’ pays the amount due, and ‘Ikke betalt’ undoes all manual payments', async () => {
    const uuid = await invoice();
    const update = async (status: string) =>
      client.post(`/api/invoices/${uuid}/update/`, { status });
    await paid(uuid, 100, addDays(TODAY, -3));
    expect((await update('PAID')).body).toMatchObject(paidOn(TODAY));
    expect((await update('PAID')).status).toBe(409);
    expect((await update('REGISTERED')).body).toMatchObject(unpaid);
    expect((await update('REGISTERED')).status).toBe(409);
    expect((await update('PAID')).body).toMatchObject(paidOn(TODAY));
  });

  test('by ‘Sett til betalt’ also settles an invoice of 0 kr', async () => {
    const lines = [
      { invoiced_quantity: 1, description: 'Gave', net_unit_amount: 0, vat_rate_percentage: 0 },
    ];
    const uuid = await createDraft(client, customer, { invoice_lines: lines });
    await register(client, uuid);
    const nothing = { paid_amount: 0, amount_due: 0 };
    const update = async (status: string) =>
      client.post(`/api/invoices/${uuid}/update/`, { status });
    const marked = { status: 'PAID', paid_date: TODAY, ...nothing };
    expect((await update('PAID')).body).toMatchObject(marked);
    expect((await update('REGISTERED')).body).toMatchObject({ status: 'REGISTERED', ...nothing });
    expect((await update('PAID')).body).toMatchObject(marked);
    expect((await client.delete(`/api/invoices/${uuid}/?expect=PAID`)).status).toBe(204);
    expect(await stateOf(uuid)).toMatchObject({ status: 'CANCELLED', paid_date: null });
    expect(await unplaced()).toEqual([]);
    const [credited] = await historyOf(uuid);
    expect(credited).toEqual(['CREDITED', { credit_note: expect.anything() }]);
  });
});

describe('an invoice with a future date', () => {
  const AHEAD = addDays(TODAY, 40);

  async function expectBooksInOrder(): Promise<void> {
    const [report] = await Array.fromAsync(checkLedger(testApp.context.db, OWNER));
    expect(report?.fault).toBeNull();
  }

  test('can be paid by hand with any date up to today, by every action', async () => {
    const uuid = await invoice(customer, AHEAD);
    expect((await pay(uuid, 100, AHEAD)).body).toEqual(refused('The date is after today', 'date'));
    await paid(uuid, 100, addDays(TODAY, -3));
    await paid(uuid, 73.46, addDays(TODAY, -2));
    expect(await stateOf(uuid)).toEqual(paidOn(addDays(TODAY, -2)));
    const others = [await invoice(customer, AHEAD), await invoice(customer, AHEAD)];
    const [one, other] = others;
    await client.post(`/api/invoices/${one}/update/`, { status: 'PAID' });
    const body = { uuids: [other], status: 'PAID', paid_date: addDays(TODAY, -1) };
    expect((await client.post('/api/invoices/update/', body)).body.updated).toEqual([other]);
    expect(await stateOf(one ?? '')).toEqual(paidOn(TODAY));
    expect(await stateOf(other ?? '')).toEqual(paidOn(addDays(TODAY, -1)));
    await expectBooksInOrder();
  });

  // PAY-2, PAY-11
  test('is paid on the bank date by a payment with its KID, and on its issue date by credit', async () => {
    const payer = await createCustomer(client, { name: 'Forut AS' });
    const byKid = await invoice(payer, AHEAD);
    const { customer_identification_number: kid } = (await client.get(`/api/invoices/${byKid}/`))
      .body;
    const account = PROFILE.bank_accounts[0]?.bank_account_number;
    await place(await addFromBank(TOTAL, { kid, account, paidOn: addDays(TODAY, -4) }), byKid);
    expect(await stateOf(byKid)).toEqual(paidOn(addDays(TODAY, -4)));

    await place(await addFromBank(2 * TOTAL), await invoice(payer));
    const [credit] = (await unplaced()) as { uuid: string }[];
    const later = await invoice(payer, AHEAD);
    expect((await place(credit?.uuid ?? '', later)).status).toBe(200);
    expect(await stateOf(later)).toEqual(paidOn(AHEAD));
    expect((await historyOf(later)).slice(0, 1)).toEqual([['PAID', { paid_date: AHEAD }]]);
    await expectBooksInOrder();
    await act(credit?.uuid ?? '', 'undo');
    expect(await stateOf(later)).toEqual(unpaid);
    // Credit on an invoice of an earlier date counts from the date of its payment.
    const [again] = (await unplaced()) as { uuid: string }[];
    const older = await invoice(payer);
    await place(again?.uuid ?? '', older);
    expect(await stateOf(older)).toEqual(paidOn(TODAY));

    const part = await invoice(payer, AHEAD);
    await place(await addFromBank(100), part);
    await paid(part, 73.46);
    expect(await stateOf(part)).toEqual(paidOn(AHEAD));
    await expectBooksInOrder();
  });
});

describe('a payment from the bank', () => {
  // PAY-4
  test('that fits is placed, and is unplaced again after it is undone', async () => {
    const uuid = await invoice();
    const payment = await addFromBank(100, {
      kid: '1234',
      text: 'Takk',
      paidOn: addDays(TODAY, -4),
    });
    const [waiting] = await unplaced();
    expect(waiting).toMatchObject({
      uuid: payment,
      date: addDays(TODAY, -4),
      amount: 100,
      source: 'BANK',
      account: '12345678903',
      kid: '1234',
      text: 'Takk',
      payer: 'Kari Nordmann',
      invoice_number: null,
      can_be_dropped: true,
    });
    const placed = await place(payment, uuid);
    expect(placed).toMatchObject({ status: 200, body: { uuid: payment, invoice_uuid: uuid } });
    expect(await stateOf(uuid)).toMatchObject({ paid_amount: 100, status: 'REGISTERED' });
    expect(await unplaced()).toEqual([]);
    for (const what of ['refund', 'place']) {
      const body = what === 'place' ? { invoice_uuid: uuid } : undefined;
      expect((await act(payment, what, body)).status).toBe(409);
    }
    expect((await client.delete(`/api/payments/${payment}/`)).status).toBe(409);

    expect((await act(payment, 'undo')).status).toBe(200);
    expect(await stateOf(uuid)).toEqual(unpaid);
    const [again] = await unplaced();
    expect(again).toMatchObject({
      ...(waiting as object),
      uuid: expect.any(String),
      can_be_dropped: false,
    });
    expect((again as { uuid: string }).uuid).not.toBe(payment);
    expect((await place((again as { uuid: string }).uuid, uuid)).status).toBe(200);
    expect(await stateOf(uuid)).toMatchObject({ paid_amount: 100 });
    expect((await historyOf(uuid)).slice(0, 3)).toEqual([
      ['PAYMENT', { amount: 100, date: addDays(TODAY, -4), source: 'BANK' }],
      ['PAYMENT', { amount: -100, date: addDays(TODAY, -4), source: 'BANK', taken_back: true }],
      ['PAYMENT', { amount: 100, date: addDays(TODAY, -4), source: 'BANK' }],
    ]);
  });

  // PAY-1, PAY-10
  test('of more than the amount due pays the invoice, and the rest becomes the customer’s credit', async () => {
    const payer = await createCustomer(client, { name: 'Betaler AS' });
    const before = (await client.get(`/api/customers/${payer}/`)).body.version;
    const [uuid, other] = [await invoice(payer), await invoice(payer)];
    const payment = await addFromBank(200);
    const placed = await place(payment, uuid);
    expect(placed.body).toMatchObject({ amount: TOTAL, invoice_uuid: uuid, source: 'BANK' });
    expect(await stateOf(uuid)).toEqual(paidOn(TODAY));
    const rest = 26.54;
    expect(await creditOf(payer)).toBe(rest);
    const [credit] = (await unplaced()) as { uuid: string }[];
    expect(credit).toMatchObject({
      amount: rest,
      customer_number: payer,
      customer_name: 'Betaler AS',
      can_be_dropped: false,
    });
    // A settled invoice accepts no further payment.
    expect((await place(credit?.uuid ?? '', uuid)).status).toBe(409);
    expect((await client.delete(`/api/payments/${credit?.uuid}/`)).status).toBe(409);
    expect((await place(credit?.uuid ?? '', other)).status).toBe(200);
    expect(await creditOf(payer)).toBe(0);
    expect(await stateOf(other)).toMatchObject({ paid_amount: rest });
    // After it is undone, the money is the customer's credit again.
    expect((await act(credit?.uuid ?? '', 'undo')).status).toBe(200);
    expect(await creditOf(payer)).toBe(rest);
    expect((await client.get(`/api/customers/${payer}/`)).body.version).toBe(before);
    const [again] = (await unplaced()) as { uuid: string }[];
    expect((await act(again?.uuid ?? '', 'refund')).status).toBe(200);
    expect(await creditOf(payer)).toBe(0);
  });

  test('can be refunded once, and undoing the refund restores the credit', async () => {
    const payer = await createCustomer(client, { name: 'Tilbake AS' });
    const uuid = await invoice(payer);
    await place(await addFromBank(300), uuid);
    const [credit] = (await unplaced()) as { uuid: string }[];
    const refunded = await act(credit?.uuid ?? '', 'refund');
    expect(refunded).toMatchObject({ status: 200, body: { undone_by: expect.any(String) } });
    expect((await act(credit?.uuid ?? '', 'refund')).status).toBe(409);
    expect((await place(credit?.uuid ?? '', uuid)).status).toBe(409);
    expect(await unplaced()).toEqual([]);
    const refund = refunded.body.undone_by as string;
    expect((await act(refund, 'undo')).status).toBe(200);
    expect((await act(refund, 'undo')).status).toBe(409);
    expect(await creditOf(payer)).toBe(126.54);
    const [back] = (await unplaced()) as { uuid: string }[];
    expect(back).toMatchObject({ amount: 126.54, customer_number: payer, undoes: refund });
    const next = await invoice(payer);
    expect((await place(back?.uuid ?? '', next)).status).toBe(200);
    expect(await stateOf(next)).toMatchObject({ paid_amount: 126.54 });
    expect(await creditOf(payer)).toBe(0);
  });

  test('cannot be refunded after the bank has reversed a part of it', async () => {
    const payer = await createCustomer(client, { name: 'Trukket AS' });
    const uuid = await invoice(payer);
    await place(await addFromBank(TOTAL), uuid);
    await place(await addFromBank(-100), uuid);
    expect((await client.delete(`/api/invoices/${uuid}/?expect=REGISTERED`)).status).toBe(204);
    expect(await creditOf(payer)).toBe(73.46);
    const rows = (await unplaced()) as { uuid: string; amount: number }[];
    const all = rows.find(({ amount }) => amount === TOTAL);
    expect((await act(all?.uuid ?? '', 'refund')).body).toEqual(
      refused('What the bank has taken back cannot be refunded'),
    );
    // Placed together on another invoice, payment and reversal pay the difference.
    const next = await invoice(payer);
    for (const { uuid: row } of rows.toSorted((one, other) => other.amount - one.amount)) {
      expect((await place(row, next)).status).toBe(200);
    }
    expect(await stateOf(next)).toMatchObject({ paid_amount: 73.46 });
    expect(await creditOf(payer)).toBe(0);
  });

  test('that was never placed can be dropped, and a possible copy is no credit', async () => {
    const payer = await createCustomer(client, { name: 'Kopi AS' });
    const { id: customerId } = await testApp.context.db
      .selectFrom('customer')
      .select('id')
      .where('companyId', '=', companyId)
      .where('customerNumber', '=', payer)
      .executeTakeFirstOrThrow();
    const copy = await addFromBank(50, { possibleCopy: true, customerId });
    const other = await addFromBank(60, { possibleCopy: true, customerId });
    expect(await creditOf(payer)).toBe(0);
    expect((await client.delete(`/api/payments/${copy}/`)).status).toBe(204);
    const [dropped] = (await listed('')).results;
    expect(dropped).toMatchObject({ kind: 'DROP', amount: -50, undoes: copy });
    expect((await client.delete(`/api/payments/${copy}/`)).status).toBe(409);
    expect((await act(copy, 'undo')).status).toBe(409);
    const uuid = await invoice(payer);
    expect((await place(other, uuid)).status).toBe(200);
    expect((await act(other, 'undo')).status).toBe(200);
    // By placing it the user has decided that it is no copy.
    expect(await creditOf(payer)).toBe(60);
    const [money] = (await unplaced()) as { uuid: string }[];
    expect(money).toMatchObject({ possible_copy: false });
    await act(money?.uuid ?? '', 'refund');
  });

  test('is not undone by ‘Ikke betalt’', async () => {
    const uuid = await invoice();
    await place(await addFromBank(TOTAL), uuid);
    const update = async () =>
      client.post(`/api/invoices/${uuid}/update/`, { status: 'REGISTERED' });
    expect(await update()).toMatchObject({ status: 409 });
    const norwegian = await client.send({
      method: 'POST',
      url: `/api/invoices/${uuid}/update/`,
      payload: { status: 'REGISTERED' },
      headers: { 'accept-language': 'nb' },
    });
    expect(norwegian.body).toEqual(
      refused('Betalingen er registrert av banken. Angre den under Innbetalinger.'),
    );
    expect(await stateOf(uuid)).toEqual(paidOn(TODAY));

    const mixed = await invoice();
    await place(await addFromBank(100), mixed);
    await client.post(`/api/invoices/${mixed}/update/`, { status: 'PAID' });
    const { body } = await client.post(`/api/invoices/${mixed}/update/`, { status: 'REGISTERED' });
    expect(body).toMatchObject({ status: 'REGISTERED', paid_amount: 100, amount_due: 73.46 });
  });

  test('that is a reversal is placed on a paid invoice, never on one with less paid', async () => {
    const uuid = await invoice();
    const reversal = await addFromBank(-100, { paidOn: addDays(TODAY, -2) });
    expect((await place(reversal, uuid)).status).toBe(409);
    expect((await act(reversal, 'refund')).status).toBe(409);
    const first = await paid(uuid, TOTAL, addDays(TODAY, -3));
    expect((await place(reversal, uuid)).status).toBe(200);
    expect(await stateOf(uuid)).toMatchObject({ status: 'REGISTERED', paid_amount: 73.46 });
    expect(await act(first, 'undo')).toMatchObject({ status: 409 });
    await paid(uuid, 100, addDays(TODAY, -1));
    // The paid date is the last date on which the total was reached.
    expect(await stateOf(uuid)).toMatchObject(paidOn(addDays(TODAY, -1)));
    expect((await act(reversal, 'undo')).status).toBe(409);
  });

  test('shows its suggested invoices while they have an amount due', async () => {
    const [one, other] = [await invoice(), await invoice()];
    const { body } = await client.get(`/api/invoices/${one}/`);
    const rows = await testApp.context.db
      .selectFrom('invoice')
      .select('id')
      .where('uuid', 'in', [one, other])
      .orderBy('id')
      .execute();
    const suggestion = { reason: 'SUM_OF_INVOICES', invoiceIds: rows.map(({ id }) => id) };
    const payment = await addFromBank(346.92, { suggestion });
    const shown = async () => ((await unplaced())[0] as { suggestion: unknown }).suggestion;
    expect(await shown()).toMatchObject({
      reason: 'SUM_OF_INVOICES',
      invoices: expect.arrayContaining([
        { uuid: one, invoice_number: body.invoice_number, amount_due: TOTAL },
      ]),
    });
    await paid(other, 100);
    await paid(one, TOTAL);
    expect(await shown()).toMatchObject({ invoices: [{ uuid: other, amount_due: 73.46 }] });
    await paid(other, 73.46);
    expect(await shown()).toBeNull();
    await client.delete(`/api/payments/${payment}/`);
  });
});

describe('crediting an invoice', () => {
  // INV-26, PAY-12
  test('that is paid requires expect=PAID, and turns its payments into credit', async () => {
    const payer = await createCustomer(client, { name: 'Kreditt AS' });
    const uuid = await invoice(payer);
    await place(await addFromBank(100, { paidOn: addDays(TODAY, -2) }), uuid);
    await client.post(`/api/invoices/${uuid}/update/`, { status: 'PAID' });
    expect(await client.delete(`/api/invoices/${uuid}/`)).toMatchObject({
      status: 409,
      body: refused('A paid invoice cannot be deleted; mark it as not paid first'),
    });
    expect((await client.delete(`/api/invoices/${uuid}/?expect=REGISTERED`)).status).toBe(409);
    expect((await client.delete(`/api/invoices/${uuid}/?expect=PAID`)).status).toBe(204);
    expect(await stateOf(uuid)).toEqual({
      status: 'CANCELLED',
      paid_date: null,
      paid_amount: 0,
      amount_due: 0,
    });
    expect(await creditOf(payer)).toBe(TOTAL);
    const { body } = await client.get(`/api/invoices/${uuid}/`);
    const note = await client.get(`/api/invoices/${body.credit_note.uuid}/`);
    expect(note.body).toMatchObject({ paid_amount: 0, amount_due: 0, gross_amount: TOTAL });
    expect((await historyOf(uuid)).slice(0, 4)).toEqual([
      ['CREDITED', { credit_note: body.credit_note, amount: TOTAL }],
      ['UNPAID', {}],
      ['PAYMENT', { amount: -73.46, date: TODAY, source: 'MANUAL', taken_back: true }],
      ['PAYMENT', { amount: -100, date: addDays(TODAY, -2), source: 'BANK', taken_back: true }],
    ]);
    // All of the credit can pay another invoice, and returns when that invoice is no longer paid.
    const next = await invoice(payer);
    for (const { uuid: money } of (await unplaced()) as { uuid: string }[]) {
      expect((await place(money, next)).status).toBe(200);
    }
    expect(await stateOf(next)).toEqual(paidOn(TODAY));
    expect(await creditOf(payer)).toBe(0);
    const unmarked = await client.post(`/api/invoices/${next}/update/`, { status: 'REGISTERED' });
    expect(unmarked.body).toMatchObject({ paid_amount: 100 });
    expect(await creditOf(payer)).toBe(73.46);
    expect((await client.delete(`/api/invoices/${next}/?expect=REGISTERED`)).status).toBe(204);
    expect(await creditOf(payer)).toBe(TOTAL);
    expect((await pay(uuid, 1)).status).toBe(409);
    for (const { uuid: money } of (await unplaced()) as { uuid: string }[]) {
      expect((await place(money, uuid)).status).toBe(409);
      expect((await act(money, 'refund')).status).toBe(200);
    }
    expect(await creditOf(payer)).toBe(0);
  });

  test('of a deleted customer leaves unplaced money without a customer, which can be refunded', async () => {
    const payer = await createCustomer(client, { name: 'Borte AS' });
    const uuid = await invoice(payer);
    await paid(uuid, 50);
    expect((await client.delete(`/api/customers/${payer}/`)).status).toBe(204);
    await place(await addFromBank(200), uuid);
    expect(await stateOf(uuid)).toEqual(paidOn(TODAY));
    const [money] = (await unplaced()) as { uuid: string }[];
    expect(money).toMatchObject({ amount: 76.54, customer_number: null, customer_name: null });
    expect((await client.delete(`/api/invoices/${uuid}/?expect=PAID`)).status).toBe(204);
    const waiting = (await unplaced()) as { uuid: string; amount: number }[];
    expect(waiting.map(({ amount }) => amount)).toEqual([123.46, 50, 76.54]);
    for (const { uuid: each } of waiting) expect((await act(each, 'refund')).status).toBe(200);
  });
});

test('the mail of a partly paid invoice asks for the remaining amount', async () => {
  const smtp = await startMailServer();
  const sending = await startTestApp({ SMTP_URL: smtp.url, FEATURES: 'payments' });
  try {
    const other = await sending.login('delvis@example.no');
    await completeProfile(other);
    const email = 'kunde@example.no';
    const uuid = await createDraft(other, await createCustomer(other, { email }), {
      issue_date: addDays(TODAY, -30),
    });
    await register(other, uuid);
    const payment = { invoice_uuid: uuid, amount: 100, date: TODAY };
    expect((await other.post('/api/payments/', payment)).status).toBe(201);
    const sent = await other.post(`/api/invoices/${uuid}/deliveries/`, { delivery_type: 'EMAIL' });
    expect(sent.status).toBe(201);
    const mail = await until(
      () => smtp.mails.find(({ to }) => to.includes(email)),
      (caught) => caught !== undefined,
    );
    if (!mail) throw new Error('Nothing was sent');
    expect((await readMail(mail)).text?.replaceAll('\u00A0', ' ')).toContain(
      'Å betale: 73,46 kr\nAv 173,46 kr, resten er betalt.',
    );
  } finally {
    await sending.close();
    await smtp.close();
  }
});

// PAY-8
test('payments are listed newest first, twenty a page', async () => {
  const other = await testApp.login('sider@example.no');
  await completeProfile(other);
  const id = await companyIdOf(testApp.context.db, 'sider@example.no');
  for (let each = 1; each <= PAGE_SIZE + 2; each++) {
    await addBankPayment(testApp.context.db, id, { amount: each });
  }
  const first = (await other.get('/api/payments/?state=UNPLACED')).body;
  expect(first).toMatchObject({
    count: PAGE_SIZE + 2,
    next: '/api/payments/?page=2&state=UNPLACED',
    previous: null,
  });
  expect(first.results[0].amount).toBe(PAGE_SIZE + 2);
  const second = (await other.get(first.next)).body;
  expect(second.results.map(({ amount }: { amount: number }) => amount)).toEqual([2, 1]);
  expect(second).toMatchObject({
    next: null,
    previous: '/api/payments/?page=1&state=UNPLACED',
    preceding: first.results.at(-1).uuid,
  });
  expect((await other.get('/api/payments/?state=PLACED')).status).toBe(400);
  expect((await other.get('/api/payments/?invoice=1')).status).toBe(404);
});

test('with payments off the endpoints do not exist, and a partly paid invoice can still be credited', async () => {
  const uuid = await invoice();
  await place(await addFromBank(100), uuid);
  const full = await invoice();
  await place(await addFromBank(TOTAL), full);
  const { config } = testApp.context;
  const { features } = config;
  (config as { features: ReadonlySet<unknown> }).features = new Set();
  try {
    for (const [method, url] of [
      ['GET', '/api/payments/'],
      ['POST', '/api/payments/'],
      ['POST', `/api/payments/${uuid}/place/`],
      ['POST', `/api/payments/${uuid}/undo/`],
      ['POST', `/api/payments/${uuid}/refund/`],
      ['DELETE', `/api/payments/${uuid}/`],
    ] as const) {
      expect((await client.send({ method, url })).status).toBe(404);
    }
    expect((await client.get(`/api/customers/${customer}/`)).body).not.toHaveProperty('credit');
    expect((await client.delete(`/api/invoices/${full}/?expect=PAID`)).status).toBe(409);
    expect(await stateOf(uuid)).toMatchObject({ paid_amount: 100, amount_due: 73.46 });
    expect((await client.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
  } finally {
    Object.assign(config, { features });
  }
  expect(await creditOf(customer)).toBe(100);
});
