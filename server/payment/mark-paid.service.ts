import { todayInOslo, type IsoDate } from '../../domain/date.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { amountDue, partForReminders } from '../../domain/invoice/claim.ts';
import type { AffectedPayment } from '../../domain/invoice/invoice-bulk.schema.ts';
import { canBecome, type InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import { ore, oreToKroner, type Ore } from '../../domain/money.ts';
import { lockCompany } from '../company/profile.repository.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import {
  lockPayable,
  lockPayablesByUuid,
  type Payable,
} from '../invoice/invoice-payable.repository.ts';
import type { Trx } from '../platform/db/database.ts';
import { addPayments } from './payment-posting.service.ts';
import {
  findByHand,
  findOnInvoices,
  oppositeOf,
  partOf,
  principalOf,
  type ByHandRow,
  type NewPayment,
  type PaymentRow,
} from './payment.repository.ts';

/**
 * Marks a registered invoice as paid today by a manual payment of the amount due, or takes back the manual
 * payments of a paid one (PAY-6).
 * @throws AppError not_found, credit_note_stays, status_not_possible, paid_by_bank, payment_reversed,
 * payment_used_elsewhere, payment_refunded
 */
export async function markInvoice(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { uuid, status }: { uuid: string; status: InvoiceStatus },
): Promise<void> {
  // Credit taken off becomes its customer's again, and so does money for waived reminder claims: see `addPayments`.
  await lockCompany(trx, companyId);
  const invoice = await lockPayable(trx, companyId, uuid);
  if (invoice.kind === 'CREDIT_NOTE') throw new AppError('credit_note_stays');
  const isByHand = status === 'PAID' || invoice.status === 'PAID';
  if (!isByHand || !canBecome(invoice.status, status)) {
    throw new AppError('status_not_possible', { subject: `${invoice.status} to ${status}` });
  }
  const rows =
    status === 'PAID'
      ? [byHand(invoice, amountDue(invoice), todayInOslo())]
      : takeBackByHand(invoice, await findMoney(trx, companyId, [invoice.id])).rows;
  if (rows instanceof AppError) throw rows;
  await addPayments(trx, companyId, author, rows);
}

/** With the feature `payments` off nothing can take back a bank payment: the refusal names the setting. */
export function explainRefusal({ features }: Pick<Config, 'features'>, reason: AppError): AppError {
  const isOfBank = reason.code === 'paid_by_bank' || reason.code === 'payment_reversed';
  return isOfBank && !features.has('payments') ? new AppError('paid_by_bank_while_off') : reason;
}

/** The marked and the skipped invoices, in the order of the request. */
export interface Marked {
  readonly updated: readonly string[];
  readonly skipped: readonly { readonly uuid: string; readonly reason: AppError }[];
  /** With REGISTERED: the payments taken back from the marked invoices. */
  readonly payments: readonly AffectedPayment[];
}

interface Marking {
  /** Lower case, without duplicates. */
  readonly uuids: readonly string[];
  readonly status: 'PAID' | 'REGISTERED';
  /** Null means today. */
  readonly paidDate: IsoDate | null;
  /** Only judge, write nothing. */
  readonly dryRun: boolean;
}

/** As `markInvoice`, for many: an invoice that cannot be marked is listed as skipped. */
export async function markMany(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { uuids, status, paidDate, dryRun }: Marking,
): Promise<Marked> {
  await lockCompany(trx, companyId);
  const found = await lockPayablesByUuid(trx, companyId, uuids);
  const ids = [...found.values()].map(({ id }) => id);
  const money = await findMoney(trx, companyId, status === 'PAID' ? [] : ids);
  const rows: NewPayment[] = [];
  const updated: string[] = [];
  const skipped: { uuid: string; reason: AppError }[] = [];
  const payments: AffectedPayment[] = [];
  for (const uuid of uuids) {
    const invoice = found.get(uuid);
    const judged = invoice
      ? judge(invoice, status, paidDate, money)
      : { rows: new AppError('not_found'), affected: [] };
    if (judged.rows instanceof AppError) skipped.push({ uuid, reason: judged.rows });
    else {
      rows.push(...judged.rows);
      updated.push(uuid);
      payments.push(...judged.affected.map((payment) => toAffected(uuid, payment)));
    }
  }
  if (!dryRun) await addPayments(trx, companyId, author, rows);
  return { updated, skipped, payments };
}

function judge(
  invoice: Payable,
  status: Marking['status'],
  paidDate: IsoDate | null,
  money: Money,
): TakingBack {
  const refused = (
    code: 'credit_note_stays' | 'already_cancelled' | 'not_paid' | 'draft_unpaid' | 'already_paid',
  ) => ({
    rows: new AppError(code),
    affected: [],
  });
  if (invoice.kind === 'CREDIT_NOTE') return refused('credit_note_stays');
  if (invoice.status === 'CANCELLED') return refused('already_cancelled');
  if (status === 'REGISTERED') {
    return invoice.status === 'PAID' ? takeBackByHand(invoice, money) : refused('not_paid');
  }
  if (invoice.status === 'DRAFT') return refused('draft_unpaid');
  if (invoice.status === 'PAID') return refused('already_paid');
  return { rows: [byHand(invoice, amountDue(invoice), paidDate ?? todayInOslo())], affected: [] };
}

function toAffected(
  invoiceUuid: string,
  { uuid, paidOn: date, amount, source }: PaymentRow,
): AffectedPayment {
  const takenBack = source === 'MANUAL';
  return { uuid, invoiceUuid, date, amount: oreToKroner(amount), source, takenBack };
}

/**
 * Takes all payments off an invoice that is about to be credited; they become its customer's credit (PAY-12).
 * Returns the sum (øre). The caller holds the company and the invoice.
 */
export async function releasePayments(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { id, customerId }: Pick<Payable, 'id' | 'customerId'>,
): Promise<Ore> {
  const onInvoice = await findOnInvoices(trx, companyId, [id]);
  const rows = onInvoice.flatMap((payment) =>
    [oppositeOf(payment, 'UNDO')].concat(unplacedAgain(payment, payment.customerId ?? customerId)),
  );
  await addPayments(trx, companyId, author, rows);
  return ore(onInvoice.reduce((sum, { amount }) => sum + amount, 0));
}

/**
 * Takes off an invoice what was paid beyond what it asks for now, the last payments first; it becomes its customer's
 * credit (CRE-10). Reminders keep what they were paid. Returns the sum (øre). The caller holds the company and the invoice.
 *
 * @param claim what is left of the invoice after its credit notes (øre)
 */
export async function releaseBeyond(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { id, customerId, paidAmount }: Pick<Payable, 'id' | 'customerId' | 'paidAmount'>,
  claim: Ore,
): Promise<Ore> {
  const excess = paidAmount - claim;
  if (excess <= 0) return ore(0);
  let left = excess;
  const onInvoice = (await findOnInvoices(trx, companyId, [id])).toReversed();
  const rows = onInvoice.flatMap((payment): NewPayment[] => {
    const taken = Math.min(left, Math.max(0, principalOf(payment)));
    if (taken === 0) return [];
    left -= taken;
    const part = partOf(payment);
    const owner = payment.customerId ?? customerId;
    const released = { ...part, amount: ore(taken), invoiceId: null, customerId: owner };
    const rest = { amount: ore(payment.amount - taken), reminderAmount: payment.reminderAmount };
    const changed = [oppositeOf(payment, 'UNDO'), released];
    return rest.amount === 0 ? changed : changed.concat({ ...part, ...rest, invoiceId: id });
  });
  await addPayments(trx, companyId, author, rows, { isCrediting: true });
  return ore(excess);
}

/** A manual payment (øre). */
export function byHand(invoice: Payable, amount: Ore, paidOn: IsoDate): NewPayment {
  const reminderAmount = partForReminders(amount, amountDue(invoice));
  const invoiceId = invoice.id;
  return { invoiceId, amount, reminderAmount, paidOn, source: 'MANUAL', kind: 'PAYMENT' };
}

/** The money on some invoices, and the money that was marked by hand on them, wherever it is now. */
interface Money {
  readonly onInvoices: readonly PaymentRow[];
  readonly byHand: readonly ByHandRow[];
}

async function findMoney(
  trx: Trx,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<Money> {
  const onInvoices = await findOnInvoices(trx, companyId, invoiceIds);
  return { onInvoices, byHand: await findByHand(trx, companyId, invoiceIds) };
}

interface TakingBack {
  /** The rows to add, or the reason why that is impossible. */
  readonly rows: AppError | readonly NewPayment[];
  /** The money that is taken back, and the bank's that stays. */
  readonly affected: readonly PaymentRow[];
}

/**
 * Takes all manual payments off an invoice (PAY-6). Those that were marked on it are as if they had never been, with
 * the parts that a credit note has set free; credit that was placed on it is its customer's again.
 */
function takeBackByHand(
  { id, paidAmount }: Payable,
  { onInvoices, byHand: marked }: Money,
): TakingBack {
  const onInvoice = onInvoices.filter(({ invoiceId }) => invoiceId === id);
  const manual = onInvoice.filter(({ source }) => source === 'MANUAL');
  const refused = (reason: AppError) => ({ rows: reason, affected: [] });
  if (manual.length === 0) return refused(new AppError('paid_by_bank'));
  const taken = manual.reduce((sum, payment) => sum + principalOf(payment), 0);
  // The bank's reversals are covered by the rest of the money.
  if (taken > paidAmount) return refused(new AppError('payment_reversed'));
  const own = marked.filter(({ markedId }) => markedId === id);
  const [used] = own.flatMap(({ usedOn }) => usedOn ?? []);
  if (used !== undefined) {
    return refused(new AppError('payment_used_elsewhere', { subject: used }));
  }
  if (own.some(({ isRefunded }) => isRefunded)) return refused(new AppError('payment_refunded'));
  const parts = new Map([...onInvoice, ...own].map((payment) => [payment.id, payment]));
  const affected = [...parts.values()].toSorted((one, other) => one.id - other.id);
  const rows = affected
    .filter(({ source }) => source === 'MANUAL')
    .flatMap((payment) => takenOff(payment, own));
  return { rows, affected };
}

/**
 * Rows that detach a payment: a reversal and, unless it was marked by hand on that invoice, the amount unplaced again.
 * @param own the money that was marked by hand on the payment's invoice
 */
export function takenOff(
  payment: PaymentRow,
  own: readonly Pick<PaymentRow, 'id'>[],
): NewPayment[] {
  const opposite = oppositeOf(payment, 'UNDO');
  const isOwn = own.some(({ id }) => id === payment.id);
  return isOwn ? [opposite] : [opposite, ...unplacedAgain(payment, payment.customerId)];
}

/** Empty when the amount is 0. */
function unplacedAgain(payment: PaymentRow, customerId: number | null): NewPayment[] {
  return payment.amount === 0 ? [] : [{ ...partOf(payment), invoiceId: null, customerId }];
}
