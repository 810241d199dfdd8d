import { claimLeft } from '../../domain/late-payment/claim-left.ts';
import { ore, type Ore } from '../../domain/money.ts';
import type { Trx } from '../platform/db/database.ts';
import { findRates } from './late-payment.service.ts';
import { findPaid, type PaymentRow } from './payment.repository.ts';
import * as repository from './reminder-recount.repository.ts';

/**
 * Recounts the claims of these invoices' reminders after payments changed (REM-19). Returns whether they had any
 * claim. The caller holds the invoices.
 */
export async function recountReminders(
  trx: Trx,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<boolean> {
  const reminders =
    invoiceIds.length === 0 ? [] : await repository.findAsked(trx, companyId, invoiceIds);
  if (reminders.length === 0) return false;
  const ids = new Set(reminders.map(({ invoiceId }) => invoiceId));
  const paid = Map.groupBy(await findPaid(trx, companyId, [...ids]), ({ invoiceId }) => invoiceId);
  const rates = await findRates(trx);
  const changed = reminders.flatMap(({ reminderId, invoiceId, asked, ...before }) => {
    const left = claimLeft(rates, { ...before, interest: asked }, paid.get(invoiceId) ?? []);
    const isSame = left.interest === before.interest && left.feeWaived === before.feeWaived;
    return isSame ? [] : [{ reminderId, invoiceId, ...left }];
  });
  await repository.saveRecounts(trx, companyId, changed);
  return true;
}

/** A payment on an invoice, and the part (øre) that pays a waived reminder claim. */
interface PaidForNothing {
  readonly payment: PaymentRow;
  readonly amount: Ore;
}

/** The parts of the last payments of these invoices that paid a fee or interest waived since. */
export async function findPaidForNothing(
  trx: Trx,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<PaidForNothing[]> {
  const excess = await repository.findExcess(trx, companyId, invoiceIds);
  if (excess.size === 0) return [];
  const payments = await repository.findForReminders(trx, companyId, [...excess.keys()]);
  return payments.flatMap((payment) => {
    const left = excess.get(payment.invoiceId ?? 0) ?? 0;
    const amount = ore(Math.min(left, payment.reminderAmount));
    excess.set(payment.invoiceId ?? 0, left - amount);
    return amount > 0 ? [{ payment, amount }] : [];
  });
}
