import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { oreToKroner, type Ore } from '../../domain/money.ts';
import { SYSTEM } from '../history/history.service.ts';
import type { Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
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
import { addBankPayment } from '../testing/payments.ts';
import { paymentsAreRight } from './payment-check.service.ts';
import * as payments from './payment.service.ts';

// Any sequence of payments, undoings, placings, refunds and credit notes leaves the books as a model
// says that is made of plain lists.

const OWNER = 'modell@example.no';
const TODAY = todayInOslo();
const GROSS = 1000 as Ore;
const INVOICES = 3;

let testApp: TestApp;
let client: TestClient;
let companyId: number;

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff', FEATURES: 'payments' });
  client = await testApp.login(OWNER);
  await completeProfile(client);
  companyId = await companyIdOf(testApp.context.db, OWNER);
});
afterAll(async () => testApp.close());

interface Money {
  amount: number;
  day: string;
  isManual: boolean;
  /** Whether it lay unplaced before it was placed. */
  isFromElsewhere: boolean;
  /** The number of the invoice it is on, or null; `gone` when it was taken back or split. */
  on: number | null;
  customer: number | null;
  state: 'there' | 'gone' | 'refund' | 'opposite';
}

interface Step {
  readonly what: 'pay' | 'bank' | 'place' | 'undo' | 'refund' | 'paid' | 'unpaid' | 'credit';
  readonly invoice: number;
  readonly row: number;
  readonly amount: number;
  readonly daysAgo: number;
}

/** The books as plain lists: a row for each row of the table, in the same order. */
class Model {
  readonly rows: Money[] = [];
  readonly cancelled = new Set<number>();
  readonly customers: readonly number[];

  constructor(customers: readonly number[]) {
    this.customers = customers;
  }

  paid(invoice: number): number {
    return this.on(invoice).reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Money on an invoice, in the order of days. */
  on(invoice: number): Money[] {
    return this.rows
      .filter(({ on, state }) => on === invoice && state === 'there')
      .toSorted((a, b) => a.day.localeCompare(b.day));
  }

  stateOf(invoice: number) {
    const amount = this.paid(invoice);
    let soFar = 0;
    let day: string | null = null;
    for (const money of this.on(invoice)) {
      soFar += money.amount;
      if (soFar === GROSS) day = money.day;
    }
    const status = this.cancelled.has(invoice) ? 'CANCELLED' : day === null ? 'REGISTERED' : 'PAID';
    return { status, paid_date: day, paid_amount: amount / 100 };
  }

  creditOf(customer: number): number {
    return this.rows
      .filter((row) => row.on === null && row.state === 'there' && row.customer === customer)
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Does a step; false when the product should refuse it. */
  take(step: Step): boolean {
    const { what, invoice, amount, daysAgo } = step;
    const money = this.rows[step.row];
    const day = addDays(TODAY, -daysAgo);
    const ways: Record<Step['what'], () => boolean> = {
      pay: () => this.#pay(invoice, amount, day),
      paid: () => this.#pay(invoice, this.#dueOf(invoice), TODAY),
      bank: () => this.#add({ ...NEW, amount, day }),
      place: () => isUnplaced(money) && this.#place(money, invoice),
      undo: () => money !== undefined && this.#undo(money),
      refund: () => isUnplaced(money) && this.#refund(money),
      unpaid: () => this.#unpay(invoice),
      credit: () => this.#credit(invoice),
    };
    return ways[what]();
  }

  #dueOf(invoice: number): number {
    return this.cancelled.has(invoice) ? 0 : GROSS - this.paid(invoice);
  }

  #add(money: Money): boolean {
    this.rows.push({ ...money });
    return true;
  }

  #refund(money: Money): boolean {
    money.state = 'gone';
    return this.#add({ ...money, state: 'refund' });
  }

  #pay(invoice: number, amount: number, day: string): boolean {
    const due = this.#dueOf(invoice);
    if (due === 0 || amount > due) return false;
    return this.#add({ ...NEW, amount, day, isManual: true, isFromElsewhere: false, on: invoice });
  }

  #place(money: Money, invoice: number): boolean {
    const due = this.#dueOf(invoice);
    if (due === 0) return false;
    if (money.amount <= due) {
      money.on = invoice;
      return true;
    }
    const customer = money.customer ?? this.customers[invoice] ?? null;
    this.#add({ ...money, on: invoice, amount: due });
    this.#add({ ...money, amount: money.amount - due, customer });
    money.state = 'gone';
    this.#add({ ...money, state: 'opposite' });
    return true;
  }

  #undo(money: Money): boolean {
    if (money.state === 'refund') {
      money.state = 'gone';
      this.#add({ ...money, state: 'there' });
      return true;
    }
    if (money.state !== 'there' || money.on === null) return false;
    this.#takeOff(money);
    return true;
  }

  #unpay(invoice: number): boolean {
    const manual = this.rows.filter(
      ({ on, isManual, state }) => on === invoice && isManual && state === 'there',
    );
    if (this.cancelled.has(invoice) || this.#dueOf(invoice) > 0) return false;
    for (const each of manual) this.#takeOff(each);
    return manual.length > 0;
  }

  #credit(invoice: number): boolean {
    if (this.cancelled.has(invoice)) return false;
    const there = this.rows.filter(({ on, state }) => on === invoice && state === 'there');
    for (const each of there) {
      each.isFromElsewhere = true;
      each.customer ??= this.customers[invoice] ?? null;
      this.#takeOff(each);
    }
    this.cancelled.add(invoice);
    return true;
  }

  #takeOff(money: Money): void {
    money.state = 'gone';
    this.#add({ ...money, state: 'opposite' });
    if (money.isFromElsewhere) this.#add({ ...money, state: 'there', on: null });
  }
}

/** What the bank has told. */
const NEW = {
  isManual: false,
  isFromElsewhere: true,
  on: null,
  customer: null,
  state: 'there',
} as const;

function isUnplaced(money: Money | undefined): money is Money {
  return money?.state === 'there' && money.on === null;
}

/** Does a step in the product; false when it was refused. */
async function take(step: Step, uuids: readonly string[], rows: readonly string[]) {
  const { db } = testApp.context;
  const uuid = uuids[step.invoice] ?? '';
  const row = rows[step.row] ?? crypto.randomUUID();
  const mark = (status: 'PAID' | 'REGISTERED') => async (trx: Trx) =>
    payments.markInvoice(trx, companyId, SYSTEM, { uuid, status });
  const works = {
    pay: async (trx: Trx) =>
      payments.payByHand(trx, companyId, SYSTEM, {
        invoiceUuid: uuid,
        amount: step.amount as Ore,
        date: addDays(TODAY, -step.daysAgo),
      }),
    place: async (trx: Trx) =>
      payments.placePayment(trx, companyId, SYSTEM, { uuid: row, invoiceUuid: uuid }),
    undo: async (trx: Trx) => payments.undoPayment(trx, companyId, SYSTEM, row),
    refund: async (trx: Trx) => payments.refundPayment(trx, companyId, SYSTEM, row),
    paid: mark('PAID'),
    unpaid: mark('REGISTERED'),
  };
  if (step.what === 'bank') {
    const paidOn = addDays(TODAY, -step.daysAgo);
    await addBankPayment(db, companyId, { amount: oreToKroner(step.amount as Ore), paidOn });
    return true;
  }
  if (step.what === 'credit') {
    const { status } = (await client.get(`/api/invoices/${uuid}/`)).body;
    const expected = status === 'CANCELLED' ? 'REGISTERED' : status;
    return (await client.delete(`/api/invoices/${uuid}/?expect=${expected}`)).status === 204;
  }
  try {
    const work = works[step.what];
    await db.transaction().execute(async (trx) => void (await work(trx)));
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

async function rowsAfter(id: number): Promise<{ id: number; uuid: string }[]> {
  return testApp.context.db
    .selectFrom('payment')
    .select(['id', 'uuid'])
    .where('companyId', '=', companyId)
    .where('id', '>', id)
    .orderBy('id')
    .execute();
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    'pay',
    'bank',
    'bank',
    'place',
    'place',
    'undo',
    'refund',
    'paid',
    'unpaid',
    'credit',
  ),
  invoice: fc.nat(INVOICES - 1),
  row: fc.nat(5),
  amount: fc.constantFrom(1, 250, 500, 999, 1000, 1500),
  daysAgo: fc.nat(20),
});

/** What was paid back and is not after all is on the invoice since the day on which it came. */
const REFUND_UNDONE: Step[] = (['bank', 'refund', 'undo', 'place'] as const).map((what) => ({
  what,
  invoice: 0,
  row: 0,
  amount: 1000,
  daysAgo: 6,
}));

test('any sequence of what can be done leaves what the model says', async () => {
  const { db } = testApp.context;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 30 }), async (steps) => {
      const numbers = [await createCustomer(client), await createCustomer(client)];
      const customers = Array.from({ length: INVOICES }, (_, index) => numbers[index % 2] ?? 0);
      const uuids: string[] = [];
      for (const customer of customers) {
        const uuid = await createDraft(client, customer, {
          issue_date: addDays(TODAY, -30),
          invoice_lines: [line('Time', 10, 0)],
        });
        await register(client, uuid);
        uuids.push(uuid);
      }
      const model = new Model(customers);
      const before = (await rowsAfter(0)).at(-1)?.id ?? 0;
      for (const { row, ...some } of steps) {
        const rows = (await rowsAfter(before)).map(({ uuid }) => uuid);
        // What was added last is what most can be done with.
        const step = { ...some, row: rows.length - 1 - row };
        expect([step, await take(step, uuids, rows)]).toEqual([step, model.take(step)]);
      }
      expect(await rowsAfter(before)).toHaveLength(model.rows.length);
      for (const [index, uuid] of uuids.entries()) {
        expect((await client.get(`/api/invoices/${uuid}/`)).body).toMatchObject(
          model.stateOf(index),
        );
      }
      for (const number of numbers) {
        const { credit } = (await client.get(`/api/customers/${number}/`)).body;
        expect(Math.round(credit * 100)).toBe(model.creditOf(number));
      }
      expect(await paymentsAreRight(db, companyId)).toBe(true);
    }),
    // A fault is told at once: finding the shortest sequence that has it takes minutes.
    { numRuns: 20, endOnFailure: true, examples: [[REFUND_UNDONE]] },
  );
});
