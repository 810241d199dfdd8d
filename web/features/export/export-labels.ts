import type {
  CompanyExport,
  ExportKind,
  ExportState,
  ExportTrial,
} from '../../../domain/export/export.schema.ts';
import { formatDate, todayInOslo, type IsoDate } from '../../../domain/date.ts';
import { countOf, showKroner } from '../../lib/number-text.ts';
import type { Label } from '../../ui/Badge.tsx';

export const KIND_LABELS: Readonly<Record<ExportKind, string>> = {
  XLSX: 'Excel',
  CSV: 'CSV',
  GBAT10: 'GBAT10',
  TWENTYFOURSEVEN: '24SevenOffice',
  UNI: 'Uni',
  SAFT: 'SAF-T',
  DOCUMENTS: 'PDF og EHF',
  ARCHIVE: 'Alt (arkiv)',
};

export const STATE_LABELS: Readonly<Record<Exclude<ExportState, 'DONE'>, Label>> = {
  WAITING: { text: 'Venter', tone: 'gray' },
  WORKING: { text: 'Lages nå', tone: 'blue' },
  FAILED: { text: 'Ikke laget', tone: 'red' },
};

type Contents = Pick<
  ExportTrial,
  'invoices' | 'creditNotes' | 'gross' | 'firstNumber' | 'lastNumber'
>;

/** '128 fakturaer, 4 kreditnotaer'. */
export function countDocuments({ invoices, creditNotes }: Contents): string {
  const notes = creditNotes > 0 ? `, ${countOf(creditNotes, 'kreditnota', 'kreditnotaer')}` : '';
  return `${countOf(invoices, 'faktura', 'fakturaer')}${notes}`;
}

/** '128 fakturaer, 4 kreditnotaer, 431 250,00 kr, nummer 1001–1132'. */
export function contentsText(contents: Contents): string {
  const numbers = numbersOf(contents);
  const named = numbers === null ? '' : `, nummer ${numbers}`;
  return `${countDocuments(contents)}, ${showKroner(contents.gross)}${named}`;
}

/** '1001–1132'; null of nothing. */
export function numbersOf({
  firstNumber,
  lastNumber,
}: Pick<Contents, 'firstNumber' | 'lastNumber'>): string | null {
  if (firstNumber === null || lastNumber === null) return null;
  return firstNumber === lastNumber ? String(firstNumber) : `${firstNumber}–${lastNumber}`;
}

/** '01.10.2026 – 31.10.2026', or 'Til og med 31.10.2026' from the first day. */
export function periodText({ from, to }: Pick<CompanyExport, 'from' | 'to'>): string {
  if (from === null) return `Til og med ${formatDate(to)}`;
  return from === to ? formatDate(from) : `${formatDate(from)}\u00A0– ${formatDate(to)}`;
}

/** '3.11.', or '3.11.2025' of another year. */
export function dayText(instant: string, today: IsoDate = todayInOslo()): string {
  const [year = '', month = '', day = ''] = todayInOslo(new Date(instant)).split('-');
  const date = `${Number(day)}.${Number(month)}.`;
  return today.startsWith(year) ? date : `${date}${year}`;
}

/** '1090–1132 ble eksportert 3.11.' */
export function exportedText(before: ExportTrial['exportedBefore'][number]): string {
  const day = dayText(before.at);
  return `${numbersOf(before)} ble eksportert ${day}${day.endsWith('.') ? '' : '.'}`;
}

/** The consequence of deleting an export's file, for the question before it. */
export function deletionText({ sentTo, linkSentAt }: Pick<CompanyExport, 'sentTo' | 'linkSentAt'>) {
  const isReceived = sentTo !== null && linkSentAt !== null;
  const loss = isReceived
    ? `Lenken som ${sentTo} har fått, slutter å virke.`
    : 'Filen kan ikke hentes mer.';
  return `${loss} Eksporten blir stående i listen.`;
}
