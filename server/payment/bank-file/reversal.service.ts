import type { HistoryAuthor } from '../../../domain/history/history.schema.ts';
import { ore } from '../../../domain/money.ts';
import { lockPayables } from '../../invoice/invoice-payable.repository.ts';
import type { Trx } from '../../platform/db/database.ts';
import { findInForce } from '../payment-of-entry.repository.ts';
import { placeRemainders, sumByInvoice } from '../payment-of-entry.service.ts';
import { addPayments, invoicesOf } from '../payment-posting.service.ts';
import { oppositeOf, type NewPayment, type PaymentRow } from '../payment.repository.ts';
import {
  findEntries,
  moneyOf,
  setBooked,
  type JudgedEntry,
  type StoredEntry,
} from './bank-entry.repository.ts';
import { findOriginals, findReversalsOf, type Original } from './identity.repository.ts';
import { UNPLACED, type Match } from './match/match.ts';

/**
 * Books reversals. With a known payment, the reversal goes where that payment lies: the invoice is due again, and
 * both rows stay. Without one it stays unplaced and waits for its payment.
 */
export async function bookReversals(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  judged: readonly JudgedEntry<StoredEntry>[],
): Promise<JudgedEntry<StoredEntry>[]> {
  const certain = judged.filter(({ match }) => match.outcome === 'REVERSAL');
  const takenBack = await findTakenBack(
    trx,
    companyId,
    certain.map(({ entry }) => entry),
  );
  const rows: NewPayment[] = [];
  const done = judged.map(({ entry, match }): JudgedEntry<StoredEntry> => {
    if (match.outcome === 'KNOWN') return { entry, match };
    const parts = takenBack.get(entry.id) ?? [];
    rows.push(...parts.map((part) => takingBack(entry, part)));
    if (parts.length > 0) return { entry, match: takenFrom(match, parts) };
    const possibleCopy = match.outcome === 'POSSIBLE_COPY';
    rows.push({ ...moneyOf(entry), invoiceId: null, amount: entry.amount, possibleCopy });
    return { entry, match };
  });
  await add(trx, companyId, author, rows);
  return done;
}

/** Applies earlier reversals to payments just booked. */
export async function bookWaitingReversals(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  booked: readonly StoredEntry[],
): Promise<void> {
  const waiting = new Map<number, PaymentRow>();
  const reversalIds = await findReversalsOf(trx, companyId, booked);
  if (reversalIds.length === 0) return;
  for (const row of await findInForce(trx, companyId, reversalIds)) {
    if (row.entryId === null || row.invoiceId !== null || row.possibleCopy) continue;
    if (row.kind === 'REVERSAL') waiting.set(row.entryId, row);
  }
  const reversals = await findEntries(trx, companyId, [...waiting.keys()]);
  const takenBack = await findTakenBack(trx, companyId, reversals);
  const rows: NewPayment[] = [];
  const done: JudgedEntry<StoredEntry>[] = [];
  for (const entry of reversals) {
    const parts = takenBack.get(entry.id) ?? [];
    const row = waiting.get(entry.id);
    if (!row || parts.length === 0) continue;
    rows.push(oppositeOf(row, 'UNDO'));
    rows.push(...parts.map((part) => ({ ...takingBack(entry, part), fromId: row.id })));
    done.push({ entry, match: takenFrom({ ...UNPLACED, outcome: 'REVERSAL' }, parts) });
  }
  await add(trx, companyId, author, rows);
  await setBooked(trx, companyId, done);
}

async function add(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  rows: readonly NewPayment[],
): Promise<void> {
  await addPayments(trx, companyId, author, rows);
  await placeRemainders(trx, companyId, invoicesOf(rows));
}

/** The row that takes a part of the payment back, on the same invoice or unplaced. */
function takingBack(reversal: StoredEntry, part: PaymentRow): NewPayment {
  const { id, invoiceId, customerId, possibleCopy } = part;
  return {
    ...moneyOf(reversal),
    invoiceId,
    customerId,
    amount: ore(0 - part.amount),
    reminderAmount: ore(0 - part.reminderAmount),
    possibleCopy,
    undoesId: id,
  };
}

function takenFrom(match: Match, parts: readonly PaymentRow[]): Match {
  const placements = parts.flatMap(({ invoiceId, amount }) =>
    invoiceId === null ? [] : [{ invoiceId, amount: ore(0 - amount) }],
  );
  return { ...match, invoiceId: placements[0]?.invoiceId ?? match.invoiceId, placements };
}

/** For each reversal (by its id), all parts of the payment that it takes back. Their invoices are locked. */
async function findTakenBack(
  trx: Trx,
  companyId: number,
  reversals: readonly StoredEntry[],
): Promise<ReadonlyMap<number, readonly PaymentRow[]>> {
  const originals = await findOriginals(trx, companyId, reversals);
  const entryIds = [...new Set(originals.map(({ entryId }) => entryId))];
  const inForce = await findInForce(trx, companyId, entryIds);
  const payables = await lockPayables(trx, companyId, invoicesOf(inForce));
  /** Øre, by the invoice's id. */
  const paid = new Map<number, number>(
    [...payables].map(([id, { paidAmount }]) => [id, paidAmount]),
  );
  const ofEntry = Map.groupBy(inForce, ({ entryId }) => entryId);
  const ofReversal = Map.groupBy(originals, ({ n }) => n);
  const taken = new Set<number>();
  const takenBack = new Map<number, PaymentRow[]>();
  for (const [n, { id, amount }] of reversals.entries()) {
    const [first] = (ofReversal.get(n) ?? [])
      .map((original) => ({ original, parts: ofEntry.get(original.entryId) ?? [] }))
      .filter(({ original }) => !taken.has(original.entryId))
      // Refunded or dropped money cannot be taken back, and a possible copy may be no payment.
      .filter(({ parts }) => sumOf(parts) + amount === 0 && !parts.some(isPossibleCopy))
      .filter(({ parts }) => isCovered(parts, paid))
      .toSorted(byPreference);
    if (!first) continue;
    taken.add(first.original.entryId);
    takenBack.set(id, first.parts);
    for (const [invoice, sum] of sumByInvoice(first.parts)) {
      paid.set(invoice, (paid.get(invoice) ?? 0) - sum);
    }
  }
  return takenBack;
}

/** False when less is paid on their invoices, because a person placed another reversal there. */
function isCovered(parts: readonly PaymentRow[], paid: ReadonlyMap<number, number>): boolean {
  return [...sumByInvoice(parts)].every(([id, sum]) => sum <= (paid.get(id) ?? 0));
}

interface Choice {
  readonly original: Original;
  readonly parts: readonly PaymentRow[];
}

/**
 * Prefers the payment with the reversal's reference; then, of equal payments, the one with most unplaced money, so
 * that the paid amount does not depend on the order; then the latest by the bank's date.
 */
function byPreference(one: Choice, other: Choice): number {
  return (
    Number(other.original.isNamed) - Number(one.original.isNamed) ||
    sumOf(other.parts.filter(isUnplaced)) - sumOf(one.parts.filter(isUnplaced)) ||
    other.original.date.localeCompare(one.original.date) ||
    other.original.key.localeCompare(one.original.key)
  );
}

function isUnplaced({ invoiceId }: PaymentRow): boolean {
  return invoiceId === null;
}

function isPossibleCopy({ invoiceId, possibleCopy }: PaymentRow): boolean {
  return possibleCopy && invoiceId === null;
}

function sumOf(parts: readonly PaymentRow[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0);
}
