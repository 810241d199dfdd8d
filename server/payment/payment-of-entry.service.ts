import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { amountDue, partForReminders } from '../../domain/invoice/claim.ts';
import { ore } from '../../domain/money.ts';
import { SYSTEM } from '../invoice/history.repository.ts';
import { lockPayables, type Payable } from '../invoice/invoice-payable.repository.ts';
import type { Trx } from '../platform/db/database.ts';
import {
  findInForce,
  findOnOwn,
  findRefunds,
  findRemainders,
  findTakenBack,
  findTakingBack,
  type TakenBack,
} from './payment-of-entry.repository.ts';
import { addPayments, invoicesOf } from './payment-posting.service.ts';
import { moneyOf, oppositeOf, partOf, principalOf, type NewPayment } from './payment.repository.ts';

/**
 * Takes back the money that these bank entries added, on invoices or unplaced; the payments that their reversals
 * took back are restored. It never refuses, because a part of the file may be undone already: money in the way
 * becomes unplaced. The caller holds the company.
 */
export async function takeBackEntries(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  entryIds: readonly number[],
): Promise<void> {
  await undoRefunds(trx, companyId, author, entryIds);
  const reversed = await findTakenBack(trx, companyId, entryIds);
  const thereAgain = await putBack(trx, companyId, author, reversed);
  await addPayments(trx, companyId, author, waitingAgain(reversed, new Set(entryIds)));
  const money = await findInForce(trx, companyId, entryIds);
  const opposites = money.map((payment) => oppositeOf(payment, 'UNDO'));
  const inTheWay = await findInTheWay(trx, companyId, opposites);
  await addPayments(trx, companyId, author, [...opposites, ...inTheWay]);
  await placeRemainders(trx, companyId, invoicesOf([...thereAgain, ...opposites, ...inTheWay]));
}

/** Undoes refunds made after the undoing of the file began; earlier refunds refuse the undoing (BANK-5). */
async function undoRefunds(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  entryIds: readonly number[],
): Promise<void> {
  const refunds = await findRefunds(trx, companyId, entryIds);
  const again = refunds.map((refund) =>
    Object.assign(oppositeOf(refund, 'PAYMENT'), { fromId: refund.undoesId }),
  );
  await addPayments(trx, companyId, author, again);
}

/**
 * Restores reversed payments on their invoices. An invoice that takes no payment any more, because it was credited
 * or paid otherwise, leaves the money unplaced as its customer's credit.
 */
async function putBack(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  reversed: readonly TakenBack[],
): Promise<NewPayment[]> {
  const wanted = sumByInvoice(reversed.map(restoredPayment));
  await makeRoom(trx, companyId, wanted);
  const payables = await lockPayables(trx, companyId, [...wanted.keys()]);
  const room = new Map<number, number>(
    [...payables].map(([id, payable]) => [id, isPayable(payable) ? amountDue(payable) : 0]),
  );
  const rows = reversed.map((taken): NewPayment => {
    const row = restoredPayment(taken);
    const { invoiceId } = row;
    if (invoiceId === null) return row;
    const left = (room.get(invoiceId) ?? 0) - principalOf(row);
    const payable = payables.get(invoiceId);
    if (left < 0 || !payable || !isPayable(payable)) return released(taken, payable?.customerId);
    room.set(invoiceId, left);
    return row;
  });
  await addPayments(trx, companyId, author, rows);
  return rows;
}

/** The money of a reversed payment while both rows stay where they are: see `isReleased`. */
function released(
  { reversal, original }: TakenBack,
  ofInvoice: number | null | undefined,
): NewPayment {
  const customerId = reversal.customerId ?? ofInvoice ?? null;
  const money = { ...moneyOf(original), customerId, fromId: reversal.id };
  return { ...money, kind: 'PAYMENT', invoiceId: null };
}

/**
 * Finds reversals that a person placed on invoices, the last first, where the invoice has no money left for them:
 * they become unplaced again.
 */
async function findInTheWay(
  trx: Trx,
  companyId: number,
  opposites: readonly NewPayment[],
): Promise<NewPayment[]> {
  const changes = sumByInvoice(opposites);
  const payables = await lockPayables(trx, companyId, [...changes.keys()]);
  const lacking = new Map<number, number>();
  for (const { id, paidAmount } of payables.values()) {
    const paid = paidAmount + (changes.get(id) ?? 0);
    if (paid < 0) lacking.set(id, -paid);
  }
  if (lacking.size === 0) return [];
  const gone = new Set(opposites.map(({ undoesId }) => undoesId));
  const placed = await findTakingBack(trx, companyId, [...lacking.keys()]);
  return placed.flatMap((payment): NewPayment[] => {
    const { id, invoiceId, customerId } = payment;
    const lack = invoiceId === null ? 0 : (lacking.get(invoiceId) ?? 0);
    if (invoiceId === null || lack <= 0 || gone.has(id)) return [];
    lacking.set(invoiceId, lack + principalOf(payment));
    const unplaced = { ...partOf(payment), invoiceId: null, customerId };
    return [oppositeOf(payment, 'UNDO'), unplaced];
  });
}

function isPayable({ status }: Payable): boolean {
  return status === 'REGISTERED' || status === 'PAID';
}

/** Øre by invoice, reminder fees excluded. */
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

/**
 * The restored payment of a reversal, at its place; its money still belongs to its own entry, in case that is
 * undone too.
 */
function restoredPayment({ reversal, original }: TakenBack): NewPayment {
  const { customerId } = reversal;
  const opposite = oppositeOf(reversal, 'PAYMENT');
  return { ...opposite, ...moneyOf(original), customerId, fromId: original.id };
}

/** Reversals that came before these entries wait for their payments again. */
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

// The paid amount of an invoice must not depend on the order in which payments and reversals arrive.

/**
 * Places remainders of payments with the exact KID on invoices that are due again, the oldest first. Money that a
 * person placed, split or took off stays where it is. The caller holds the company.
 */
export async function placeRemainders(
  trx: Trx,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<void> {
  if (invoiceIds.length === 0) return;
  const remainders = await findRemainders(trx, companyId, invoiceIds);
  const ids = [...new Set(remainders.map(({ invoiceId }) => invoiceId))];
  const payables = await lockPayables(trx, companyId, ids);
  const dues = new Map([...payables].map(([id, payable]) => [id, amountDue(payable)]));
  const rows: NewPayment[] = [];
  for (const { payment, invoiceId } of remainders) {
    const due = dues.get(invoiceId) ?? ore(0);
    // A payment covers reminder claims only when it also pays the invoice; the profile may waive the rest of the
    // claims then.
    const most = due === 0 ? 0 : due + (payables.get(invoiceId)?.reminderAmount ?? 0);
    const amount = ore(Math.min(most, payment.amount));
    if (amount === 0) continue;
    const reminderAmount = partForReminders(amount, due);
    dues.set(invoiceId, ore(due - amount + reminderAmount));
    const part = partOf(payment);
    rows.push(oppositeOf(payment, 'UNDO'), { ...part, amount, reminderAmount, invoiceId });
    const rest = ore(payment.amount - amount);
    if (rest > 0) rows.push({ ...part, amount: rest, invoiceId: null });
  }
  await addPayments(trx, companyId, SYSTEM, rows);
}

/**
 * Takes bank payments with the exact KID off invoices, the last first, until the wanted room (øre) is free; they
 * become their customer's credit. The caller holds the company, and calls `placeRemainders` after using the room.
 */
async function makeRoom(
  trx: Trx,
  companyId: number,
  wanted: ReadonlyMap<number, number>,
): Promise<void> {
  const payables = await lockPayables(trx, companyId, [...wanted.keys()]);
  const lacking = new Map(
    [...payables].map(([id, payable]) => [id, (wanted.get(id) ?? 0) - amountDue(payable)]),
  );
  const full = [...lacking].flatMap(([id, lack]) => (lack > 0 ? [id] : []));
  if (full.length === 0) return;
  const onOwn = await findOnOwn(trx, companyId, full);
  const rows = onOwn.flatMap(({ payment, invoiceId }): NewPayment[] => {
    const lack = lacking.get(invoiceId) ?? 0;
    const principal = principalOf(payment);
    if (lack <= 0 || principal === 0) return [];
    lacking.set(invoiceId, lack - principal);
    const customerId = payment.customerId ?? payables.get(invoiceId)?.customerId ?? null;
    const rest = { ...partOf(payment), invoiceId: null, customerId };
    return [oppositeOf(payment, 'UNDO'), rest];
  });
  await addPayments(trx, companyId, SYSTEM, rows);
}
