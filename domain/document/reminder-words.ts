import { formatDate } from '../date.ts';
import { readableEmail } from '../email.ts';
import type { ReminderKind } from '../late-payment/reminder-law.ts';
import type { ReminderDocument } from './reminder-document.ts';

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
