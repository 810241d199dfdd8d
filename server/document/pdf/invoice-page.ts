import { countryName } from '../../../domain/country.ts';
import { formatDate } from '../../../domain/date.ts';
import {
  aboutQuote,
  documentFileName,
  totalsOf,
  type InvoiceDocument,
} from '../../../domain/document/invoice-document.ts';
import {
  lineNet,
  type InvoiceTotals,
  type VatSubtotal,
} from '../../../domain/invoice/invoice.totals.ts';
import { formatCounted } from '../../../domain/invoice/unit-names.ts';
import { formatOre } from '../../../domain/money.ts';
import { treatmentOf } from '../../../domain/vat-treatment.ts';
import {
  NO_BREAK_SPACE,
  page,
  type Pair,
  isSettled,
  NOT_YET,
  payee,
  type Stamp,
  type PaymentBox,
} from './page.ts';
import type { TextCleaner } from '../../platform/pdf/printable-text.ts';

/** An invoice or credit note to print. */
export interface InvoiceInput {
  readonly document: InvoiceDocument;
  readonly stamp: Stamp | null;
  /** The same document as EHF, to attach; null for none. */
  readonly xml: string | null;
  /** The PNG that the document names. */
  readonly logo: Uint8Array | null;
}

/** How far the sums reach below the text beside them, with one VAT rate (points). */
const SUM_SPACE = 16;

/** An invoice or credit note with the content required by bff § 5-1-1, § 5-1-2 and § 5-1-5; a credit note also by § 5-2-7. */
export function invoicePage({ document, stamp, xml, logo }: InvoiceInput, cleaner: TextCleaner) {
  const { clean } = cleaner;
  const totals = totalsOf(document);
  const { seller, buyer, issueDate: date } = document;
  return page({ name: documentName(document), date, stamp, seller, buyer, logo }, cleaner, {
    heading: document.kind === 'INVOICE' ? 'FAKTURA' : 'KREDITNOTA',
    intro: paragraphsOf(document.message).map((lines) => lines.map(clean)),
    credits: aboutOther(document),
    facts: facts(document).map(([label, value]) => [label, clean(value)]),
    ...lineTable(document, clean),
    ...sums(document, totals, totalLabel(document, stamp)),
    payment: paymentBox(document, totals, stamp),
    attachment: xml === null ? null : attachment(document, xml),
  });
}

const CREDITED = {
  ALL: 'faktura',
  PART: 'en del av faktura',
  REST: 'resten av faktura',
} as const;

/** The invoice that a credit note credits, or the quote that an invoice was made of. */
function aboutOther({ credits, quoteNumber }: InvoiceDocument): string | null {
  if (credits === null) return aboutQuote({ quoteNumber });
  const { extent, invoiceNumber, issueDate } = credits;
  return `Krediterer ${CREDITED[extent ?? 'ALL']} ${invoiceNumber} av ${formatDate(issueDate)}`;
}

/** A text as paragraphs of lines. */
export function paragraphsOf(message: string | null): string[][] {
  return message?.split(/\n\s*\n/).map((paragraph) => paragraph.split('\n')) ?? [];
}

function documentName({ kind, invoiceNumber }: InvoiceDocument): string {
  const name = kind === 'INVOICE' ? 'Faktura' : 'Kreditnota';
  return invoiceNumber === null ? `${name}, utkast` : `${name} ${invoiceNumber}`;
}

function facts(document: InvoiceDocument): Pair[] {
  const isInvoice = document.kind === 'INVOICE';
  const number = document.invoiceNumber === null ? NOT_YET : String(document.invoiceNumber);
  return [
    [isInvoice ? 'Fakturanummer' : 'Kreditnotanr.', number],
    [isInvoice ? 'Fakturadato' : 'Kreditnotadato', formatDate(document.issueDate)],
    ...(isInvoice ? ([['Forfallsdato', formatDate(document.dueDate)]] as const) : []),
    ['Leveringsdato', formatDate(document.deliveryDate)],
    ['Kundenummer', String(document.buyer.customerNumber)],
    ...stated('Deres referanse', document.reference),
    ...stated('Leveringsland', document.deliveryCountry && countryName(document.deliveryCountry)),
    ...stated('Kundens mva-nr.', document.buyerVatNumber),
  ];
}

/** A fact that may be absent. */
export function stated(label: string, value: string | null): Pair[] {
  return value === null ? [] : [[label, value]];
}

/** A document with prices. */
type Priced = Pick<InvoiceDocument, 'seller' | 'lines'>;

/** Whether VAT is shown: a seller who is not registered shows it only when a line has it. */
export function isTaxed({ seller, lines }: Priced): boolean {
  return seller.vatRegistered || lines.some((line) => line.vatRate !== 0);
}

/** The lines of a document as a table. */
export function lineTable(document: Priced, clean: TextCleaner['clean']) {
  const hasVat = isTaxed(document);
  const vat = <T>(cell: T) => (hasVat ? [cell] : []);
  const heads = ['Antall', 'Enhetspris', ...vat('Mva'), hasVat ? 'Beløp eks. mva' : 'Beløp'];
  const figures = document.lines.map((line) => [
    formatCounted(line.quantity, line.unit),
    formatOre(line.netUnitAmount),
    ...vat(formatRate(line.vatRate)),
    formatOre(lineNet(line)),
  ]);
  return {
    columns: ['Beskrivelse', ...heads],
    lines: document.lines.map((line, index) => [
      clean(line.description),
      ...(figures[index] ?? []),
    ]),
    products: document.lines.map(({ productNumber }) =>
      productNumber === null ? '' : clean(`Produktnr. ${productNumber}`),
    ),
  };
}

/** The sums of a document, by VAT treatment and in all, with this name. */
export function sums(document: Priced, totals: InvoiceTotals, totalName: string) {
  const hasVat = isTaxed(document);
  const sumSpace = totals.subtotals.length === 1 ? SUM_SPACE : 0;
  const reasons = totals.subtotals.flatMap(({ vatTreatment }) =>
    vatTreatment === null ? [] : (treatmentOf(vatTreatment).reason ?? []),
  );
  return {
    // A rate is short, and the name of a treatment is not.
    carried: null,
    'wide-rates': reasons.length > 0,
    'vat-columns': ['Mva-sats', 'Grunnlag', 'Mva'],
    'vat-rows': hasVat
      ? totals.subtotals.map((part) => [rateOf(part), formatOre(part.net), formatOre(part.vat)])
      : [],
    notes: [
      ...reasons,
      hasVat
        ? 'Alle beløp er i norske kroner (NOK).'
        : 'Alle beløp er i norske kroner (NOK). Selger er ikke registrert i Merverdiavgiftsregisteret.',
    ],
    sums: (hasVat
      ? [
          ['Sum eks. mva', formatOre(totals.net)],
          ['Mva', formatOre(totals.vat)],
        ]
      : []) satisfies Pair[],
    'sum-space': sumSpace,
    total: [totalName, formatOre(totals.gross)] satisfies Pair,
  };
}

/** '25 %', '0 % utførsel' */
function rateOf({ vatRate, vatTreatment }: VatSubtotal): string {
  return vatRate > 0 || vatTreatment === null
    ? formatRate(vatRate)
    : treatmentOf(vatTreatment).label;
}

function totalLabel(document: InvoiceDocument, stamp: Stamp | null): string {
  if (document.kind === 'CREDIT_NOTE') return 'Sum kreditert';
  if (!isSettled(stamp)) return 'Sum å betale';
  return isTaxed(document) ? 'Sum inkl. mva' : 'Sum';
}

/** How to pay or, when nothing is due, why. */
function paymentBox(
  document: InvoiceDocument,
  { gross }: InvoiceTotals,
  stamp: Stamp | null,
): PaymentBox {
  const amount = `kr${NO_BREAK_SPACE}${formatOre(gross)}`;
  if (document.kind === 'CREDIT_NOTE') return credit(document, amount);
  switch (stamp?.kind) {
    case 'PAID':
      return {
        heading: 'Betalt',
        items: [...payee(document), ['Betalt dato', formatDate(stamp.paidDate)]],
        amount: ['Betalt beløp', `kr${NO_BREAK_SPACE}${formatOre(stamp.amount)}`],
      };
    case 'CREDITED':
      return {
        heading: 'Kreditert – skal ikke betales',
        items: [['Kreditert med kreditnota', String(stamp.creditNoteNumber)]],
        amount: ['Kreditert beløp', amount],
      };
    default:
      return {
        heading: 'Betaling',
        items: [...payee(document), ['Forfallsdato', formatDate(document.dueDate)]],
        amount: ['Å betale', amount],
      };
  }
}

/** A credit note needs no payment: it says what the buyer no longer owes. */
function credit({ credits }: InvoiceDocument, amount: string): PaymentBox {
  return {
    heading: 'Beløpet krediteres',
    items: credits
      ? [
          ['Gjelder faktura', String(credits.invoiceNumber)],
          ['Fakturadato', formatDate(credits.issueDate)],
        ]
      : [],
    amount: ['Kreditert beløp', amount],
  };
}

function attachment(document: InvoiceDocument, xml: string) {
  return {
    name: documentFileName(document, 'xml'),
    content: xml,
    description: 'Samme dokument som EHF Billing 3.0',
  };
}

function formatRate(rate: number): string {
  return `${rate}${NO_BREAK_SPACE}%`;
}
