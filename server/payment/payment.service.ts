import { todayInOslo } from '../../domain/date.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { amountDue, amountTaken, partForReminders } from '../../domain/invoice/claim.ts';
import { kronerToOre, oreToKroner, ore } from '../../domain/money.ts';
import type {
  Payment,
  PaymentBody,
  PaymentListQuery,
  PaymentPage,
} from '../../domain/payment/payment.schema.ts';
import { PAGE_SIZE } from '../../domain/api/pages.ts';
import { lockCompany } from '../company/profile.repository.ts';
import type { Actor, Context } from '../context.ts';
import { findCustomersByIds } from '../customer/customer.repository.ts';
import { pagesBeside } from '../platform/http/paging.ts';
import { AppError } from '../errors.ts';
import { authorOf } from '../invoice/history.repository.ts';
import {
  findOpen,
  lockPayable,
  lockPayables,
  type OpenInvoice,
  type Payable,
} from '../invoice/invoice-payable.repository.ts';
import { requireInvoice } from '../invoice/invoice.repository.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { byHand, takenOff } from './mark-paid.service.ts';
import type { ListedPayment } from './payment-list.repository.ts';
import { rememberPayers } from './payment-of-entry.repository.ts';
import { addPayments, placeWhole } from './payment-posting.service.ts';
import {
  findByHand,
  findPayment,
  oppositeOf,
  partOf,
  principalOf,
  type NewPayment,
  type PaymentRow,
} from './payment.repository.ts';
import * as list from './payment-list.repository.ts';

/** A page of payments, newest first. @throws AppError not_found for the invoice */
export async function listPayments(
  { db }: Context,
  { companyId }: Actor,
  query: PaymentListQuery,
): Promise<PaymentPage> {
  const { page, invoice, state, customerNumber = null } = query;
  const row = invoice === undefined ? null : await requireInvoice(db, companyId, invoice);
  const filter = { invoiceId: row?.id ?? null, customerNumber, state };
  const [rows, count] = await Promise.all([
    list.findPage(db, companyId, page, filter),
    list.countFound(db, companyId, filter),
  ]);
  const skipped = page > 1 ? 1 : 0;
  return {
    count,
    ...pagesBeside('/api/payments/', query, { count, size: PAGE_SIZE }),
    preceding: rows.slice(0, skipped)[0]?.uuid ?? null,
    results: await present(db, companyId, rows.slice(skipped)),
  };
}

/**
 * Adds a manual payment of an invoice or a part of it (PAY-5).
 * @throws AppError not_found, invoice_not_payable, amount_above_due, paid_after_today
 */
export async function createPayment(
  context: Context,
  actor: Actor,
  { invoiceUuid, amount: kroner, date }: PaymentBody,
): Promise<Payment> {
  return change(context, actor, async (trx, companyId, author) => {
    const invoice = await lockPayable(trx, companyId, invoiceUuid);
    requirePayable(invoice);
    const amount = kronerToOre(kroner);
    if (amount > amountTaken(amountDue(invoice), invoice.reminderAmount)) {
      throw new AppError('amount_above_due', { field: 'amount' });
    }
    if (date > todayInOslo()) throw new AppError('paid_after_today', { field: 'date' });
    const [uuid] = await addPayments(trx, companyId, author, [byHand(invoice, amount, date)]);
    return uuid;
  });
}

/** Whether an export has a payment. Exports read payments, so their folder cannot be called from here. */
export type IsExported = (db: Db, companyId: number, paymentId: number) => Promise<boolean>;

/**
 * Places an unplaced payment on an invoice: first on the amount due, then on its reminder claims. The rest stays
 * unplaced as credit of its previous customer, or else of the invoice's (PAY-9). Returns what is placed: the payment
 * itself, or a new one: when a rest is left, and when an export has the payment, so that the next export has its placing.
 * @throws AppError not_found, payment_placed, payment_taken_back, invoice_not_payable
 */
export async function placePayment(
  { isExported, ...context }: Context & { readonly isExported: IsExported },
  actor: Actor,
  uuid: string,
  invoiceUuid: string,
): Promise<Payment> {
  return change(context, actor, async (trx, companyId, author) => {
    const payment = await findUnplaced(trx, companyId, uuid);
    const invoice = await lockPayable(trx, companyId, invoiceUuid);
    requirePayable(invoice);
    const { amount } = payment;
    const due = amountDue(invoice);
    const taken = amountTaken(due, invoice.reminderAmount);
    await rememberPayer(trx, companyId, payment, invoice);
    if (amount < 0 ? invoice.paidAmount + amount < 0 : taken === 0) {
      throw new AppError('invoice_not_payable', { subject: invoice.status });
    }
    if (amount <= taken && !(await isExported(trx, companyId, payment.id))) {
      await placeWhole(trx, companyId, author, payment, invoice);
      return payment.uuid;
    }
    const part = partOf(payment);
    const placed = ore(Math.min(amount, taken));
    const rest = ore(amount - placed);
    const reminderAmount = partForReminders(placed, due);
    const customerId = payment.customerId ?? invoice.customerId;
    const [placedUuid] = await addPayments(trx, companyId, author, [
      { ...part, amount: placed, reminderAmount, invoiceId: invoice.id },
      ...(rest > 0 ? [{ ...part, amount: rest, invoiceId: null, customerId }] : []),
      oppositeOf(payment, 'UNDO'),
    ]);
    return placedUuid;
  });
}

/** The account may pay for the same customer again (BANK-21). */
async function rememberPayer(
  trx: Trx,
  companyId: number,
  { amount, payerAccountHash }: PaymentRow,
  { customerId }: Payable,
): Promise<void> {
  if (amount < 0 || payerAccountHash === null || customerId === null) return;
  await rememberPayers(trx, companyId, [{ hash: hexOf(payerAccountHash), customerId }]);
}

/**
 * Takes a payment off its invoice, or undoes a refund (PAY-7). Bank money and credit become unplaced; money by hand is
 * gone, also when it is unplaced. Returns the payment with the row that takes it back.
 * @throws AppError not_found, payment_taken_back, payment_not_placed, payment_reversed
 */
export async function undoPayment(context: Context, actor: Actor, uuid: string): Promise<Payment> {
  return change(context, actor, async (trx, companyId, author) => {
    const found = await requirePayment(trx, companyId, uuid);
    const rows =
      found.kind === 'REFUND'
        ? await undoRefund(trx, companyId, found)
        : await takeOff(trx, companyId, found);
    await addPayments(trx, companyId, author, rows);
    return uuid;
  });
}

/** The money is available again, from its original date. */
async function undoRefund(trx: Trx, companyId: number, refund: PaymentRow): Promise<NewPayment[]> {
  const { undone, undoesId } = refund;
  if (undone || undoesId === null) throw new AppError('payment_taken_back');
  const { paidOn } = await requirePayment(trx, companyId, undoesId);
  return [{ ...oppositeOf(refund, 'PAYMENT'), fromId: undoesId, paidOn }];
}

async function takeOff(
  trx: Trx,
  companyId: number,
  { uuid, invoiceId, source }: PaymentRow,
): Promise<NewPayment[]> {
  if (invoiceId === null) {
    if (source === 'BANK') throw new AppError('payment_not_placed');
    return [oppositeOf(await findUnplaced(trx, companyId, uuid), 'UNDO')];
  }
  const invoice = (await lockPayables(trx, companyId, [invoiceId])).get(invoiceId);
  // Read it again under the lock of the invoice: another request may have taken it back.
  const payment = await requirePayment(trx, companyId, uuid);
  if (payment.undone || !isMoney(payment)) throw new AppError('payment_taken_back');
  const left = (invoice?.paidAmount ?? 0) - principalOf(payment);
  if (!invoice || left < 0 || left > invoice.grossAmount - invoice.creditedAmount)
    throw new AppError('payment_reversed');
  return takenOff(payment, await findByHand(trx, companyId, [invoiceId]));
}

/**
 * Marks an unplaced payment as refunded; returns it with its refund.
 * @throws AppError not_found, payment_placed, payment_taken_back, payment_not_refundable
 */
export async function refundPayment(
  context: Context,
  actor: Actor,
  uuid: string,
): Promise<Payment> {
  return change(context, actor, async (trx, companyId, author) => {
    const payment = await findUnplaced(trx, companyId, uuid);
    if (payment.amount < 0 || !(await isStillThere(trx, companyId, payment))) {
      throw new AppError('payment_not_refundable');
    }
    const refund = { ...oppositeOf(payment, 'REFUND'), paidOn: todayInOslo() };
    await addPayments(trx, companyId, author, [refund]);
    return uuid;
  });
}

/** Whether money is still its customer's credit: a later reversal of the bank may have taken it. */
async function isStillThere(
  trx: Trx,
  companyId: number,
  { customerId, amount, possibleCopy }: PaymentRow,
): Promise<boolean> {
  if (customerId === null || possibleCopy) return true;
  const customers = await findCustomersByIds(trx, companyId, [customerId]);
  return amount <= (customers.get(customerId)?.credit ?? 0);
}

/**
 * Drops bank money that was never placed: a copy, or not a customer's payment. Money by hand may be dropped whenever it
 * is unplaced (PAY-9).
 * @throws AppError not_found, payment_placed, payment_taken_back, payment_was_placed
 */
export async function dropPayment(context: Context, actor: Actor, uuid: string): Promise<Payment> {
  return change(context, actor, async (trx, companyId, author) => {
    const payment = await findUnplaced(trx, companyId, uuid);
    const listed = await list.findListed(trx, companyId, uuid);
    if (!listed?.mayBeDropped) throw new AppError('payment_was_placed');
    await addPayments(trx, companyId, author, [oppositeOf(payment, 'DROP')]);
    return uuid;
  });
}

/**
 * Runs a change and returns the payment that it names. Everyone who changes unplaced money holds the company, and so
 * does the deletion of a customer.
 */
async function change(
  { db }: Context,
  actor: Actor,
  work: (trx: Trx, companyId: number, author: HistoryAuthor) => Promise<string | undefined>,
): Promise<Payment> {
  const { companyId } = actor;
  return db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    const uuid = await work(trx, companyId, authorOf(actor));
    const row = uuid === undefined ? null : await list.findListed(trx, companyId, uuid);
    const [payment] = await present(trx, companyId, row ? [row] : []);
    if (!payment) throw new AppError('not_found');
    return payment;
  });
}

/** Whether a row is money and does not take another row back. */
function isMoney({ kind, undoesId }: PaymentRow): boolean {
  return undoesId === null || kind === 'PAYMENT';
}

function requirePayable({ kind, status }: Payable): void {
  if (kind === 'INVOICE' && (status === 'REGISTERED' || status === 'PAID')) return;
  throw new AppError('invoice_not_payable', { subject: status });
}

async function requirePayment(
  trx: Trx,
  companyId: number,
  key: string | number,
): Promise<PaymentRow> {
  const payment = await findPayment(trx, companyId, key);
  if (!payment) throw new AppError('not_found');
  return payment;
}

/** An unplaced payment that is neither dropped nor refunded. The caller holds the company. */
async function findUnplaced(trx: Trx, companyId: number, uuid: string): Promise<PaymentRow> {
  const payment = await requirePayment(trx, companyId, uuid);
  if (payment.invoiceId !== null) throw new AppError('payment_placed');
  if (payment.undone || !isMoney(payment)) throw new AppError('payment_taken_back');
  return payment;
}

async function present(
  db: Db,
  companyId: number,
  rows: readonly ListedPayment[],
): Promise<Payment[]> {
  const suggested = rows.flatMap(
    (row) => (row.isUnplaced ? row.suggestion?.invoiceIds : null) ?? [],
  );
  const open = await findOpen(db, companyId, suggested);
  return rows.map((row) => toPayment(row, open));
}

function toPayment(row: ListedPayment, open: ReadonlyMap<number, OpenInvoice>): Payment {
  return {
    uuid: row.uuid,
    date: row.paidOn,
    amount: oreToKroner(row.amount),
    reminderAmount: oreToKroner(row.reminderAmount),
    source: row.source,
    kind: row.kind,
    account: row.account,
    kid: row.kid,
    text: row.text,
    payer: row.payer,
    invoiceUuid: row.invoiceUuid,
    invoiceNumber: row.invoiceNumber,
    customerNumber: row.customerNumber,
    customerName: row.customerName,
    possibleCopy: row.possibleCopy,
    canBeDropped: row.isUnplaced && row.mayBeDropped,
    suggestion: row.isUnplaced ? toSuggestion(row.suggestion, open) : null,
    undoes: row.undoes,
    undoneBy: row.undoneBy,
  };
}

/** The amounts still due of the suggested invoices; null when nothing is due. */
function toSuggestion(
  suggestion: ListedPayment['suggestion'],
  open: ReadonlyMap<number, OpenInvoice>,
): Payment['suggestion'] {
  if (!suggestion) return null;
  const invoices = suggestion.invoiceIds.flatMap((id) => {
    const invoice = open.get(id);
    if (!invoice) return [];
    const { uuid, invoiceNumber, amountDue } = invoice;
    return [{ uuid, invoiceNumber, amountDue: oreToKroner(amountDue) }];
  });
  return invoices.length === 0 ? null : { reason: suggestion.reason, invoices };
}
