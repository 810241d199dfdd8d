import { ore, type Ore } from '../money.ts';
import type { InvoiceKind, InvoiceStatus } from './invoice.status.ts';

interface Payable {
  readonly kind: InvoiceKind;
  readonly status: InvoiceStatus;
  readonly grossAmount: Ore;
  readonly paidAmount: Ore;
}

/** The amount due, in øre: a draft's whole sum, 0 for a credit note or a credited invoice. */
export function amountDue({ kind, status, grossAmount, paidAmount }: Payable): Ore {
  if (kind === 'CREDIT_NOTE' || status === 'CANCELLED') return ore(0);
  return ore(grossAmount - paidAmount);
}

/** The part of a payment of an invoice that goes to its reminders: what exceeds the amount due (øre). */
export function partForReminders(amount: Ore, due: Ore): Ore {
  return ore(Math.max(0, amount - due));
}

/** The most that can be allocated to an invoice, in øre: the amount due, and what its reminders claim. */
export function amountTaken(due: Ore, reminderAmount: Ore): Ore {
  return ore(due + reminderAmount);
}
