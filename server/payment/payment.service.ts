import { todayInOslo, type IsoDate } from '../../domain/date.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { amountDue, amountTaken, partForReminders } from '../../domain/invoice/claim.ts';
import { canBecome, type InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import { ore, type Ore } from '../../domain/money.ts';
import { lockCompany } from '../company/profile.service.ts';
import type { Config } from '../config.ts';
import { findCustomersByIds } from '../customer/customer.service.ts';
import { AppError } from '../errors.ts';
import { lockPayable, lockPayables, type Payable } from '../invoice/invoice.service.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Trx } from '../platform/db/database.ts';
import { rememberPayers } from './payer-account.repository.ts';
import { findListed } from './payment-list.repository.ts';
import { addPayments, placeWhole, type NewPayment } from './payment-posting.service.ts';
import {
  findOnInvoices,
  findPaidOn,
  findPayment,
  oppositeOf,
  partOf,
  principalOf,
  type PaymentRow,
} from './payment.repository.ts';

/**
 * Marks a registered invoice as paid today by a manual payment of the amount due, or takes back the manual
 * payments of a paid one (PAY-6).
 * @throws AppError not_found, credit_note_stays, status_not_possible, paid_by_bank
 */
export async function markInvoice(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { uuid, status }: { uuid: string; status: InvoiceStatus },
): Promise<void> {
  // Lock the company: credit taken off becomes its customer's again, and so does money for waived reminder claims.
  // See `placePayment`.
  await lockCompany(trx, companyId);
  const invoice = await lockPayable(trx, companyId, uuid);
  if (invoice.kind === 'CREDIT_NOTE') throw new AppError('credit_note_stays');
  const isByHand = status === 'PAID' || invoice.status === 'PAID';
  if (!isByHand || !canBecome(invoice.status, status)) {
    throw new AppError('status_not_possible', { subject: `${invoice.status} to ${status}` });
  }
  if (status === 'PAID') {
    const payment = byHand(invoice, amountDue(invoice), todayInOslo());
    await add(trx, companyId, author, invoice, [payment]);
    return;
  }
  const onInvoice = await findOnInvoices(trx, companyId, [invoice.id]);
  const rows = takenOffByHand(invoice, onInvoice);
  if (rows instanceof AppError) throw rows;
  await add(trx, companyId, author, invoice, rows);
}

/** With the feature `payments` off nothing can take back a bank payment: the refusal names the setting. */
export function explainRefusal({ features }: Pick<Config, 'features'>, reason: AppError): AppError {
  const isOfBank = reason.code === 'paid_by_bank' || reason.code === 'payment_reversed';
  return isOfBank && !features.has('payments') ? new AppError('paid_by_bank_while_off') : reason;
}

/** The rows that take all manual payments off an invoice, or the reason why that is impossible. */
export function takenOffByHand(
  { paidAmount }: Payable,
  onInvoice: readonly PaymentRow[],
): AppError | NewPayment[] {
  const manual = onInvoice.filter(({ source }) => source === 'MANUAL');
  if (manual.length === 0) return new AppError('paid_by_bank');
  const taken = manual.reduce((sum, payment) => sum + principalOf(payment), 0);
  // The bank's reversals are covered by the rest of the money.
  if (taken > paidAmount) return new AppError('payment_reversed');
  return manual.flatMap(takenOff);
}

/**
 * Adds a manual payment of an invoice or a part of it (PAY-5). Returns the payment's uuid.
 * @throws AppError not_found, invoice_not_payable, amount_above_due, paid_after_today
 */
export async function payByHand(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { invoiceUuid, amount, date }: { invoiceUuid: string; amount: Ore; date: IsoDate },
): Promise<string> {
  await lockCompany(trx, companyId);
  const invoice = await lockPayable(trx, companyId, invoiceUuid);
  requirePayable(invoice);
  if (amount > amountTaken(amountDue(invoice), invoice.reminderAmount)) {
    throw new AppError('amount_above_due', { field: 'amount' });
  }
  if (date > todayInOslo()) throw new AppError('paid_after_today', { field: 'date' });
  return add(trx, companyId, author, invoice, [byHand(invoice, amount, date)]);
}

/**
 * Places an unplaced payment on an invoice: first on the amount due, then on its reminder claims. The rest stays
 * unplaced as credit of its previous customer, or else of the invoice's (PAY-9). Returns the uuid of the placed
 * part.
 * @throws AppError not_found, payment_placed, payment_taken_back, invoice_not_payable
 */
export async function placePayment(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { uuid, invoiceUuid }: { uuid: string; invoiceUuid: string },
): Promise<string> {
  // Everyone who changes unplaced money locks the company, and so does the deletion of a customer.
  await lockCompany(trx, companyId);
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
  if (amount <= taken) {
    await placeWhole(trx, companyId, author, { payment, invoice });
    return payment.uuid;
  }
  const customerId = payment.customerId ?? invoice.customerId;
  return add(trx, companyId, author, invoice, [
    {
      ...partOf(payment),
      amount: taken,
      reminderAmount: partForReminders(taken, due),
      invoiceId: invoice.id,
    },
    { ...partOf(payment), amount: ore(amount - taken), invoiceId: null, customerId },
    oppositeOf(payment, 'UNDO'),
  ]);
}

/**
 * Takes a payment off its invoice, or undoes a refund (PAY-7). Bank money and credit become unplaced.
 * @throws AppError not_found, payment_taken_back, payment_not_placed, payment_reversed
 */
export async function undoPayment(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  uuid: string,
): Promise<void> {
  await lockCompany(trx, companyId);
  const found = await requirePayment(trx, companyId, uuid);
  if (found.kind === 'REFUND') {
    await undoRefund(trx, companyId, author, found);
    return;
  }
  if (found.invoiceId === null) throw new AppError('payment_not_placed');
  const payables = await lockPayables(trx, companyId, [found.invoiceId]);
  const invoice = payables.get(found.invoiceId);
  // Read it again under the lock of the invoice: another request may have taken it back.
  const payment = await requirePayment(trx, companyId, uuid);
  if (payment.undone || !isMoney(payment)) throw new AppError('payment_taken_back');
  const left = (invoice?.paidAmount ?? 0) - principalOf(payment);
  if (!invoice || left < 0 || left > invoice.grossAmount) throw new AppError('payment_reversed');
  await add(trx, companyId, author, invoice, takenOff(payment));
}

/** The money is available again, from its original date. */
async function undoRefund(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  refund: PaymentRow,
): Promise<void> {
  const { undone, undoesId } = refund;
  if (undone || undoesId === null) throw new AppError('payment_taken_back');
  const paidOn = await findPaidOn(trx, companyId, undoesId);
  const again = { ...oppositeOf(refund, 'PAYMENT'), fromId: undoesId, paidOn };
  await addUnplaced(trx, companyId, author, again);
}

/**
 * Marks an unplaced payment as refunded.
 * @throws AppError not_found, payment_placed, payment_taken_back, payment_not_refundable
 */
export async function refundPayment(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  uuid: string,
): Promise<void> {
  await lockCompany(trx, companyId);
  const payment = await findUnplaced(trx, companyId, uuid);
  if (payment.amount < 0 || !(await isStillThere(trx, companyId, payment))) {
    throw new AppError('payment_not_refundable');
  }
  const refund = { ...oppositeOf(payment, 'REFUND'), paidOn: todayInOslo() };
  await addUnplaced(trx, companyId, author, refund);
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
 * Drops bank money that was never placed: a copy, or not a customer's payment.
 * @throws AppError not_found, payment_placed, payment_taken_back, payment_was_placed
 */
export async function dropPayment(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  uuid: string,
): Promise<void> {
  await lockCompany(trx, companyId);
  const payment = await findUnplaced(trx, companyId, uuid);
  const listed = await findListed(trx, companyId, uuid);
  if (listed?.wasPlaced ?? true) throw new AppError('payment_was_placed');
  await addUnplaced(trx, companyId, author, oppositeOf(payment, 'DROP'));
}

/**
 * Takes all payments off an invoice that is about to be credited; they become its customer's credit (PAY-12).
 * Returns the sum (øre). The caller holds the company and the invoice.
 */
export async function releasePayments(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  invoice: Pick<Payable, 'id' | 'status' | 'customerId'>,
): Promise<Ore> {
  const { customerId } = invoice;
  const onInvoice = await findOnInvoices(trx, companyId, [invoice.id]);
  const rows = onInvoice.flatMap((payment) =>
    [oppositeOf(payment, 'UNDO')].concat(unplacedAgain(payment, payment.customerId ?? customerId)),
  );
  await addPayments(trx, companyId, author, { rows, payables: new Map([[invoice.id, invoice]]) });
  return ore(onInvoice.reduce((sum, { amount }) => sum + amount, 0));
}

/** Adds rows of one invoice, and returns the uuid of the first. */
async function add(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  invoice: Payable,
  rows: readonly NewPayment[],
): Promise<string> {
  const payables = new Map([[invoice.id, invoice]]);
  const [first] = await addPayments(trx, companyId, author, { rows, payables });
  if (!first) throw new Error(`No payment of invoice ${invoice.id} was added`);
  return first.uuid;
}

/** Adds a row of no invoice. */
async function addUnplaced(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  row: NewPayment,
): Promise<void> {
  await addPayments(trx, companyId, author, { rows: [row], payables: new Map() });
}

/** The account may pay for the same customer again (BANK-21). */
async function rememberPayer(
  trx: Trx,
  companyId: number,
  { amount, payerAccountHash }: PaymentRow,
  { customerId }: Payable,
): Promise<void> {
  if (amount < 0 || payerAccountHash === null || customerId === null) return;
  const hash = hexOf(payerAccountHash);
  await rememberPayers(trx, companyId, [{ hash, customerId }]);
}

/** A manual payment (øre). */
export function byHand(invoice: Payable, amount: Ore, paidOn: IsoDate): NewPayment {
  const reminderAmount = partForReminders(amount, amountDue(invoice));
  const invoiceId = invoice.id;
  return { invoiceId, amount, reminderAmount, paidOn, source: 'MANUAL', kind: 'PAYMENT' };
}

/** Whether a row is money and does not take another row back. */
function isMoney({ kind, undoesId }: PaymentRow): boolean {
  return undoesId === null || kind === 'PAYMENT';
}

/** Rows that detach a payment: a reversal and, unless it is manual, the amount unplaced again. */
function takenOff(payment: PaymentRow): NewPayment[] {
  const isFromElsewhere = payment.source === 'BANK' || payment.fromId !== null;
  const opposite = oppositeOf(payment, 'UNDO');
  return isFromElsewhere ? [opposite, ...unplacedAgain(payment, payment.customerId)] : [opposite];
}

/** Empty when the amount is 0. */
function unplacedAgain(payment: PaymentRow, customerId: number | null): NewPayment[] {
  return payment.amount === 0 ? [] : [{ ...partOf(payment), invoiceId: null, customerId }];
}

function requirePayable({ kind, status }: Payable): void {
  if (kind === 'INVOICE' && (status === 'REGISTERED' || status === 'PAID')) return;
  throw new AppError('invoice_not_payable', { subject: status });
}

async function requirePayment(trx: Trx, companyId: number, uuid: string): Promise<PaymentRow> {
  const payment = await findPayment(trx, companyId, uuid);
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
