import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { ore } from '../../domain/money.ts';
import type { Trx } from '../db/database.ts';
import { lockPayables } from '../invoice/invoice-payable.service.ts';
import { findInForce, type PaymentRow } from '../payment/payment-of-entry.service.ts';
import { addPayments, type NewPayment } from '../payment/payment-posting.service.ts';
import { moneyOf, type JudgedEntry, type StoredEntry } from './bank-entry.rows.ts';
import { findOriginals } from './identity.repository.ts';

/**
 * Books what the bank takes back. With its payment, as it lies: an invoice is then due again, and both rows
 * stay. Without, it is unplaced.
 */
export async function bookReversals(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  judged: readonly JudgedEntry<StoredEntry>[],
): Promise<JudgedEntry<StoredEntry>[]> {
  const taken = new Set<number>();
  const originals = await findTakenBack(trx, companyId, judged);
  const rows: NewPayment[] = [];
  const done = judged.map(({ entry, match }, n): JudgedEntry<StoredEntry> => {
    if (match.outcome === 'KNOWN') return { entry, match };
    const money = moneyOf(entry);
    const parts = originals(n).find(([first]) => first && !taken.has(first.id)) ?? [];
    for (const { id } of parts) taken.add(id);
    for (const part of parts) rows.push({ ...money, ...oppositeOf(part) });
    if (parts.length === 0) rows.push({ ...money, invoiceId: null, amount: entry.amount });
    const placements = parts.flatMap(({ invoiceId, amount }) =>
      invoiceId === null ? [] : [{ invoiceId, amount: ore(0 - amount) }],
    );
    const [placed] = placements;
    const invoiceId = placed?.invoiceId ?? match.invoiceId;
    return { entry, match: { ...match, invoiceId, placements } };
  });
  const invoiceIds = rows.flatMap(({ invoiceId }) => invoiceId ?? []);
  const payables = await lockPayables(trx, companyId, [...new Set(invoiceIds)]);
  await addPayments(trx, companyId, author, { rows, payables });
  return done;
}

function oppositeOf(
  original: PaymentRow,
): Pick<NewPayment, 'invoiceId' | 'customerId' | 'amount' | 'possibleCopy' | 'undoesId'> {
  const { id, invoiceId, customerId, amount, possibleCopy } = original;
  return { invoiceId, customerId, amount: ore(0 - amount), possibleCopy, undoesId: id };
}

/** Of each reversal, the payments that it may take back, each with all parts of its money. */
async function findTakenBack(
  trx: Trx,
  companyId: number,
  judged: readonly JudgedEntry<StoredEntry>[],
): Promise<(n: number) => PaymentRow[][]> {
  const entries = judged.map(({ entry }) => entry);
  const originals = await findOriginals(trx, companyId, entries);
  const entryIds = [...new Set(originals.map(({ entryId }) => entryId))];
  const inForce = Map.groupBy(
    await findInForce(trx, companyId, entryIds),
    ({ entryId }) => entryId,
  );
  const ofReversal = Map.groupBy(originals, ({ n }) => n);
  return (n) =>
    (ofReversal.get(n) ?? [])
      .map(({ entryId }) => inForce.get(entryId) ?? [])
      // What was paid back or dropped is not there any more.
      .filter((parts) => sumOf(parts) + (entries[n]?.amount ?? 0) === 0);
}

function sumOf(parts: readonly PaymentRow[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0);
}
