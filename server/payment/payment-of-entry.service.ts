import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { ore } from '../../domain/money.ts';
import type { Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { lockPayables } from '../invoice/invoice-payable.service.ts';
import { findInForce, findTakenBack, type TakenBack } from './payment-of-entry.repository.ts';
import { addPayments, type NewPayment } from './payment-posting.service.ts';
import { moneyOf, oppositeOf, principalOf } from './payment.service.ts';
import { makeRoom, placeRemainders } from './remainder.service.ts';

export { findInForce, hasWaitingReversal } from './payment-of-entry.repository.ts';
export type { PaymentRow } from './payment.repository.ts';

/**
 * Takes back what these entries of the bank's files have brought into the books, wherever it lies now; what
 * their reversals have taken back is there again. The caller holds the company.
 *
 * @throws AppError payment_reversed when other payments of an invoice build on it
 */
export async function takeBackEntries(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  entryIds: readonly number[],
): Promise<void> {
  const reversed = await findTakenBack(trx, companyId, entryIds);
  const thereAgain = reversed.map(asBefore);
  await makeRoom(trx, companyId, sumByInvoice(thereAgain));
  await add(trx, companyId, author, thereAgain);
  await add(trx, companyId, author, waitingAgain(reversed, new Set(entryIds)));
  const money = await findInForce(trx, companyId, entryIds);
  const opposites = money.map((payment) => oppositeOf(payment, 'UNDO'));
  await add(trx, companyId, author, opposites);
  const changed = sumByInvoice([...thereAgain, ...opposites]);
  await placeRemainders(trx, companyId, [...changed.keys()]);
}

/** Øre of each invoice, and nothing that is for its reminders. */
export function sumByInvoice(
  rows: readonly Pick<NewPayment, 'invoiceId' | 'amount' | 'reminderAmount'>[],
): Map<number, number> {
  const sums = new Map<number, number>();
  for (const row of rows) {
    const { invoiceId } = row;
    if (invoiceId !== null) sums.set(invoiceId, (sums.get(invoiceId) ?? 0) + principalOf(row));
  }
  return sums;
}

/** What a reversal took back, where that lay: the money of its own entry, should that be undone, too. */
function asBefore({ reversal, original }: TakenBack): NewPayment {
  const { customerId } = reversal;
  const opposite = oppositeOf(reversal, 'PAYMENT');
  return { ...opposite, ...moneyOf(original), customerId, fromId: original.id };
}

/** What has taken back these entries, and came before them, is there without them. */
function waitingAgain(
  reversed: readonly TakenBack[],
  entryIds: ReadonlySet<number | null>,
): NewPayment[] {
  const others = reversed.filter(({ reversal }) => !entryIds.has(reversal.entryId));
  const ofEntries = Map.groupBy(others, ({ reversal }) => reversal.entryId);
  return [...ofEntries.values()].flatMap((parts) => {
    const [first] = parts;
    if (!first) return [];
    const amount = ore(parts.reduce((sum, { reversal }) => sum + reversal.amount, 0));
    const { id: fromId } = first.reversal;
    const row = { ...moneyOf(first.reversal), kind: 'REVERSAL' as const, amount, fromId };
    return [{ ...row, invoiceId: null, customerId: null }];
  });
}

async function add(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  rows: readonly NewPayment[],
): Promise<void> {
  const changes = sumByInvoice(rows);
  const payables = await lockPayables(trx, companyId, [...changes.keys()]);
  for (const { id, status, paidAmount, grossAmount } of payables.values()) {
    const paid = paidAmount + (changes.get(id) ?? 0);
    const isPayable = status === 'REGISTERED' || status === 'PAID';
    if (!isPayable || paid < 0 || paid > grossAmount) throw new AppError('payment_reversed');
  }
  await addPayments(trx, companyId, author, { rows, payables });
}
