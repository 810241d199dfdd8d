import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { claimOf, type Voucher } from '../../domain/export/journal.ts';
import type { Cell } from '../../domain/export/table.ts';
import { tablesOf } from '../../domain/export/tables.ts';
import { AppError } from '../errors.ts';
import { SYSTEM } from '../invoice/history.repository.ts';
import { markInvoice } from '../payment/mark-paid.service.ts';
import * as payments from '../payment/payment.service.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf, ownerOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { addBankPayment, addReminderClaims } from '../testing/payments.ts';
import type { Books, ExportScope } from './books.ts';
import { insertExport, isExported } from './export.repository.ts';
import { currentMoment, openBooks } from './open-books.ts';

const OWNER = 'bok@example.no';
const TODAY = todayInOslo();
const WHO = { madeBy: OWNER, madeAt: new Date().toISOString() };

let testApp: TestApp;
let client: TestClient;
let companyId: number;

beforeAll(async () => {
  testApp = await startTestApp({
    DISPATCH: 'staff',
    FEATURES: 'payments,reminders,credit,vat,units',
  });
  client = await testApp.login(OWNER);
  await completeProfile(client);
  companyId = await companyIdOf(testApp.context.db, OWNER);
});
afterAll(async () => testApp.close());

async function open(changes: Partial<ExportScope> = {}): Promise<Books> {
  const { db } = testApp.context;
  const moment = await currentMoment(db, companyId);
  const all = { companyId, from: null, to: TODAY, filter: null, ...moment };
  return openBooks(db, { ...all, ...changes }, WHO);
}

async function listed<T>(parts: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(...part);
  return all;
}

function sumOf<T>(rows: readonly T[], amount: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + amount(row), 0);
}

test('what was marked as paid by mistake, split by a credit note and taken back is nothing on the bank account', async () => {
  const customer = await createCustomer(client);
  const uuid = await createDraft(client, customer);
  await register(client, uuid);
  const isOfBank = ({ role }: { role: string }) => role === 'BANK';
  const onBank = async () => {
    const postings = (await listed((await open()).vouchers())).flatMap(
      (voucher) => voucher.postings,
    );
    return sumOf(postings.filter(isOfBank), ({ amount }) => amount);
  };
  const before = await onBank();
  const mark = async (status: string) => client.post(`/api/invoices/${uuid}/update/`, { status });
  expect((await mark('PAID')).status).toBe(200);
  const reductions = [{ description: 'Avslag', net_amount: 40, vat_treatment: 'STANDARD' }];
  expect((await client.post(`/api/invoices/${uuid}/credit/`, { reductions })).status).toBe(201);
  expect(await onBank()).toBe(before + 173_46);
  expect((await mark('REGISTERED')).status).toBe(200);
  expect(await onBank()).toBe(before);
});

type Sheets = Readonly<Record<string, { columns: string[]; rows: (readonly Cell[])[] }>>;

async function sheetsOf(books: Books): Promise<Sheets> {
  const sheets: Record<string, Sheets[string]> = {};
  for (const table of tablesOf(books)) {
    const columns = table.columns.map(({ name }) => name);
    sheets[table.name] = { columns, rows: await listed(table.rows()) };
  }
  return sheets;
}

function total({ columns, rows }: Sheets[string] = { columns: [], rows: [] }, column: string) {
  const index = columns.indexOf(column);
  if (index < 0) throw new Error(`No column ${column}`);
  return sumOf(rows, (row) => Number(row[index] ?? 0));
}

function receivables(vouchers: readonly Voucher[]): number {
  return sumOf(
    vouchers.flatMap(({ postings }) => postings),
    ({ role, amount }) => (role === 'RECEIVABLES' ? amount : 0),
  );
}

const TREATMENTS = [
  'STANDARD',
  'FOOD',
  'REDUCED',
  'EXEMPT',
  'EXPORT',
  'OUTSIDE',
  'REVERSE',
] as const;

const anyLine = fc.record({
  description: fc.constantFrom('Time', '=1+1', 'Planke; 2 m'),
  invoiced_quantity: fc.constantFrom(1, 3, 0.333),
  unit: fc.constant('EA'),
  net_unit_amount: fc.constantFrom(100.1, 33.33, 999.99, 1),
  vat_treatment: fc.constantFrom(...TREATMENTS),
});

const WAYS = [
  'bank',
  'place',
  'undo',
  'refund',
  'paid',
  'pay',
  'unpaid',
  'part',
  'credit',
  'remind',
  'copy',
  'export',
] as const;

const anyStep = fc.record({
  what: fc.constantFrom(
    ...WAYS,
    'bank' as const,
    'place' as const,
    'undo' as const,
    'copy' as const,
  ),
  invoice: fc.nat(3),
  row: fc.nat(5),
  amount: fc.constantFrom(1, 35.5, 100, 250, 2000),
  daysAgo: fc.nat(80),
});
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

/** Does one thing as somebody may, or nothing where it is refused. */
async function perform(
  { what, row, amount, daysAgo }: Step,
  uuid: string,
  step: number,
): Promise<void> {
  const { context } = testApp;
  const { db } = context;
  const actor = ownerOf(companyId, OWNER);
  const date = addDays(TODAY, -daysAgo);
  const rows = await db
    .selectFrom('payment')
    .select('uuid')
    .where('companyId', '=', companyId)
    .orderBy('id', 'desc')
    .limit(8)
    .execute();
  const chosen = rows[row]?.uuid ?? crypto.randomUUID();
  const url = `/api/invoices/${uuid}/`;
  const { status } = (await client.get(url)).body as { status: string };
  const mark = (to: 'PAID' | 'REGISTERED') => async () =>
    db
      .transaction()
      .execute(async (trx) => markInvoice(trx, companyId, SYSTEM, { uuid, status: to }));
  const works: Record<Step['what'], () => Promise<unknown>> = {
    bank: async () =>
      addBankPayment(db, companyId, { amount: step % 7 === 0 ? -amount : amount, paidOn: date }),
    copy: async () => addBankPayment(db, companyId, { amount, paidOn: date, possibleCopy: true }),
    place: async () => payments.placePayment({ ...context, isExported }, actor, chosen, uuid),
    undo: async () => payments.undoPayment(context, actor, chosen),
    refund: async () => payments.refundPayment(context, actor, chosen),
    paid: mark('PAID'),
    unpaid: mark('REGISTERED'),
    pay: async () => payments.createPayment(context, actor, { invoiceUuid: uuid, amount, date }),
    part: async () => client.post(`${url}credit/`, { lines: [] }),
    credit: async () => client.delete(`${url}?expect=${status}`),
    export: exportSinceLast,
    remind: async () => {
      if (status === 'REGISTERED')
        await addReminderClaims(db, companyId, uuid, { fee: 35, interest: 12.34, step: step + 1 });
    },
  };
  if (what === 'part') {
    const { lines } = (await client.get(url)).body as { lines: { id: number }[] };
    const id = lines[row % lines.length]?.id;
    await client.post(`${url}credit/`, { lines: [{ id, net_amount: 1 }] });
    return;
  }
  try {
    await works[what]();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** The point at which the last export ended, and what customers owe by the vouchers of all (øre). */
let exported = { after: { number: 0, paymentId: 0 }, owed: 0 };

async function exportSinceLast(): Promise<void> {
  const { db } = testApp.context;
  const { lastNumber: number, lastPaymentId: paymentId } = (await open()).scope;
  const through = { number, paymentId };
  const range = { after: exported.after, through, from: null, to: null };
  const { scope, sums, ...books } = await open({ ranges: [range] });
  const added = { kind: 'SAFT', scope, sums, byJob: false, sentTo: null, by: SYSTEM } as const;
  await db.transaction().execute(async (trx) => insertExport(trx, added));
  exported = {
    after: through,
    owed: exported.owed + receivables(await listed(books.vouchers())),
  };
}

/** The amounts due by invoices, less credit and unplaced money (øre). */
async function owed(): Promise<number> {
  const { db } = testApp.context;
  const invoices = await db
    .selectFrom('invoice')
    .select(['grossAmount', 'creditedAmount', 'paidAmount'])
    .where('companyId', '=', companyId)
    .where('status', 'in', ['REGISTERED', 'PAID'])
    .where('kind', '=', 'INVOICE')
    .execute();
  const customers = await db
    .selectFrom('customer')
    .select('credit')
    .where('companyId', '=', companyId)
    .execute();
  const nobody = await db
    .selectFrom('payment')
    .select('amount')
    .where('companyId', '=', companyId)
    .where('invoiceId', 'is', null)
    .where('customerId', 'is', null)
    .where('possibleCopy', '=', false)
    .execute();
  return (
    sumOf(
      invoices,
      ({ grossAmount, creditedAmount, paidAmount }) => grossAmount - creditedAmount - paidAmount,
    ) -
    sumOf(customers, ({ credit }) => Number(credit)) -
    sumOf(nobody, ({ amount }) => amount)
  );
}

async function agree(): Promise<void> {
  const books = await open();
  const vouchers = await listed(books.vouchers());
  for (const { postings, ...voucher } of vouchers) {
    expect([voucher.kind, voucher.number, sumOf(postings, ({ amount }) => amount)]).toEqual([
      voucher.kind,
      voucher.number,
      0,
    ]);
  }
  const debt = await owed();
  expect(receivables(vouchers)).toBe(debt);
  const sheets = await sheetsOf(books);
  expect(total(sheets['Fakturaer'], 'Netto')).toBe(books.sums.net);
  expect(total(sheets['Fakturaer'], 'Mva')).toBe(books.sums.vat);
  expect(total(sheets['Fakturaer'], 'Total')).toBe(books.sums.gross);
  const groups = [
    'Grunnlag 25 %',
    'Grunnlag 15 %',
    'Grunnlag 12 %',
    'Fritatt',
    'Utførsel',
    'Utenfor loven',
  ];
  expect(sumOf(groups, (column) => total(sheets['Fakturaer'], column))).toBe(books.sums.net);
  expect(total(sheets['Linjer'], 'Netto')).toBe(books.sums.net);
  expect(total(sheets['Mva'], 'Grunnlag')).toBe(books.sums.net);
  expect(total(sheets['Mva'], 'Mva')).toBe(books.sums.vat);
  expect(total(sheets['Bilag'], 'Debet')).toBe(total(sheets['Bilag'], 'Kredit'));
  expect(total(sheets['Åpne poster'], 'Rest')).toBe(debt);
  const customers = sheets['Kundespesifikasjon'];
  expect(total(customers, 'Utgående')).toBe(debt);
  expect(
    total(customers, 'Inngående') + total(customers, 'Debet') - total(customers, 'Kredit'),
  ).toBe(debt);
  const accounts = await books.accounts();
  expect(sumOf(accounts, ({ closing }) => closing)).toBe(0);
  expect(accounts.find(({ role }) => role === 'RECEIVABLES')?.closing ?? 0).toBe(debt);
  const bank = accounts.find(({ role }) => role === 'BANK')?.closing ?? 0;
  expect(total(sheets['Innbetalinger'], 'Beløp')).toBe(bank);
  await agreeInParts(vouchers);
}

/** The periods add up to the whole, and each one begins with what the one before ended with. */
async function agreeInParts(all: readonly Voucher[]): Promise<void> {
  const middle = addDays(TODAY, -40);
  const [early, late] = [await open({ to: middle }), await open({ from: addDays(middle, 1) })];
  const parts = [...(await listed(early.vouchers())), ...(await listed(late.vouchers()))];
  expect(parts.map(nameOf).toSorted()).toEqual(all.map(nameOf).toSorted());
  const closing = new Map(
    (await listed(early.customers())).map(({ customer, closing: owes }) => [
      customer.customerNumber,
      owes,
    ]),
  );
  for (const { customer, opening, closing: owes } of await listed(late.customers())) {
    expect([customer, opening]).toEqual([customer, closing.get(customer.customerNumber) ?? 0]);
    const booked = (await listed(late.vouchers())).flatMap((voucher) =>
      voucher.postings.filter(
        (posting) =>
          posting.role === 'RECEIVABLES' &&
          claimOf(voucher, posting).customer?.customerNumber === customer.customerNumber,
      ),
    );
    expect(opening + sumOf(booked, ({ amount }) => amount)).toBe(owes);
  }
  expect((await early.unplaced()).closing).toBe((await late.unplaced()).opening);
  const [first] = await early.accounts();
  expect(sumOf(await listed(early.openItems()), ({ rest }) => rest)).toBe(
    first?.role === 'RECEIVABLES' ? first.closing : receivables(await listed(early.vouchers())),
  );
}

function nameOf({ kind, number, date }: Voucher): string {
  return `${kind} ${number} ${date}`;
}

// EXP-2, EXP-4, EXP-60, EXP-64
test('the sums of all sheets and of the journal agree with what invoices and customers say, whatever happened', async () => {
  const anyInvoices = fc.array(fc.array(anyLine, { minLength: 1, maxLength: 4 }), {
    minLength: 4,
    maxLength: 4,
  });
  let step = 0;
  await fc.assert(
    fc.asyncProperty(
      anyInvoices,
      fc.array(anyStep, { minLength: 10, maxLength: 25 }),
      async (invoices, steps) => {
        const abroad = { country: 'SE', vat_number: 'SE123456789001' };
        const customers = [
          await createCustomer(client, abroad),
          await createCustomer(client, abroad),
        ];
        const uuids: string[] = [];
        for (const [index, invoice_lines] of invoices.entries()) {
          const issue_date = addDays(TODAY, -20 * (index + 1));
          const uuid = await createDraft(client, customers[index % 2] ?? 0, {
            issue_date,
            invoice_lines,
          });
          await register(client, uuid);
          uuids.push(uuid);
        }
        for (const each of steps) await perform(each, uuids[each.invoice] ?? '', ++step);
        await agree();
        await exportSinceLast();
        expect(exported.owed).toBe(await owed());
        expect(uuids).toHaveLength(4);
      },
    ),
    { numRuns: 4, endOnFailure: true },
  );
});
