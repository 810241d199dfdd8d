import { amountDue, partForReminders } from '../../domain/invoice/amount-due.ts';
import { ore } from '../../domain/money.ts';
import type { Trx } from '../platform/db/database.ts';
import { SYSTEM } from '../invoice/history.service.ts';
import { lockPayables } from '../invoice/invoice-payable.service.ts';
import { addPayments, type NewPayment } from './payment-posting.service.ts';
import { oppositeOf, partOf, principalOf } from './payment.rows.ts';
import { findOnOwn, findRemainders } from './remainder.repository.ts';

// In whatever order the bank tells of payments and takes them back, as much is paid of an invoice in the end.

/**
 * Puts on invoices that are due again what is left of payments with their exact KID, the oldest first. What a
 * person has placed, split or taken off stays as it is. The caller holds the company.
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
    // Only what pays the invoice pays its reminders too: what is left of these may be let go then.
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
 * Takes off invoices what the bank has told with their exact KID, the last first, until as much has room there
 * as is wanted (øre): it is the credit of their customers then. The caller holds the company, and calls
 * `placeRemainders` when the room is used.
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
