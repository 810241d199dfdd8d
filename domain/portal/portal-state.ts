import type { IsoDate } from '../date.ts';
import { amountDue } from '../invoice/claim.ts';
import { ore, type Ore } from '../money.ts';
import type { PORTAL_STATES } from './portal.schema.ts';

export type PortalState = (typeof PORTAL_STATES)[number];

type Standing = Parameters<typeof amountDue>[0] & {
  readonly dueDate: IsoDate;
  readonly reminderAmount: Ore;
};

/** The amount to pay, with the claims of reminders (øre; PORT-8). */
export function toPayOf(invoice: Standing): Ore {
  return invoice.kind === 'CREDIT_NOTE' ? ore(0) : ore(amountDue(invoice) + invoice.reminderAmount);
}

/** The first state that fits (PORT-8). An invoice is late after its due date as printed. */
export function portalStateOf(invoice: Standing, today: IsoDate): PortalState {
  const { kind, status, paidAmount, dueDate } = invoice;
  if (kind === 'CREDIT_NOTE' || status === 'CANCELLED') return 'CREDITED';
  if (amountDue(invoice) <= 0) return 'PAID';
  if (dueDate < today) return 'OVERDUE';
  return paidAmount > 0 ? 'PART_PAID' : 'UNPAID';
}

/** The names of states on the page. */
export const STATE_NAMES: Readonly<Record<PortalState, string>> = {
  CREDITED: 'Kreditert',
  PAID: 'Betalt',
  OVERDUE: 'Forfalt',
  PART_PAID: 'Delvis betalt',
  UNPAID: 'Ubetalt',
};
