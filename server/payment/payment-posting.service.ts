import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { amountDue, partForReminders } from '../../domain/invoice/claim.ts';
import { claimLeft } from '../../domain/late-payment/claim-left.ts';
import { ore, oreToKroner, type Ore } from '../../domain/money.ts';
import {
  SYSTEM,
  findStatuses,
  lockPayables,
  recordEvents,
  type NewEvent,
  type Payable,
} from '../invoice/invoice.service.ts';
import type { Trx } from '../platform/db/database.ts';
import { findRates } from './late-payment.service.ts';
import {
  findPaid,
  insertPayments,
  oppositeOf,
  partOf,
  setInvoice,
  type NewPayment,
  type PaymentRow,
} from './payment.repository.ts';
import {
  findAsked,
  findExcess,
  findForReminders,
  saveRecounts,
} from './reminder-recount.repository.ts';

export type { NewPayment } from './payment.repository.ts';

const NOTHING = ore(0);

/** The invoices that payments are added to or taken from, as locked. */
type Payables = ReadonlyMap<number, Pick<Payable, 'status'>>;

/**
 * Adds any number of payments, a few thousand per statement, and records them in the history of their invoices.
 * The database derives the paid amounts and the customers' credit. Returns ids in the order of the rows.
 *
 * The caller holds the company (`lockCompany`) when a row is unplaced and has a customer, and then the invoices:
 * `payables` has every invoice named in the rows (`lockPayables`).
 */
export async function addPayments(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { rows, payables }: { readonly rows: readonly NewPayment[]; readonly payables: Payables },
): Promise<Pick<PaymentRow, 'id' | 'uuid'>[]> {
  if (rows.length === 0) return [];
  const added = await insertPayments(
    trx,
    companyId,
    rows.map((row) => toRow(author, row)),
  );
  await recordPaymentEvents(trx, companyId, author, { rows, payables });
  await followReminders(trx, companyId, [...payables.keys()]);
  return added;
}

/** Places the whole of an unplaced payment on an invoice with enough room. Locks as for `addPayments`. */
export async function placeWhole(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { payment, invoice }: { payment: PaymentRow; invoice: Payable },
): Promise<void> {
  await setInvoice(trx, companyId, payment.id, {
    invoiceId: invoice.id,
    reminderAmount: partForReminders(payment.amount, amountDue(invoice)),
  });
  const rows = [{ ...payment, invoiceId: invoice.id }];
  await recordPaymentEvents(trx, companyId, author, {
    rows,
    payables: new Map([[invoice.id, invoice]]),
  });
  await followReminders(trx, companyId, [invoice.id]);
}

/** Recounts the claims of these invoices' reminders (REM-19). Money for a waived claim becomes credit. */
async function followReminders(
  trx: Trx,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<void> {
  if (!(await recountReminders(trx, companyId, invoiceIds))) return;
  const forNothing = await findPaidForNothing(trx, companyId, invoiceIds);
  if (forNothing.length === 0) return;
  const ids = forNothing.flatMap(({ payment }) => payment.invoiceId ?? []);
  const payables = await lockPayables(trx, companyId, ids);
  const rows: NewPayment[] = [];
  for (const { payment, amount } of forNothing) {
    const { invoiceId } = payment;
    const customerId = payment.customerId ?? payables.get(invoiceId ?? 0)?.customerId ?? null;
    const part = partOf(payment);
    const left = ore(payment.amount - amount);
    const reminderAmount = ore(payment.reminderAmount - amount);
    rows.push(oppositeOf(payment, 'UNDO'), { ...part, amount, invoiceId: null, customerId });
    if (left > 0) rows.push({ ...part, amount: left, reminderAmount, invoiceId });
  }
  await addPayments(trx, companyId, SYSTEM, { rows, payables });
}

/** Writes payments, and changes of an invoice's status that follow from them, to the history. */
async function recordPaymentEvents(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { rows, payables }: { readonly rows: readonly NewPayment[]; readonly payables: Payables },
): Promise<void> {
  const events = rows.flatMap((row) => toEvent(companyId, row));
  if (events.length === 0) return;
  const after = await findStatuses(trx, companyId, [
    ...new Set(events.map(({ invoiceId }) => invoiceId)),
  ]);
  for (const { id, status, paidDate } of after) {
    const before = payables.get(id)?.status;
    if (before === undefined) throw new Error(`Invoice ${id} was not locked before it was paid`);
    if (status === before) continue;
    events.push(
      paidDate === null
        ? { companyId, invoiceId: id, kind: 'UNPAID' }
        : { companyId, invoiceId: id, kind: 'PAID', details: { paidDate } },
    );
  }
  await recordEvents(trx, author, events);
}

function toEvent(
  companyId: number,
  { invoiceId, amount, paidOn, source, kind }: NewPayment,
): NewEvent[] {
  if (invoiceId === null) return [];
  const details = {
    amount: oreToKroner(amount),
    date: paidOn,
    source,
    ...(kind === 'PAYMENT' ? {} : { takenBack: true }),
  };
  return [{ companyId, invoiceId, kind: 'PAYMENT', details }];
}

/** All rows of one statement need the same columns. */
function toRow(author: HistoryAuthor, row: NewPayment) {
  return {
    invoiceId: row.invoiceId,
    customerId: row.customerId ?? null,
    amount: row.amount,
    reminderAmount: row.reminderAmount ?? NOTHING,
    paidOn: row.paidOn,
    source: row.source,
    kind: row.kind,
    account: row.account ?? null,
    kid: row.kid ?? null,
    text: row.text ?? null,
    payer: row.payer ?? null,
    payerAccountHash: row.payerAccountHash ?? null,
    reference: row.reference ?? null,
    entryId: row.entryId ?? null,
    possibleCopy: row.possibleCopy ?? false,
    suggestion: row.suggestion ?? null,
    undoesId: row.undoesId ?? null,
    fromId: row.fromId ?? null,
    byType: author.type,
    byName: author.name,
  };
}

/**
 * Recounts the claims of these invoices' reminders after payments changed (REM-19). Returns whether they had any
 * claim. The caller holds the invoices.
 */
async function recountReminders(
  trx: Trx,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<boolean> {
  const reminders = invoiceIds.length === 0 ? [] : await findAsked(trx, companyId, invoiceIds);
  if (reminders.length === 0) return false;
  const ids = new Set(reminders.map(({ invoiceId }) => invoiceId));
  const paid = Map.groupBy(await findPaid(trx, companyId, [...ids]), ({ invoiceId }) => invoiceId);
  const rates = await findRates(trx);
  const changed = reminders.flatMap(({ reminderId, invoiceId, asked, ...before }) => {
    const left = claimLeft(rates, { ...before, interest: asked }, paid.get(invoiceId) ?? []);
    const isSame = left.interest === before.interest && left.feeWaived === before.feeWaived;
    return isSame ? [] : [{ reminderId, invoiceId, ...left }];
  });
  await saveRecounts(trx, companyId, changed);
  return true;
}

/** A payment on an invoice, and the part (øre) that pays a waived reminder claim. */
interface PaidForNothing {
  readonly payment: PaymentRow;
  readonly amount: Ore;
}

/** The parts of the last payments of these invoices that paid a fee or interest waived since. */
async function findPaidForNothing(
  trx: Trx,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<PaidForNothing[]> {
  const excess = await findExcess(trx, companyId, invoiceIds);
  if (excess.size === 0) return [];
  const payments = await findForReminders(trx, companyId, [...excess.keys()]);
  return payments.flatMap((payment) => {
    const left = excess.get(payment.invoiceId ?? 0) ?? 0;
    const amount = ore(Math.min(left, payment.reminderAmount));
    excess.set(payment.invoiceId ?? 0, left - amount);
    return amount > 0 ? [{ payment, amount }] : [];
  });
}
