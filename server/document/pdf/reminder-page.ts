import { daysBetween, formatDate } from '../../../domain/date.ts';
import {
  extrasOf,
  principalOf,
  REMINDER_NAMES,
  reminderAmount,
  type ReminderDocument,
  earlierLabel,
  objectionTo,
  openingOf,
  PAID_ALREADY,
} from '../../../domain/document/reminder-document.ts';
import { formatOre, ore } from '../../../domain/money.ts';
import { NO_BREAK_SPACE, page, payee, type Pair, type PaymentBox, type Stamp } from './page.ts';
import type { TextCleaner } from '../../platform/pdf/printable-text.ts';

export interface ReminderInput {
  readonly document: ReminderDocument;
  readonly stamp: Extract<Stamp, { kind: 'DRAFT' }> | null;
  /** The PNG that the document names. */
  readonly logo: Uint8Array | null;
}

/** How far the sums reach below the text beside them (points). */
const SUM_SPACE = 12;

/** A reminder: its invoice, the amount left, and each further claim (inkassoforskriften § 1-2, inkassoloven § 9). */
export function reminderPage({ document, stamp, logo }: ReminderInput, cleaner: TextCleaner) {
  const { clean } = cleaner;
  const { seller, buyer, date } = document;
  const title = REMINDER_NAMES[document.kind];
  const name = `${title}, faktura ${document.invoiceNumber}`;
  return page({ name, date, stamp, seller, buyer, logo }, cleaner, {
    heading: title.toUpperCase(),
    intro: openingOf(document).map((paragraph) => [clean(paragraph)]),
    credits: null,
    facts: facts(document).map(([label, value]) => [label, clean(value)]),
    columns: ['Krav', 'Beløp'],
    lines: claims(document).map(([what, amount]) => [clean(what), amount]),
    products: claims(document).map(() => ''),
    carried: null,
    'wide-rates': false,
    'vat-columns': [],
    'vat-rows': [],
    notes: [objectionTo(document), PAID_ALREADY, 'Alle beløp er i norske kroner (NOK).'].map(clean),
    ...sums(document),
    payment: payment(document),
    attachment: null,
  });
}

function facts(document: ReminderDocument): Pair[] {
  const { invoice, reference } = document;
  return [
    ['Dato', formatDate(document.date)],
    ['Ny betalingsfrist', formatDate(document.dueDate)],
    ['Fakturanummer', String(document.invoiceNumber)],
    ['Fakturadato', formatDate(invoice.issueDate)],
    ['Forfalt', formatDate(invoice.dueDate)],
    ['Kundenummer', String(document.buyer.customerNumber)],
    ...(reference === null ? [] : ([['Deres referanse', reference]] as const)),
  ];
}

function claims(document: ReminderDocument): Pair[] {
  const { invoiceNumber, invoice, interest, fee, compensation, earlier } = document;
  const issued = formatDate(invoice.issueDate);
  const claim = (what: string, amount: number): Pair[] =>
    amount === 0 ? [] : [[what, formatOre(ore(amount))]];
  return [
    [`Faktura ${invoiceNumber} av ${issued}: ${invoice.about}`, formatOre(invoice.grossAmount)],
    ...claim('Kreditert', 0 - (invoice.creditedAmount ?? 0)),
    ...claim('Betalt', 0 - invoice.paidAmount),
    ...claim(interestLine(document), interest?.amount ?? 0),
    ...claim('Purregebyr', fee),
    ...claim('Standardkompensasjon (forsinkelsesrenteloven § 3 a)', compensation),
    ...claim(earlierLabel(document), earlier),
  ];
}

/** 'Forsinkelsesrente: 12,25 % fra 16.07.2026 til 31.07.2026 (16 dager)'. */
function interestLine({ interest }: ReminderDocument): string {
  const periods = interest?.periods.map(({ from, through, rate }) => {
    const days = daysBetween(from, through) + 1;
    const percent = `${formatOre(ore(rate))}${NO_BREAK_SPACE}%`;
    return `${percent} fra ${formatDate(from)} til ${formatDate(through)} (${days} ${days === 1 ? 'dag' : 'dager'})`;
  });
  return `Forsinkelsesrente: ${periods?.join(' og ') ?? ''}`;
}

function sums(document: ReminderDocument) {
  const extras = extrasOf(document);
  const parts: Pair[] = [
    ['Rest av fakturaen', formatOre(principalOf(document))],
    [extrasLabel(document), formatOre(extras)],
  ];
  return {
    sums: extras === 0 ? [] : parts,
    'sum-space': SUM_SPACE,
    total: ['Å betale', formatOre(reminderAmount(document))] satisfies Pair,
  };
}

function extrasLabel({ interest, fee, compensation, earlier }: ReminderDocument): string {
  // Earlier claims may be of any kind.
  if (compensation !== 0 || earlier !== 0) return 'Tillegg';
  if (fee === 0) return 'Renter';
  return interest === null ? 'Gebyr' : 'Gebyr og renter';
}

function payment(document: ReminderDocument): PaymentBox {
  return {
    heading: 'Betaling',
    items: [...payee(document), ['Betales innen', formatDate(document.dueDate)]],
    amount: ['Å betale', `kr${NO_BREAK_SPACE}${formatOre(reminderAmount(document))}`],
  };
}
