import { type IsoDate, formatDate } from '../date.ts';
import type { KidModulus } from '../kid.ts';
import type { ReminderKind } from '../late-payment/reminder-kind.ts';
import type { InterestPeriod } from '../late-payment/interest.ts';
import { ore, type Ore } from '../money.ts';
import type { Buyer, Seller } from '../parties.ts';
import { readableEmail } from '../email.ts';

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
    /** Null when nothing of it was credited. */
    readonly creditedAmount: Ore | null;
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
  return ore(invoice.grossAmount - (invoice.creditedAmount ?? 0) - invoice.paidAmount);
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

/** For a buyer whose payment of the last days is not booked yet. */
export const PAID_ALREADY = 'Se bort fra denne hvis du nettopp har betalt.';

type OpeningFacts = Pick<ReminderDocument, 'kind' | 'dueDate' | 'invoiceNumber' | 'invoice'>;

/** The first paragraphs of a reminder; paper and mail use the same. */
export function openingOf(document: OpeningFacts): string[] {
  return OPENINGS[document.kind](document);
}

const OPENINGS: Readonly<Record<ReminderKind, (document: OpeningFacts) => string[]>> = {
  REMINDER: ({ dueDate, invoiceNumber, invoice }) => [
    invoice.paidAmount > 0
      ? `Takk for det du har betalt av faktura ${invoiceNumber}. Den forfalt ${formatDate(invoice.dueDate)}, og vi kan ikke se at vi har fått resten ennå.`
      : `Vi kan ikke se at vi har fått betaling for faktura ${invoiceNumber}, som forfalt ${formatDate(invoice.dueDate)}. Slikt er lett å overse, så her er en liten påminnelse.`,
    `Vi setter pris på om du betaler innen ${formatDate(dueDate)}.`,
  ],
  NOTICE: ({ dueDate, invoiceNumber, invoice }) => [
    `Faktura ${invoiceNumber} forfalt ${formatDate(invoice.dueDate)}, og vi kan ikke se at ${invoice.paidAmount > 0 ? 'alt' : 'den'} er betalt. Vi ber deg betale beløpet nedenfor innen ${formatDate(dueDate)}.`,
  ],
  DEBT_COLLECTION_NOTICE: ({ dueDate, invoiceNumber, invoice }) => [
    `Faktura ${invoiceNumber} forfalt ${formatDate(invoice.dueDate)}, og ${invoice.paidAmount > 0 ? 'resten ' : ''}er fortsatt ikke betalt.`,
    `Betaler du ikke innen ${formatDate(dueDate)}, sender vi kravet til inkasso. Det kan gi deg kostnader i tillegg.`,
  ],
};

/** Label of the amount carried over from earlier reminders; negative when more was paid than they claimed. */
export function earlierLabel({ earlier }: Pick<ReminderDocument, 'earlier'>): string {
  return earlier < 0 ? 'Betalt av gebyr og renter' : 'Fra tidligere påminnelser';
}

/** How the buyer can object. */
export function objectionTo({ kind, seller }: Pick<ReminderDocument, 'kind' | 'seller'>): string {
  const where = `Skriv til ${readableEmail(seller.email)}`;
  return kind === 'REMINDER'
    ? `Er noe feil eller uklart, eller trenger du mer tid? ${where}, så finner vi ut av det.`
    : `Er du uenig i kravet, eller er noe uklart? ${where} innen fristen, og fortell hvorfor. Da ser vi på saken før noe mer skjer.`;
}
