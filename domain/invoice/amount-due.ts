import { ore, type Ore } from '../money.ts';
import type { InvoiceKind, InvoiceStatus } from './invoice.status.ts';

interface Payable {
  readonly kind: InvoiceKind;
  readonly status: InvoiceStatus;
  readonly grossAmount: Ore;
  readonly paidAmount: Ore;
}

/** What is still to be paid, in øre: all of a draft, nothing of a credit note or of what is credited. */
export function amountDue({ kind, status, grossAmount, paidAmount }: Payable): Ore {
  if (kind === 'CREDIT_NOTE' || status === 'CANCELLED') return ore(0);
  return ore(grossAmount - paidAmount);
}

/** How much of the money that goes to an invoice is for its reminders: what exceeds the amount due (øre). */
export function partForReminders(amount: Ore, due: Ore): Ore {
  return ore(Math.max(0, amount - due));
}

/** The most that an invoice takes, in øre: what is due of it, and what its reminders ask for beside it. */
export function amountTaken(due: Ore, reminderAmount: Ore): Ore {
  return ore(due + reminderAmount);
}
