import type { IsoDate } from '../date.ts';
import type { KidModulus } from '../kid.ts';
import type { ReminderKind } from '../late-payment/reminder-law.ts';
import type { InterestPeriod } from '../late-payment/interest.ts';
import { ore, type Ore } from '../money.ts';
import type { Buyer, Seller } from '../parties.ts';

/**
 * Everything that a reminder says, frozen when it is made. It claims the amount due of an invoice and the interest,
 * fee and compensation that the law allows. It has no number of its own and no VAT, and never alters the invoice.
 * Amounts are in øre.
 */
export interface ReminderDocument {
  readonly kind: ReminderKind;
  /** The day it was made, in Oslo. Interest runs through this day. */
  readonly date: IsoDate;
  /** The new deadline. */
  readonly dueDate: IsoDate;
  readonly invoiceNumber: number;
  readonly invoice: {
    readonly issueDate: IsoDate;
    readonly dueDate: IsoDate;
    readonly grossAmount: Ore;
    readonly paidAmount: Ore;
    /** The invoice's line descriptions. */
    readonly about: string;
  };
  readonly fee: Ore;
  /** Null when no interest is claimed. */
  readonly interest: {
    readonly amount: Ore;
    readonly periods: readonly InterestPeriod[];
  } | null;
  readonly compensation: Ore;
  /** Unpaid fees and compensation of earlier reminders, less what was paid of them. */
  readonly earlier: Ore;
  /** The KID of the invoice. */
  readonly kid: string | null;
  readonly kidModulus: KidModulus | null;
  /** Eleven digits. */
  readonly bankAccountNumber: string;
  readonly reference: string | null;
  readonly seller: Seller;
  readonly buyer: Buyer;
  /** SHA-256 of the logo's bytes in hex. */
  readonly logo: string | null;
}

/** Names on paper, in mail and on screen. */
export const REMINDER_NAMES: Readonly<Record<ReminderKind, string>> = {
  REMINDER: 'Betalingspåminnelse',
  NOTICE: 'Purring',
  DEBT_COLLECTION_NOTICE: 'Inkassovarsel',
};

/** The amount due of the invoice (øre). */
export function principalOf({ invoice }: Pick<ReminderDocument, 'invoice'>): Ore {
  return ore(invoice.grossAmount - invoice.paidAmount);
}

/** Fees, interest and compensation claimed beside the invoice (øre). */
export function extrasOf({
  fee,
  interest,
  compensation,
  earlier,
}: Pick<ReminderDocument, 'fee' | 'interest' | 'compensation' | 'earlier'>): Ore {
  return ore(fee + (interest?.amount ?? 0) + compensation + earlier);
}

/** The whole amount claimed (øre). */
export function reminderAmount(document: ReminderDocument): Ore {
  return ore(principalOf(document) + extrasOf(document));
}

/** 'Betalingspåminnelse-1001.pdf'. */
export function reminderFileName({
  kind,
  invoiceNumber,
}: Pick<ReminderDocument, 'kind' | 'invoiceNumber'>): string {
  return `${REMINDER_NAMES[kind]}-${invoiceNumber}.pdf`;
}
