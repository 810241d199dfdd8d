import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { ore } from '../../domain/money.ts';
import type { Trx } from '../db/database.ts';
import { lockPayables } from '../invoice/invoice-payable.service.ts';
import {
  findInForce,
  hasWaitingReversal,
  type PaymentRow,
} from '../payment/payment-of-entry.service.ts';
import { addPayments, type NewPayment } from '../payment/payment-posting.service.ts';
import { oppositeOf } from '../payment/payment.service.ts';
import { placeRemainders } from '../payment/remainder.service.ts';
import { findEntries, setBooked } from './bank-entry.repository.ts';
import { moneyOf, type JudgedEntry, type StoredEntry } from './bank-entry.rows.ts';
import { findOriginals, findReversalsOf, type Original } from './identity.repository.ts';
import { UNPLACED, type Match } from './match/match.ts';

/**
 * Books what the bank takes back. With its payment, as it lies: an invoice is then due again, and both rows
 * stay. Without, it is unplaced, and waits for its payment.
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

/** Has reversals that came before their payments take these back, now that they are booked. */
export async function bookWaitingReversals(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  booked: readonly StoredEntry[],
): Promise<void> {
  // Seldom does any: then nothing is looked up for each entry.
  if (!(await hasWaitingReversal(trx, companyId))) return;
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
  const invoiceIds = rows.flatMap(({ invoiceId }) => invoiceId ?? []);
  const payables = await lockPayables(trx, companyId, [...new Set(invoiceIds)]);
  await addPayments(trx, companyId, author, { rows, payables });
  await placeRemainders(trx, companyId, [...payables.keys()]);
}

/** The row with which a reversal takes a part of its payment back, where that lies. */
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

/** Of each reversal (by its id) that takes a payment back, all parts of the money of that. */
async function findTakenBack(
  trx: Trx,
  companyId: number,
  reversals: readonly StoredEntry[],
): Promise<Map<number, PaymentRow[]>> {
  const originals = await findOriginals(trx, companyId, reversals);
  const entryIds = [...new Set(originals.map(({ entryId }) => entryId))];
  const inForce = Map.groupBy(
    await findInForce(trx, companyId, entryIds),
    ({ entryId }) => entryId,
  );
  const ofReversal = Map.groupBy(originals, ({ n }) => n);
  const taken = new Set<number>();
  const takenBack = new Map<number, PaymentRow[]>();
  for (const [n, { id, amount }] of reversals.entries()) {
    const [first] = (ofReversal.get(n) ?? [])
      .map((original) => ({ original, parts: inForce.get(original.entryId) ?? [] }))
      .filter(({ original }) => !taken.has(original.entryId))
      // What was paid back or dropped is not there any more, and a copy may be no payment.
      .filter(({ parts }) => sumOf(parts) + amount === 0 && !parts.some(isPossibleCopy))
      .toSorted(byPreference);
    if (!first) continue;
    taken.add(first.original.entryId);
    takenBack.set(id, first.parts);
  }
  return takenBack;
}

interface Choice {
  readonly original: Original;
  readonly parts: readonly PaymentRow[];
}

/**
 * What has the reversal's reference first. Of equal payments that which left most unplaced, so that in
 * whatever order they came as much is on invoices; and then the latest, as the bank dates them.
 */
function byPreference(one: Choice, other: Choice): number {
  return (
    Number(other.original.isNamed) - Number(one.original.isNamed) ||
    sumOf(other.parts.filter(isUnplaced)) - sumOf(one.parts.filter(isUnplaced)) ||
    compare(other.original.date, one.original.date) ||
    compare(other.original.key, one.original.key)
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
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
