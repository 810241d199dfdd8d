import { amountDue, partForReminders } from '../../domain/invoice/claim.ts';
import { ore } from '../../domain/money.ts';
import type { Trx } from '../platform/db/database.ts';
import { SYSTEM, lockPayables } from '../invoice/invoice.service.ts';
import { addPayments, type NewPayment } from './payment-posting.service.ts';
import { oppositeOf, partOf, principalOf } from './payment.rows.ts';
import { findOnOwn, findRemainders } from './remainder.repository.ts';

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
  await addPayments(trx, companyId, SYSTEM, { rows, payables });
}

/**
 * Takes bank payments with the exact KID off invoices, the last first, until the wanted room (øre) is free; they
 * become their customer's credit. The caller holds the company, and calls `placeRemainders` after using the room.
 */
export async function makeRoom(
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
  await addPayments(trx, companyId, SYSTEM, { rows, payables });
}
