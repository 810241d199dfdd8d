import { createCustomerGroup, createCustomer } from '../../domain/customer/customer.endpoints.ts';
import { addDays, type IsoDate } from '../../domain/date.ts';
import { createInvoiceTemplate } from '../../domain/invoice-template/invoice-template.endpoints.ts';
import {
  createInvoices,
  deleteInvoice,
  getInvoice,
  queueInvoices,
} from '../../domain/invoice/invoice.endpoints.ts';
import { createPayment } from '../../domain/payment/payment.endpoints.ts';
import { createProduct } from '../../domain/product/product.endpoints.ts';
import { updateProfile } from '../../domain/profile/profile.endpoints.ts';
import { createAssignment, runAssignment } from '../../domain/recurring/recurring.endpoints.ts';
import { createReminder, disputeInvoice } from '../../domain/reminder/reminder.endpoints.ts';
import type { Context } from '../../server/context.ts';
import { suppress } from '../../server/platform/mail/refusals.ts';
import {
  BOUNCING_EMAIL,
  CARE,
  CUSTOMERS,
  DAY_OF_WORK,
  HOUSING,
  PRODUCTS,
  PROFILE,
  TRIP,
  WORKS,
} from './company.ts';
import { readPayments, type BankPayment, type Call } from './owner.ts';
import { planQuotes } from './quotes.ts';

/** An event in the company's life. */
export interface Happening {
  readonly day: IsoDate;
  readonly happen: () => Promise<void>;
}

/** An invoice; its uuid is set once it is made. */
interface Made {
  uuid: string;
}

/** At least this many weeks are needed: the oldest of the fixed examples is younger. */
const LEAST_WEEKS = 7;
const LAST_DAY = '28';
const DUE_DAYS = 14;
/** The customers of ordinary weeks, by number, and the days until they pay. */
const ORDINARY = [1, 3, 5, 7, 8, 2, 4];
const PAID_AFTER = [8, 13, 11, 16, 14, 10];
/** Payments of this many last days come from a bank file. */
const READ_FROM_FILE = 12;

/** The day on which the company registers. */
export function beginningOf(today: IsoDate, weeks: number): IsoDate {
  const day = addDays(today, -7 * Math.max(weeks, LEAST_WEEKS));
  // A day that every month has.
  return `${day.slice(0, 8)}${day.slice(8) < LAST_DAY ? day.slice(8) : LAST_DAY}`;
}

/**
 * Plans the company's life until today: ordinary weeks, in which customers pay sooner or later, and at the end one
 * example of each situation that an owner meets.
 */
export function planLife(
  context: Pick<Context, 'db'>,
  call: Call,
  today: IsoDate,
  weeks: number,
): Happening[] {
  const life: Happening[] = [];
  const on: Plan['on'] = (day, happen) => {
    if (day <= today) life.push({ day, happen: async () => void (await happen()) });
  };
  const send: Plan['send'] = (day, work) => {
    const made: Made = { uuid: '' };
    on(day, async () => {
      made.uuid = await write(call, day, work);
      await call(queueInvoices, { query: { invoiceUuid: made.uuid }, body: undefined });
    });
    return made;
  };
  const plan = { on, send, call };
  const first = beginningOf(today, weeks);
  const housing = { assignmentUuid: '' };
  on(first, async () => {
    housing.assignmentUuid = await settleIn(call, first);
  });
  for (let day = first; day <= today; day = nextMonth(day)) planCare(day, housing, plan);
  planWeeks(addDays(today, -7 * weeks), today, plan);
  planEachKind(context, today, plan);
  planQuotes(call, today, on);
  return life;
}

interface Plan {
  readonly on: (day: IsoDate, happen: () => Promise<unknown>) => void;
  readonly send: (day: IsoDate, work: Work) => Made;
  readonly call: Call;
}

/** Invoices unpaid or paid late, each for another reason, and invoices not sent yet. */
function planEachKind({ db }: Pick<Context, 'db'>, today: IsoDate, { on, send, call }: Plan): void {
  const ago = (days: number) => addDays(today, -days);
  const reminded = send(ago(44), { customer: 7, lines: WORKS[0] });
  on(ago(20), async () => {
    const body = { kind: 'REMINDER' as const, fee: false, interest: false };
    await call(createReminder, { params: { invoiceUuid: reminded.uuid }, query: {}, body });
  });
  const disputed = send(ago(40), { customer: 5, lines: WORKS[4] });
  on(ago(24), async () => {
    const body = { disputed: true, note: 'Døren går ikke igjen.' };
    await call(disputeInvoice, { params: { invoiceUuid: disputed.uuid }, body });
  });
  send(ago(36), { customer: 8, lines: WORKS[2] });
  const credited = send(ago(33), { customer: 3, lines: WORKS[5] });
  on(ago(31), async () =>
    call(deleteInvoice, { params: { invoiceStr: credited.uuid }, query: {} }),
  );
  const partPaid = send(ago(25), { customer: 1, lines: WORKS[3] });
  on(ago(6), async () => pay(call, ago(6), partPaid, 0.5));
  send(ago(9), { customer: 10, lines: WORKS[0], deliveryType: 'NONE' });
  // As after a report of the mail server.
  on(ago(5), async () => suppress(db, BOUNCING_EMAIL, 'BOUNCE'));
  send(ago(4), { customer: 9, lines: WORKS[1] });
  send(ago(2), { customer: 11, lines: WORKS[5] });
  send(ago(1), { customer: 2, lines: WORKS[4] });
  on(today, async () => write(call, today, { customer: 1, lines: WORKS[5] }));
  // It cannot be sent: the customer has no address.
  on(today, async () => write(call, today, { customer: 10, lines: WORKS[4] }));
}

/** Invoices of the standing assignment, with their later payments. */
function planCare(
  day: IsoDate,
  params: { readonly assignmentUuid: string },
  { on, call }: Pick<Plan, 'on' | 'call'>,
): void {
  let invoices: readonly string[] = [];
  on(day, async () => {
    ({ invoices } = await call(runAssignment, { params }));
  });
  const paid = addDays(day, 12);
  on(paid, async () => {
    for (const uuid of invoices) await pay(call, paid, { uuid });
  });
}

/** The same day of the next month, a day that every month has. */
function nextMonth(date: IsoDate): IsoDate {
  return addDays(date.slice(0, 8) + '01', 31).slice(0, 8) + date.slice(8);
}

/** One or two works a week. A bank file reports the latest payments. */
function planWeeks(from: IsoDate, today: IsoDate, { on, send, call }: Plan): void {
  const read = addDays(today, -1);
  const byBank: BankPayment[] = [];
  for (let works = 0, day = addDays(from, 5); day < addDays(today, -3); works += 1) {
    const customer = ORDINARY[works % ORDINARY.length] ?? 1;
    const made = send(day, { customer, lines: WORKS[works % WORKS.length] ?? WORKS[0] });
    const paid = addDays(day, PAID_AFTER[works % PAID_AFTER.length] ?? DUE_DAYS);
    if (paid <= addDays(today, -READ_FROM_FILE)) on(paid, async () => pay(call, paid, made));
    else if (paid < today) byBank.push({ day: paid, invoice: made });
    day = addDays(day, works % 2 === 0 ? 2 : 5);
  }
  on(read, async () => readPayments(call, read, byBank));
}

/** The company's initial data. Returns the uuid of its standing assignment. */
async function settleIn(call: Call, first: IsoDate): Promise<string> {
  await call(updateProfile, { body: PROFILE });
  for (const customer of CUSTOMERS) await call(createCustomer, { body: customer });
  for (const product of PRODUCTS) await call(createProduct, { body: product });
  const housing = { groupName: 'Borettslag og sameier', customers: HOUSING };
  const { uuid: groupUuid } = await call(createCustomerGroup, { body: housing });
  await call(createCustomerGroup, { body: { groupName: 'Faste kunder', customers: [1, 3, 7] } });
  await call(createInvoiceTemplate, {
    body: { name: 'Befaring', deliveryType: 'EMAIL', dueDays: DUE_DAYS, lines: [TRIP] },
  });
  await call(createInvoiceTemplate, {
    body: {
      name: 'Dagsverk',
      deliveryType: 'EMAIL',
      dueDays: DUE_DAYS,
      lines: [DAY_OF_WORK, TRIP],
    },
  });
  const { uuid: assignmentUuid } = await call(createAssignment, {
    body: {
      name: 'Vaktmestertjeneste',
      groupUuid,
      deliveryType: 'EMAIL',
      dueDays: DUE_DAYS,
      invoiceLines: [CARE],
      interval: { unit: 'MONTH', count: 1 },
      day: Number(first.slice(8)),
      firstDate: first,
      mode: 'SEND',
    },
  });
  return assignmentUuid;
}

interface Work {
  readonly customer: number;
  readonly lines: (typeof WORKS)[number];
  /** EMAIL by default. */
  readonly deliveryType?: 'EMAIL' | 'NONE';
}

/** Writes a draft and returns its uuid. */
async function write(
  call: Call,
  issueDate: IsoDate,
  { customer, lines, deliveryType = 'EMAIL' }: Work,
): Promise<string> {
  const [draft] = await call(createInvoices, {
    body: {
      customerNumbers: [customer],
      deliveryType,
      issueDate,
      dueDays: DUE_DAYS,
      invoiceLines: [...lines],
    },
  });
  if (!draft) throw new Error('No draft was made');
  return draft.uuid;
}

/** Enters by hand a payment of a share of an invoice. */
async function pay(call: Call, date: IsoDate, { uuid }: Made, share = 1): Promise<void> {
  const { amountDue } = await call(getInvoice, { params: { invoiceStr: uuid } });
  const amount = Math.round(amountDue * share);
  await call(createPayment, {
    body: { invoiceUuid: uuid, amount: share === 1 ? amountDue : amount, date },
  });
}
