import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { addDays, todayInOslo, type IsoDate } from '../../domain/date.ts';
import type { Cell } from '../../domain/export/table.ts';
import { tablesOf } from '../../domain/export/tables.ts';
import { currentMoment, openBooks } from '../export/open-books.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  CUSTOMER,
  line,
  register,
} from '../testing/factories.ts';
import { addBankPayment, addReminderClaims } from '../testing/payments.ts';

const OWNER = 'konto@example.no';
const TODAY = todayInOslo();
const START = addDays(TODAY, -400);
const day = (ago: number) => addDays(TODAY, -ago);

let testApp: TestApp;
let owner: TestClient;
let companyId: number;

beforeAll(async () => {
  testApp = await startTestApp({
    FEATURES: 'portal,payments,credit,reminders,export,overview',
    DISPATCH: 'staff',
  });
  owner = await testApp.login(OWNER);
  await completeProfile(owner);
  companyId = await companyIdOf(testApp.context.db, OWNER);
});
afterAll(async () => testApp.close());

/** Registers an invoice without VAT. Returns its uuid and its number. */
async function issue(customer: number, price: number, ago: number, dueDays = 14) {
  const uuid = await createDraft(owner, customer, {
    issue_date: day(ago),
    due_days: dueDays,
    invoice_lines: [line('Arbeid', price, 0)],
  });
  return { uuid, number: await register(owner, uuid) };
}

async function pay(invoice_uuid: string, amount: number, ago: number): Promise<string> {
  const answer = await owner.post('/api/payments/', { invoice_uuid, amount, date: day(ago) });
  expect(answer.status).toBe(201);
  return (answer.body as { uuid: string }).uuid;
}

async function statementOf(customer: number, from: IsoDate = START, to: IsoDate = TODAY) {
  const answer = await owner.get(`/api/customers/${customer}/statement/?from=${from}&to=${to}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

/** The sheet of an export of a period. */
async function sheetOf(name: string, from: IsoDate, to: IsoDate): Promise<(readonly Cell[])[]> {
  const { db } = testApp.context;
  const scope = { companyId, from, to, filter: null, ...(await currentMoment(db, companyId)) };
  const who = { madeBy: OWNER, madeAt: new Date().toISOString() };
  const rows: (readonly Cell[])[] = [];
  for (const table of tablesOf(await openBooks(db, scope, who))) {
    for await (const part of table.rows()) if (table.name === name) rows.push(...part);
  }
  return rows;
}

type Row = { date: IsoDate; kind: string; number: number; debit: number; credit: number };

const VOUCHERS: Record<string, string> = {
  INVOICE: 'Faktura',
  CREDIT_NOTE: 'Kreditnota',
  PAYMENT: 'Innbetaling',
};

/** Compares a statement with what an export says of the numbers that the customer has had. */
async function agrees(customer: number, from: IsoDate, to: IsoDate, numbers = [customer]) {
  const { opening, rows, closing, open } = await statementOf(customer, from, to);
  const ore = (kroner: number | null) => Math.round((kroner ?? 0) * 100);
  const mine = (sheet: readonly (readonly Cell[])[]) =>
    sheet.filter(([number]) => numbers.includes(Number(number)));
  const account = mine(await sheetOf('Kundespesifikasjon', from, to));
  const sum = (column: number) =>
    account.reduce((total, row) => total + Number(row[column] ?? 0), 0);
  expect([ore(opening), ore(closing)]).toEqual([sum(3), sum(9)]);
  const booked = account
    .filter((row) => row[4] !== null)
    .map((row) => [row[4], row[5], Number(row[7] ?? 0), Number(row[8] ?? 0)].join(' '));
  const stated = rows.map(({ date, kind, number, debit, credit }: Row) =>
    [date, `${VOUCHERS[kind]} ${number}`, ore(debit), ore(credit)].join(' '),
  );
  expect(stated.toSorted()).toEqual(booked.toSorted());
  const items = mine(await sheetOf('Åpne poster', from, to));
  expect(
    open.map((item: Record<string, number>) => [
      item['invoice_number'],
      item['issue_date'],
      item['due_date'],
      item['amount'] === null ? null : ore(item['amount'] ?? null),
      ore(item['left'] ?? null),
      item['days'],
    ]),
  ).toEqual(items.map((row) => row.slice(1, 7)));
}

// PORT-30, PORT-32, PORT-34, PORT-36
test('a statement has the balance before, each row with the balance after it, and what is open', async () => {
  const customer = await createCustomer(owner, { name: 'Kiosken AS' });
  const first = await issue(customer, 1000, 90);
  const second = await issue(customer, 500.5, 40);
  await pay(first.uuid, 400, 60);
  const credited = await owner.post(`/api/invoices/${second.uuid}/credit/`, {
    lines: [],
    reductions: [{ description: 'Avslag', net_amount: 100, vat_treatment: 'NOT_REGISTERED' }],
  });
  expect(credited.status).toBe(201);
  const note = (await owner.get(`/api/invoices/${credited.body.uuid}/`)).body.invoice_number;
  const refunded = await addBankPayment(testApp.context.db, companyId, {
    amount: 50,
    paidOn: day(30),
    customerId: await idOf(customer),
  });
  expect((await owner.post(`/api/payments/${refunded}/refund/`)).status).toBe(200);
  const statement = await statementOf(customer, day(50));
  expect(statement).toMatchObject({
    customer_number: customer,
    customer_name: 'Kiosken AS',
    from: day(50),
    to: TODAY,
    opening: 600,
    closing: 1000.5,
    reminder_amount: 0,
    open: [
      {
        invoice_number: first.number,
        issue_date: day(90),
        due_date: day(76),
        amount: 1000,
        left: 600,
        days: 76,
      },
      { invoice_number: second.number, amount: 500.5, left: 400.5, days: 26 },
    ],
    made_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  const row = { due_date: null, debit: null, credit: null };
  const said = { number: expect.any(Number), text: expect.any(String) };
  expect(statement.rows).toEqual([
    {
      date: day(40),
      kind: 'INVOICE',
      number: second.number,
      text: `Faktura ${second.number}`,
      due_date: day(26),
      debit: 500.5,
      credit: null,
      balance: 1100.5,
    },
    {
      ...row,
      ...said,
      date: day(30),
      kind: 'PAYMENT',
      text: 'Innbetaling',
      credit: 50,
      balance: 1050.5,
    },
    {
      ...row,
      date: TODAY,
      kind: 'CREDIT_NOTE',
      number: note,
      text: `Kreditnota ${note} for faktura ${second.number}`,
      credit: 100,
      balance: 950.5,
    },
    {
      ...row,
      ...said,
      date: TODAY,
      kind: 'PAYMENT',
      text: 'Tilbakebetaling',
      debit: 50,
      balance: 1000.5,
    },
  ]);
  expect(statement.ages.filter(({ count }: { count: number }) => count > 0)).toEqual([
    { age: 'DAYS_15_30', amount: 400.5, count: 1 },
    { age: 'DAYS_61_90', amount: 600, count: 1 },
  ]);
  const before = await statementOf(customer, START, day(51));
  expect(before.closing).toBe(statement.opening);
  await agrees(customer, day(50), TODAY);
  await agrees(customer, START, day(51));
});

async function idOf(customer: number): Promise<number> {
  const { id } = await testApp.context.db
    .selectFrom('customer')
    .select('id')
    .where('companyId', '=', companyId)
    .where('customerNumber', '=', customer)
    .executeTakeFirstOrThrow();
  return id;
}

// PORT-31
describe('the period', () => {
  test('is the year to today unless stated', async () => {
    const customer = await createCustomer(owner);
    const { body } = await owner.get(`/api/customers/${customer}/statement/`);
    expect(body).toMatchObject({ from: `${TODAY.slice(0, 4)}-01-01`, to: TODAY, opening: 0 });
  });

  const fiveYears = `${Number(TODAY.slice(0, 4)) - 5}${TODAY.slice(4)}`;

  test('may be five years', async () => {
    const customer = await createCustomer(owner);
    const { from } = await statementOf(customer, addDays(fiveYears, 1));
    expect(from).toBe(addDays(fiveYears, 1));
  });

  test.each([
    `?from=${TODAY}`,
    `?to=${TODAY}`,
    `?from=${TODAY}&to=${day(1)}`,
    `?from=${fiveYears}&to=${TODAY}`,
    `?from=${TODAY}&to=${addDays(TODAY, 1)}`,
    '?from=2026-02-30&to=2026-03-01',
  ])('%s is refused', async (query) => {
    const customer = await createCustomer(owner);
    const answer = await owner.get(`/api/customers/${customer}/statement/${query}`);
    expect(answer.status).toBe(400);
  });
});

// PORT-33
test('the customer is who has the number now, also after it was renumbered or another had its number', async () => {
  const gone = await createCustomer(owner, { name: 'Borte AS', email: null });
  const other = await issue(gone, 77, 30);
  await pay(other.uuid, 77, 20);
  expect((await owner.delete(`/api/customers/${gone}/`)).status).toBe(204);
  const customer = await createCustomer(owner, { name: 'Flytter AS', email: null });
  await issue(customer, 100, 30);
  const changed = { ...CUSTOMER, name: 'Flytter AS', customer_number: gone };
  expect((await owner.put(`/api/customers/${customer}/update/`, changed)).status).toBe(200);
  await issue(gone, 200, 10);
  const { rows, closing } = await statementOf(gone);
  expect([closing, rows.map(({ debit }: Row) => debit)]).toEqual([300, [100, 200]]);
  const url = `/api/customers/${customer}/statement/`;
  expect((await owner.get(url)).status).toBe(404);
});

// PORT-34
test('money that was moved between customers is a row of each, which names its own invoice alone', async () => {
  const [from, to] = [await createCustomer(owner), await createCustomer(owner)];
  const [wrong, right] = [await issue(from, 300, 30), await issue(to, 300, 30)];
  const payment = await addBankPayment(testApp.context.db, companyId, {
    amount: 300,
    paidOn: day(10),
  });
  const place = async (uuid: string, { uuid: invoice_uuid }: { uuid: string }) =>
    owner.post(`/api/payments/${uuid}/place/`, { invoice_uuid });
  expect((await place(payment, wrong)).status).toBe(200);
  expect((await owner.post(`/api/payments/${payment}/undo/`)).status).toBe(200);
  const { results } = (await owner.get('/api/payments/')).body;
  const unplaced = results.find(
    ({ amount, invoice_number }: { amount: number; invoice_number: number | null }) =>
      amount === 300 && invoice_number === null,
  );
  expect((await place(unplaced.uuid, right)).status).toBe(200);
  const texts = async (customer: number) =>
    (await statementOf(customer)).rows.map(({ text }: { text: string }) => text);
  expect((await texts(from)).join()).not.toContain(String(right.number));
  expect((await texts(to)).join()).not.toContain(String(wrong.number));
  expect(await texts(to)).toContain(`Flyttet innbetaling, faktura ${right.number}`);
  for (const customer of [from, to]) await agrees(customer, START, TODAY);
});

// PORT-35
test('what reminders ask for is no part of the balance', async () => {
  const customer = await createCustomer(owner);
  const { uuid, number } = await issue(customer, 1000, 60);
  const { db } = testApp.context;
  await addReminderClaims(db, companyId, uuid, { fee: 35, interest: 12.5, step: 1 });
  expect(await statementOf(customer)).toMatchObject({ closing: 1000, reminder_amount: 47.5 });
  await pay(uuid, 1035, 5);
  const { rows, closing, reminder_amount, open } = await statementOf(customer);
  expect(rows.at(-1)).toMatchObject({
    text: `Innbetaling, faktura ${number} (i tillegg 35,00 til purregebyr og renter)`,
    credit: 1000,
    balance: 0,
  });
  expect([closing, open]).toEqual([0, []]);
  expect(reminder_amount).toBe(0);
  await agrees(customer, START, TODAY);
});

const SEED = Number(process.env['BOOKS_SEED'] ?? 38);
const ACTS = Number(process.env['BOOKS_ROUNDS'] ?? 15) * 4;

/** Changes the books of some customers by calls that are accepted or refused. Returns the invoices' uuids by number. */
async function liveAtRandom(
  customers: readonly number[],
  below: (many: number) => number,
): Promise<ReadonlyMap<number, string>> {
  const { db } = testApp.context;
  const invoices = new Map<number, string>();
  const payments: string[] = [];
  const customer = () => customers[below(customers.length)] ?? 0;
  const some = () => [...invoices.values()][below(invoices.size)] ?? '';
  const kroner = (most = 900) => (1 + below(most * 100)) / 100;
  const acts: (() => Promise<boolean>)[] = [
    async () => {
      const { number, uuid } = await issue(customer(), kroner(), below(300), 1 + below(40));
      return invoices.set(number, uuid).has(number);
    },
    async () => {
      const body = { invoice_uuid: some(), amount: kroner(90), date: day(below(300)) };
      const answer = await owner.post('/api/payments/', body);
      if (answer.status === 201) payments.push((answer.body as { uuid: string }).uuid);
      return answer.status === 201;
    },
    async () => {
      const amount = kroner();
      const uuid = await addBankPayment(db, companyId, { amount, paidOn: day(below(300)) });
      payments.push(uuid);
      const placed = await owner.post(`/api/payments/${uuid}/place/`, { invoice_uuid: some() });
      return placed.status === 200;
    },
    async () => {
      const customerId = await idOf(customer());
      const given = { amount: kroner(), paidOn: day(below(300)), customerId };
      const uuid = await addBankPayment(db, companyId, given);
      return below(2) === 0 || (await owner.post(`/api/payments/${uuid}/refund/`)).status === 200;
    },
    async () => {
      const uuid = payments[below(payments.length)];
      return (await owner.post(`/api/payments/${uuid}/undo/`)).status === 200;
    },
    async () => {
      const taken = { description: 'Avslag', net_amount: kroner(45) };
      const answer = await owner.post(`/api/invoices/${some()}/credit/`, {
        reductions: [{ ...taken, vat_treatment: 'NOT_REGISTERED' }],
      });
      return answer.status === 201;
    },
    async () => below(3) === 0 && (await owner.delete(`/api/invoices/${some()}/`)).status === 204,
    async () => {
      // Refused by the database where nothing is due.
      const claims = { fee: 35, interest: below(900) / 100, sentOn: day(below(200)) };
      return addReminderClaims(db, companyId, some(), claims).then(
        () => true,
        () => false,
      );
    },
  ];
  const accepted = new Set<number>();
  for (let act = 0; act < ACTS; act += 1) {
    const which = act < 6 ? 0 : below(acts.length);
    if (await acts[which]?.()) accepted.add(which);
  }
  expect(acts.map((_, index) => accepted.has(index))).toEqual(acts.map(() => true));
  return invoices;
}

// PORT-32, PORT-36
test(`books that grew at random (seed ${SEED}) say the same in statement, export, overview and invoices`, async () => {
  let state = SEED;
  const below = (many: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * many);
  };
  const customers = [
    await createCustomer(owner),
    await createCustomer(owner),
    await createCustomer(owner),
  ];
  const invoices = await liveAtRandom(customers, below);
  for (const to of [TODAY, day(below(100)), day(100 + below(200))]) {
    const from = addDays(to, -below(90));
    for (const customer of customers) {
      await agrees(customer, from, to);
      const { closing } = await statementOf(customer, START, addDays(from, -1));
      expect((await statementOf(customer, from, to)).opening).toBe(closing);
    }
    const { rows } = await sql<{ number: number }>`
      SELECT customer_number AS number FROM customer WHERE company_id = ${companyId}`.execute(
      testApp.context.db,
    );
    const owed = new Map<string, number>();
    for (const { number } of rows) {
      for (const { age, amount } of (await statementOf(number, START, to)).ages) {
        owed.set(age, (owed.get(age) ?? 0) + Math.round(amount * 100));
      }
    }
    const { body } = await owner.get(`/api/overview/?as_of=${to}`);
    expect(Object.fromEntries(owed)).toEqual(
      Object.fromEntries(
        body.outstanding.ages.map(({ age, amount }: { age: string; amount: number }) => [
          age,
          Math.round(amount * 100),
        ]),
      ),
    );
  }
  const left = new Map<number, number>();
  for (const customer of customers) {
    for (const item of (await statementOf(customer)).open) left.set(item.invoice_number, item.left);
  }
  for (const [number, uuid] of invoices) {
    const { body } = await owner.get(`/api/invoices/${uuid}/`);
    expect([number, left.get(number) ?? 0]).toEqual([number, body.amount_due]);
  }
});

// PORT-37
test('the PDF is a page of its own, made anew each time', async () => {
  const customer = await createCustomer(owner, { name: 'Papir AS' });
  await issue(customer, 250, 3);
  const query = `?from=${day(10)}&to=${TODAY}`;
  const url = `/customers/${customer}/statement/pdf/`;
  const shown = await owner.get(`${url}${query}`);
  expect(shown.status).toBe(200);
  expect(shown.headers['content-type']).toBe('application/pdf');
  expect(shown.headers['content-disposition']).toBe(
    `inline; filename="Kontoutskrift-${customer}-${TODAY}.pdf"`,
  );
  expect(shown.headers['cache-control']).toBe('no-store');
  expect((await owner.get(`${url}?from=${TODAY}`)).status).toBe(400);
  expect((await owner.get('/customers/999999/statement/pdf/')).status).toBe(404);
  expect((await testApp.visitor().get(url)).headers['location']).toBe('/auth/login/');
});
