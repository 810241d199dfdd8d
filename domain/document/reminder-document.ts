import type { IsoDate } from '../date.ts';
import type { KidModulus } from '../kid.ts';
import type { ReminderKind } from '../late-payment/reminder-law.ts';
import type { InterestPeriod } from '../late-payment/interest.ts';
import { ore, type Ore } from '../money.ts';
import type { Buyer, Seller } from '../parties.ts';

/**
 * Everything that a reminder says, frozen when it is made. It asks for what is due of an invoice and for
 * what the law lets a creditor ask for beside it; it has no number of its own and no VAT, and never alters
 * the invoice. Amounts are in øre.
 */
export interface ReminderDocument {
  readonly kind: ReminderKind;
  /** The day of its making in Oslo, through which interest runs. */
  readonly date: IsoDate;
  /** The new deadline. */
  readonly dueDate: IsoDate;
  readonly invoiceNumber: number;
  readonly invoice: {
    readonly issueDate: IsoDate;
    readonly dueDate: IsoDate;
    readonly grossAmount: Ore;
    readonly paidAmount: Ore;
    /** What it is for, in the words of its lines. */
    readonly about: string;
  };
  readonly fee: Ore;
  /** Null when none is asked for. */
  readonly interest: {
    readonly amount: Ore;
    readonly periods: readonly InterestPeriod[];
  } | null;
  readonly compensation: Ore;
  /** Fees and compensation of reminders before that are still owed, less what was paid of such. */
  readonly earlier: Ore;
  /** The invoice's own. */
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

/** What each kind is called on paper, in mail and on screen. */
export const REMINDER_NAMES: Readonly<Record<ReminderKind, string>> = {
  REMINDER: 'Betalingspåminnelse',
  NOTICE: 'Purring',
  DEBT_COLLECTION_NOTICE: 'Inkassovarsel',
};

/** What is due of the invoice (øre). */
export function principalOf({ invoice }: Pick<ReminderDocument, 'invoice'>): Ore {
  return ore(invoice.grossAmount - invoice.paidAmount);
}

/** What is asked for beside it (øre). */
export function extrasOf({
  fee,
  interest,
  compensation,
  earlier,
}: Pick<ReminderDocument, 'fee' | 'interest' | 'compensation' | 'earlier'>): Ore {
  return ore(fee + (interest?.amount ?? 0) + compensation + earlier);
}

/** All that it asks for (øre). */
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
