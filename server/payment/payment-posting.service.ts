import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { amountDue, partForReminders } from '../../domain/invoice/claim.ts';
import { claimLeft } from '../../domain/late-payment/claim-left.ts';
import { ore, oreToKroner } from '../../domain/money.ts';
import { SYSTEM, recordEvents, type NewEvent } from '../invoice/history.repository.ts';
import { findStatuses, lockPayables, type Payable } from '../invoice/invoice-payable.repository.ts';
import type { Trx } from '../platform/db/database.ts';
import { findRates } from './late-payment.repository.ts';
import {
  findSettlements,
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
} from './reminder-claims.repository.ts';

interface PostingOptions {
  /**
   * Whether a credit note caused the payments, and `followCredit` comes after them. It tells the new status, and a fee
   * that payments had waived stays waived when the note sets a part of them free.
   */
  readonly isCrediting?: boolean;
}

/**
 * Adds any number of payments, and records them in the history of their invoices. The database derives the paid
 * amounts and the customers' credit. Returns uuids in the order of the rows. The caller holds the company
 * (`lockCompany`) when a row is unplaced and has a customer; it locked the company before any invoice.
 */
export async function addPayments(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  rows: readonly NewPayment[],
  { isCrediting = false }: PostingOptions = {},
): Promise<string[]> {
  if (rows.length === 0) return [];
  const payables = await lockPayables(trx, companyId, invoicesOf(rows));
  const added = await insertPayments(trx, companyId, author, rows);
  await recordPaymentEvents(trx, companyId, author, rows, isCrediting ? new Map() : payables);
  await recountReminders(trx, companyId, [...payables.keys()], { isCrediting });
  return added.map(({ uuid }) => uuid);
}

/** Places the whole of an unplaced payment on an invoice with enough room. The caller holds both. */
export async function placeWhole(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  payment: PaymentRow,
  invoice: Payable,
): Promise<void> {
  const { id: invoiceId } = invoice;
  const reminderAmount = partForReminders(payment.amount, amountDue(invoice));
  await setInvoice(trx, companyId, payment.id, { invoiceId, reminderAmount });
  const rows = [{ ...payment, invoiceId }];
  await recordPaymentEvents(trx, companyId, author, rows, new Map([[invoiceId, invoice]]));
  await recountReminders(trx, companyId, [invoiceId]);
}

/**
 * Follows a credit note for a part of an invoice: tells whether the invoice is paid now, and recounts its reminders.
 * @param before the invoice before the note
 */
export async function followCredit(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  before: Pick<Payable, 'id' | 'status'>,
): Promise<void> {
  await recordStatuses(trx, companyId, author, [before]);
  await recountReminders(trx, companyId, [before.id], { isCrediting: true });
}

/** The invoices that rows name, each once. */
export function invoicesOf(rows: readonly { readonly invoiceId: number | null }[]): number[] {
  return [...new Set(rows.flatMap(({ invoiceId }) => invoiceId ?? []))];
}

/** Writes payments, and changes of an invoice's status that follow from them, to the history. */
async function recordPaymentEvents(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  rows: readonly NewPayment[],
  before: ReadonlyMap<number, Payable>,
): Promise<void> {
  const events = rows.flatMap((row) => toEvent(companyId, row));
  if (events.length === 0) return;
  const changes = await findChanges(trx, companyId, [...before.values()]);
  await recordEvents(trx, author, [...events, ...changes]);
}

async function recordStatuses(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  before: readonly Pick<Payable, 'id' | 'status'>[],
): Promise<void> {
  const changes = await findChanges(trx, companyId, before);
  if (changes.length > 0) await recordEvents(trx, author, changes);
}

/** The events of those invoices that have another status than before. */
async function findChanges(
  trx: Trx,
  companyId: number,
  before: readonly Pick<Payable, 'id' | 'status'>[],
): Promise<NewEvent[]> {
  if (before.length === 0) return [];
  const statuses = new Map(before.map(({ id, status }) => [id, status]));
  const now = await findStatuses(trx, companyId, [...statuses.keys()]);
  return now.flatMap(({ id: invoiceId, status, paidDate }): NewEvent[] => {
    if (status === statuses.get(invoiceId)) return [];
    return paidDate === null
      ? [{ companyId, invoiceId, kind: 'UNPAID' }]
      : [{ companyId, invoiceId, kind: 'PAID', details: { paidDate } }];
  });
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

/** Recounts the claims of these invoices' reminders after payments changed (REM-19). The caller holds the invoices. */
async function recountReminders(
  trx: Trx,
  companyId: number,
  invoiceIds: readonly number[],
  { isCrediting = false }: PostingOptions = {},
): Promise<void> {
  const reminders = invoiceIds.length === 0 ? [] : await findAsked(trx, companyId, invoiceIds);
  if (reminders.length === 0) return;
  const paid = await findSettlements(trx, companyId, invoicesOf(reminders));
  const rates = await findRates(trx);
  const changed = reminders.flatMap(({ reminderId, invoiceId, asked, ...before }) => {
    const known = claimLeft(rates, { ...before, interest: asked }, paid.get(invoiceId) ?? []);
    const left = { ...known, feeWaived: known.feeWaived || (isCrediting && before.feeWaived) };
    const isSame = left.interest === before.interest && left.feeWaived === before.feeWaived;
    return isSame ? [] : [{ reminderId, invoiceId, ...left }];
  });
  await saveRecounts(trx, companyId, changed);
  await releaseExcess(trx, companyId, invoiceIds, { isCrediting });
}

/** Money that paid a fee or interest waived since becomes its customer's credit, of the last payments first. */
async function releaseExcess(
  trx: Trx,
  companyId: number,
  invoiceIds: readonly number[],
  options: PostingOptions,
): Promise<void> {
  const excess = await findExcess(trx, companyId, invoiceIds);
  if (excess.size === 0) return;
  const payables = await lockPayables(trx, companyId, [...excess.keys()]);
  const rows: NewPayment[] = [];
  for (const payment of await findForReminders(trx, companyId, [...excess.keys()])) {
    const { invoiceId } = payment;
    const left = excess.get(invoiceId) ?? 0;
    const amount = ore(Math.min(left, payment.reminderAmount));
    if (amount === 0) continue;
    excess.set(invoiceId, left - amount);
    const part = partOf(payment);
    const customerId = payment.customerId ?? payables.get(invoiceId)?.customerId ?? null;
    const kept = ore(payment.amount - amount);
    const reminderAmount = ore(payment.reminderAmount - amount);
    rows.push(oppositeOf(payment, 'UNDO'), { ...part, amount, invoiceId: null, customerId });
    if (kept > 0) rows.push({ ...part, amount: kept, reminderAmount, invoiceId });
  }
  await addPayments(trx, companyId, SYSTEM, rows, options);
}
