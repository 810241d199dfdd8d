import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { oreToKroner, type Ore } from '../../domain/money.ts';
import { SYSTEM } from '../invoice/history.repository.ts';
import { AppError } from '../errors.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf, ownerOf } from '../testing/company.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  line,
  register,
} from '../testing/factories.ts';
import { addBankPayment, addReminderClaims } from '../testing/payments.ts';
import { markInvoice } from './mark-paid.service.ts';
import { paymentsAreRight } from './payment-check.repository.ts';
import * as payments from './payment.service.ts';

// Compares the product with a model made of plain lists, after any sequence of payments, undoings, placements,
// refunds, reminders and credit notes.

const OWNER = 'modell@example.no';
const TODAY = todayInOslo();
const GROSS = 1000 as Ore;
const INVOICES = 3;
const FEE = 250;

let testApp: TestApp;
let client: TestClient;
let companyId: number;

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff', FEATURES: 'payments,reminders,credit' });
  client = await testApp.login(OWNER);
  await completeProfile(client);
  companyId = await companyIdOf(testApp.context.db, OWNER);
});
afterAll(async () => testApp.close());

interface Money {
  amount: number;
  /** The part that pays reminder claims. */
  forReminders: number;
  day: string;
  /** The payment by hand that this is a part of, and its invoice; null for money of the bank. */
  hand: { readonly markedOn: number } | null;
  /** Whether the money was moved here. */
  isMoved: boolean;
  /** The index of its invoice; null when unplaced. */
  on: number | null;
  customer: number | null;
  /** `gone` when the row was undone or split. */
  state: 'there' | 'gone' | 'refund' | 'opposite';
}

const WAYS = [
  'pay',
  'bank',
  'place',
  'undo',
  'drop',
  'refund',
  'paid',
  'unpaid',
  'credit',
  'part',
  'remind',
] as const;

interface Step {
  readonly what: (typeof WAYS)[number];
  readonly invoice: number;
  readonly row: number;
  readonly amount: number;
  readonly daysAgo: number;
}

/** The books as plain lists: a row for each row of the table, in the same order. */
class Model {
  readonly rows: Money[] = [];
  readonly cancelled = new Set<number>();
  /** The credited part of each invoice, and whether it decides the day on which the invoice was paid. */
  readonly credited = new Map<number, { amount: number; isLater: boolean }>();
  readonly customers: readonly number[];
  /** Reminder claims of each invoice, and the waived part of them. */
  readonly asked = new Map<number, number>();
  readonly waived = new Set<number>();
  readonly #paid = new Set<number>();
  readonly #waivesRest: boolean;

  constructor(customers: readonly number[], waivesRest: boolean) {
    this.customers = customers;
    this.#waivesRest = waivesRest;
  }

  paid(invoice: number): number {
    return this.on(invoice).reduce((sum, money) => sum + principalOf(money), 0);
  }

  /** Reminder claims that are not paid. */
  unpaidClaims(invoice: number): number {
    if (this.cancelled.has(invoice) || this.waived.has(invoice)) return 0;
    const paid = this.on(invoice).reduce((sum, { forReminders }) => sum + forReminders, 0);
    return Math.max(0, (this.asked.get(invoice) ?? 0) - paid);
  }

  /** The money on an invoice, in order of date. */
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
      soFar += principalOf(money);
      if (soFar === this.#claimOf(invoice) && principalOf(money) > 0) day = money.day;
    }
    if (day !== null && this.credited.get(invoice)?.isLater) day = TODAY;
    const status = this.cancelled.has(invoice) ? 'CANCELLED' : day === null ? 'REGISTERED' : 'PAID';
    return { status, paid_date: day, paid_amount: amount / 100 };
  }

  creditOf(customer: number): number {
    return this.rows
      .filter((row) => row.on === null && row.state === 'there' && row.customer === customer)
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Performs a step on the model. Returns false when the product should refuse it. */
  perform(step: Step): boolean {
    const isDone = this.#perform(step);
    for (const invoice of this.customers.keys()) {
      const isPaid = !this.cancelled.has(invoice) && this.#dueOf(invoice) === 0;
      if (!isPaid) {
        this.waived.delete(invoice);
        this.#paid.delete(invoice);
      } else if (!this.#paid.has(invoice)) {
        this.#paid.add(invoice);
        if (this.#waivesRest && this.asked.has(invoice)) this.waived.add(invoice);
      }
    }
    return isDone;
  }

  #perform(step: Step): boolean {
    const { what, invoice, amount, daysAgo } = step;
    const money = this.rows[step.row];
    const day = addDays(TODAY, -daysAgo);
    const ways: Record<Step['what'], () => boolean> = {
      pay: () => this.#pay(invoice, amount, day),
      paid: () => this.#pay(invoice, this.#dueOf(invoice), TODAY),
      bank: () => this.#add({ ...NEW, amount, day }),
      place: () => isUnplaced(money) && this.#place(money, invoice),
      undo: () => money !== undefined && this.#undo(money),
      drop: () => isUnplaced(money) && this.#drop(money),
      refund: () => isUnplaced(money) && this.#refund(money),
      unpaid: () => this.#unpay(invoice),
      credit: () => this.#credit(invoice),
      part: () => this.#creditPart(invoice, amount),
      remind: () => this.#remind(invoice),
    };
    return ways[what]();
  }

  #dueOf(invoice: number): number {
    return this.cancelled.has(invoice) ? 0 : this.#claimOf(invoice) - this.paid(invoice);
  }

  #claimOf(invoice: number): number {
    return GROSS - (this.credited.get(invoice)?.amount ?? 0);
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
    if (amount === 0 || amount > due + this.unpaidClaims(invoice)) return false;
    const forReminders = Math.max(0, amount - due);
    const byHand = { hand: { markedOn: invoice }, on: invoice };
    return this.#add({ ...NEW, amount, forReminders, day, ...byHand });
  }

  #remind(invoice: number): boolean {
    if (this.#dueOf(invoice) === 0) return false;
    this.asked.set(invoice, (this.asked.get(invoice) ?? 0) + FEE);
    return true;
  }

  #place(money: Money, invoice: number): boolean {
    const due = this.#dueOf(invoice);
    const beside = this.unpaidClaims(invoice);
    const taken = due + beside;
    if (taken === 0) return false;
    if (money.amount <= taken) {
      money.on = invoice;
      money.forReminders = Math.max(0, money.amount - due);
      return true;
    }
    const customer = money.customer ?? this.customers[invoice] ?? null;
    const part = { ...money, isMoved: true };
    this.#add({ ...part, on: invoice, amount: taken, forReminders: beside });
    this.#add({ ...part, amount: money.amount - taken, customer });
    money.state = 'gone';
    this.#add({ ...money, state: 'opposite' });
    return true;
  }

  #undo(money: Money): boolean {
    if (money.state === 'refund') {
      money.state = 'gone';
      this.#add({ ...money, state: 'there', isMoved: true });
      return true;
    }
    if (money.state !== 'there' || (money.on === null && money.hand === null)) return false;
    this.#takeOff(money);
    return true;
  }

  #drop(money: Money): boolean {
    if (money.hand === null && money.isMoved) return false;
    money.state = 'gone';
    return this.#add({ ...money, state: 'opposite' });
  }

  /** Money that was marked on the invoice is as if it had never been, wherever a credit note has moved it. */
  #unpay(invoice: number): boolean {
    const manual = this.rows.filter(
      ({ on, hand, state }) => on === invoice && hand !== null && state === 'there',
    );
    if (this.cancelled.has(invoice) || this.#dueOf(invoice) > 0) return false;
    const isOwn = ({ hand }: Money) => hand?.markedOn === invoice;
    const own = this.rows.filter((row) => isOwn(row) && row.state !== 'gone');
    if (
      own.some(
        ({ on, state }) =>
          state === 'refund' || (state === 'there' && on !== null && on !== invoice),
      )
    ) {
      return false;
    }
    const all = this.rows.filter(
      (row) => row.state === 'there' && (manual.includes(row) || own.includes(row)),
    );
    if (manual.length === 0) return false;
    for (const each of all) this.#takeOff(each);
    return true;
  }

  #credit(invoice: number): boolean {
    if (this.cancelled.has(invoice)) return false;
    const there = this.rows.filter(({ on, state }) => on === invoice && state === 'there');
    for (const each of there) {
      each.customer ??= this.customers[invoice] ?? null;
      this.#release(each);
    }
    this.cancelled.add(invoice);
    return true;
  }

  #creditPart(invoice: number, amount: number): boolean {
    const claim = this.#claimOf(invoice);
    if (this.cancelled.has(invoice) || amount > claim) return false;
    if (amount === claim) return this.#credit(invoice);
    const before = this.credited.get(invoice);
    const isLater = (before?.isLater ?? false) || this.#dueOf(invoice) > 0;
    this.credited.set(invoice, { amount: GROSS - claim + amount, isLater });
    let excess = this.paid(invoice) - this.#claimOf(invoice);
    const there = this.rows.filter(({ on, state }) => on === invoice && state === 'there');
    for (const each of there.toReversed()) {
      const taken = Math.min(Math.max(0, excess), principalOf(each));
      if (taken === 0) continue;
      excess -= taken;
      each.state = 'gone';
      this.#add({ ...each, state: 'opposite' });
      const part = { ...each, state: 'there' as const, isMoved: true };
      const customer = each.customer ?? this.customers[invoice] ?? null;
      this.#add({ ...part, amount: taken, forReminders: 0, on: null, customer });
      if (each.amount > taken) this.#add({ ...part, amount: each.amount - taken });
    }
    return true;
  }

  #takeOff(money: Money): void {
    const isOwn = money.hand !== null && (money.on === null || money.hand.markedOn === money.on);
    if (!isOwn) {
      this.#release(money);
      return;
    }
    money.state = 'gone';
    this.#add({ ...money, state: 'opposite' });
  }

  #release(money: Money): void {
    money.state = 'gone';
    this.#add({ ...money, state: 'opposite' });
    this.#add({ ...money, state: 'there', isMoved: true, on: null, forReminders: 0 });
  }
}

/** A payment or reversal from the bank. */
const NEW = {
  forReminders: 0,
  hand: null,
  isMoved: false,
  on: null,
  customer: null,
  state: 'there',
} as const;

function principalOf({ amount, forReminders }: Money): number {
  return amount - forReminders;
}

function isUnplaced(money: Money | undefined): money is Money {
  return money?.state === 'there' && money.on === null;
}

/** Performs a step in the product. Returns false when the product refuses it. */
async function perform(step: Step, uuids: readonly string[], rows: readonly string[]) {
  const { context } = testApp;
  const { db } = context;
  const actor = ownerOf(companyId, OWNER);
  const uuid = uuids[step.invoice] ?? '';
  const row = rows[step.row] ?? crypto.randomUUID();
  const mark = (status: 'PAID' | 'REGISTERED') => async () =>
    db.transaction().execute(async (trx) => markInvoice(trx, companyId, SYSTEM, { uuid, status }));
  const works = {
    pay: async () =>
      payments.createPayment(context, actor, {
        invoiceUuid: uuid,
        amount: oreToKroner(step.amount as Ore),
        date: addDays(TODAY, -step.daysAgo),
      }),
    place: async () =>
      payments.placePayment({ ...context, isExported: async () => false }, actor, row, uuid),
    undo: async () => payments.undoPayment(context, actor, row),
    drop: async () => payments.dropPayment(context, actor, row),
    refund: async () => payments.refundPayment(context, actor, row),
    paid: mark('PAID'),
    unpaid: mark('REGISTERED'),
  };
  if (step.what === 'bank') {
    const paidOn = addDays(TODAY, -step.daysAgo);
    await addBankPayment(db, companyId, { amount: oreToKroner(step.amount as Ore), paidOn });
    return true;
  }
  if (step.what === 'remind') return remind(uuid);
  if (step.what === 'part') {
    const reduction = {
      description: 'Avslag',
      net_amount: oreToKroner(step.amount as Ore),
      vat_treatment: 'EXEMPT',
    };
    const body = { reductions: [reduction] };
    return (await client.post(`/api/invoices/${uuid}/credit/`, body)).status === 201;
  }
  if (step.what === 'credit') {
    const { status } = (await client.get(`/api/invoices/${uuid}/`)).body;
    const expected = status === 'CANCELLED' ? 'REGISTERED' : status;
    return (await client.delete(`/api/invoices/${uuid}/?expect=${expected}`)).status === 204;
  }
  try {
    await works[step.what]();
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Sends one more reminder. Returns false when the invoice is paid or credited. */
async function remind(uuid: string): Promise<boolean> {
  const { db } = testApp.context;
  const { status, id } = await invoiceOf(uuid);
  if (status !== 'REGISTERED') return false;
  const { step } = await db
    .selectFrom('reminder')
    .select(({ fn }) => fn.countAll<number>().as('step'))
    .where('companyId', '=', companyId)
    .where('invoiceId', '=', id)
    .executeTakeFirstOrThrow();
  await addReminderClaims(db, companyId, uuid, { fee: oreToKroner(FEE as Ore), step: step + 1 });
  return true;
}

async function invoiceOf(uuid: string) {
  return testApp.context.db
    .selectFrom('invoice')
    .select(['id', 'status', 'reminderAmount'])
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
}

/** Sets whether unpaid reminder claims are waived when an invoice is paid. */
async function setWaiver(waiveRest: boolean): Promise<void> {
  const settings = { automatic: false, approve: true, steps: '[]', minimumAmount: 0 as Ore };
  await testApp.context.db
    .insertInto('reminderSettings')
    .values({ companyId, ...settings, waiveRest })
    .onConflict((row) => row.column('companyId').doUpdateSet({ waiveRest }))
    .execute();
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
  what: fc.constantFrom(...WAYS, 'bank' as const, 'place' as const),
  invoice: fc.nat(INVOICES - 1),
  row: fc.nat(5),
  amount: fc.constantFrom(1, 250, 500, 999, 1000, 1500),
  daysAgo: fc.nat(20),
});

/** After a refund is undone, the payment can be placed again with its original date. */
const REFUND_UNDONE: Step[] = (['bank', 'refund', 'undo', 'place'] as const).map((what) => ({
  what,
  invoice: 0,
  row: 0,
  amount: 1000,
  daysAgo: 6,
}));

/** A payment by hand is split by a credit note, and then taken back (PAY-6), after its credit was used and freed. */
const SPLIT_BY_CREDIT: Step[] = (
  [
    ['paid', 0, 0],
    ['part', 0, 0],
    ['place', 1, 1],
    ['unpaid', 0, 0],
    ['undo', 1, 0],
    ['refund', 0, 0],
    ['unpaid', 0, 0],
    ['undo', 0, 0],
    ['unpaid', 0, 0],
  ] as const
).map(([what, invoice, row]) => ({ what, invoice, row, amount: 250, daysAgo: 0 }));

const anySteps = fc.array(anyStep, { minLength: 10, maxLength: 30 });

test('any sequence of actions leaves the books in the state of the model', async () => {
  const { db } = testApp.context;
  await fc.assert(
    fc.asyncProperty(anySteps, fc.boolean(), async (steps, waivesRest) => {
      await setWaiver(waivesRest);
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
      const model = new Model(customers, waivesRest);
      const before = (await rowsAfter(0)).at(-1)?.id ?? 0;
      for (const { row, ...some } of steps) {
        const rows = (await rowsAfter(before)).map(({ uuid }) => uuid);
        // Prefer the row added last, because it allows the most actions.
        const step = { ...some, row: rows.length - 1 - row };
        expect([step, await perform(step, uuids, rows)]).toEqual([step, model.perform(step)]);
      }
      expect(await rowsAfter(before)).toHaveLength(model.rows.length);
      for (const [index, uuid] of uuids.entries()) {
        expect((await client.get(`/api/invoices/${uuid}/`)).body).toMatchObject(
          model.stateOf(index),
        );
        expect((await invoiceOf(uuid)).reminderAmount).toBe(model.unpaidClaims(index));
      }
      for (const number of numbers) {
        const { credit } = (await client.get(`/api/customers/${number}/`)).body;
        expect(Math.round(credit * 100)).toBe(model.creditOf(number));
      }
      expect(await paymentsAreRight(db, companyId)).toBe(true);
    }),
    // Do not search for the shortest failing sequence, which takes minutes.
    {
      numRuns: 20,
      endOnFailure: true,
      examples: [
        [REFUND_UNDONE, true],
        [SPLIT_BY_CREDIT, false],
      ],
    },
  );
});
