import { formatBankAccount } from '../../domain/bank-account.ts';
import { formatDate, type IsoDate } from '../../domain/date.ts';
import {
  documentFileName,
  type Buyer,
  type InvoiceDocument,
  type Seller,
} from '../../domain/invoice/invoice-document.ts';
import { invoiceTotals, lineNet, type InvoiceTotals } from '../../domain/invoice/invoice.totals.ts';
import { formatOre } from '../../domain/money.ts';
import { formatOrgNumber } from '../../domain/org-number.ts';
import { FONT_FAMILIES } from './fonts.ts';
import type { TextCleaner } from './printable-text.ts';

/** What is stamped on the paper, and what the box at its foot then says instead of how to pay. */
export type Stamp =
  | { readonly kind: 'DRAFT' }
  | { readonly kind: 'PAID'; readonly paidDate: IsoDate }
  | { readonly kind: 'CREDITED'; readonly creditNoteNumber: number };

/** One document to be rendered. */
export interface PdfInput {
  readonly document: InvoiceDocument;
  readonly stamp: Stamp | null;
  /** The same document as EHF, to be attached; null goes without. */
  readonly xml: string | null;
}

const STAMP_WORDS: Readonly<Record<Stamp['kind'], string>> = {
  DRAFT: 'UTKAST',
  PAID: 'BETALT',
  CREDITED: 'KREDITERT',
};

const NOT_YET = 'Tildeles senere';
const NO_BREAK_SPACE = '\u00A0';
/** Points that a letter of a table's head and a figure in its rows take on average, and then some. */
const HEAD_LETTER = 4.8;
const FIGURE = 5.4;
/** Points that the sums reach below what stands beside them where there is one rate. */
const SUM_SPACE = 16;

type Pair = readonly [label: string, value: string];

/**
 * Everything that `invoice.typ` prints, as clean Norwegian text. Its content is what bff § 5-1-1,
 * § 5-1-2 and § 5-1-5 ask for, and § 5-2-7 of a credit note.
 */
export function invoicePage({ document, stamp, xml }: PdfInput, { clean }: TextCleaner) {
  const totals = invoiceTotals(document.lines);
  const seller = clean(document.seller.name);
  const name = documentName(document);
  return {
    fonts: FONT_FAMILIES,
    title: `${name} fra ${seller}`,
    date: document.issueDate.split('-').map(Number),
    heading: document.kind === 'INVOICE' ? 'FAKTURA' : 'KREDITNOTA',
    watermark: stamp?.kind === 'DRAFT' ? STAMP_WORDS.DRAFT : null,
    stamp: isSettled(stamp) ? STAMP_WORDS[stamp.kind] : null,
    credits:
      document.credits &&
      `Krediterer faktura ${document.credits.invoiceNumber} av ${formatDate(document.credits.issueDate)}`,
    seller: { name: seller, lines: sellerLines(document.seller).map(clean) },
    buyer: {
      label: 'Til',
      name: clean(document.buyer.name),
      lines: buyerLines(document.buyer).map(clean),
    },
    facts: facts(document).map(([label, value]) => [label, clean(value)]),
    ...lineTable(document, clean),
    ...sums(document, totals, stamp),
    payment: payment(document, totals, stamp),
    'reference-line': name,
    footer: `${seller}  ·  ${orgNumberLine(document.seller)}`,
    attachment: xml === null ? null : attachment(document, xml),
  };
}

/** Whether nothing is left to pay, whatever the sum. */
function isSettled(stamp: Stamp | null): stamp is Exclude<Stamp, { kind: 'DRAFT' }> {
  return stamp !== null && stamp.kind !== 'DRAFT';
}

function documentName({ kind, invoiceNumber }: InvoiceDocument): string {
  const name = kind === 'INVOICE' ? 'Faktura' : 'Kreditnota';
  return invoiceNumber === null ? `${name}, utkast` : `${name} ${invoiceNumber}`;
}

function orgNumberLine({ orgNumber, vatRegistered }: Seller): string {
  const number = `Org.nr${NO_BREAK_SPACE}${formatOrgNumber(orgNumber)}`;
  return vatRegistered ? `${number}${NO_BREAK_SPACE}MVA` : number;
}

function addressLines({ address1, address2, postalCode, city }: Seller | Buyer): string[] {
  const place = [postalCode, city].filter(Boolean).join(' ');
  return [address1, address2, place].filter((line): line is string => Boolean(line));
}

function sellerLines(seller: Seller): string[] {
  return [
    ...addressLines(seller),
    orgNumberLine(seller),
    // Foretaksregisterloven § 10-2.
    ...(seller.foretaksregisteret ? ['Foretaksregisteret'] : []),
    seller.email,
  ];
}

function buyerLines(buyer: Buyer): string[] {
  const number = buyer.orgNumber && `Org.nr${NO_BREAK_SPACE}${formatOrgNumber(buyer.orgNumber)}`;
  return [...addressLines(buyer), ...(number ? [number] : [])];
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
    ...(document.reference === null ? [] : ([['Deres referanse', document.reference]] as const)),
  ];
}

/** Whether VAT is spoken of: a seller outside of it does so only where a line has it all the same. */
function isTaxed({ seller, lines }: InvoiceDocument): boolean {
  return seller.vatRegistered || lines.some((line) => line.vatRate !== 0);
}

function lineTable(document: InvoiceDocument, clean: TextCleaner['clean']) {
  const hasVat = isTaxed(document);
  const vat = <T>(cell: T) => (hasVat ? [cell] : []);
  const table = {
    columns: [
      'Beskrivelse',
      'Antall',
      'Enhetspris',
      ...vat('Mva'),
      hasVat ? 'Beløp eks. mva' : 'Beløp',
    ],
    lines: document.lines.map((line) => [
      clean(line.description),
      formatQuantity(line.quantity),
      formatOre(line.netUnitAmount),
      ...vat(formatRate(line.vatRate)),
      formatOre(lineNet(line)),
    ]),
  };
  return { ...table, widths: columnWidths(table.columns, table.lines) };
}

/**
 * The widths of all columns but the first, in points: room for the longest number, whose digits are
 * equally wide, or for the head. Typst can find them itself, but sets every row once more to do so.
 */
function columnWidths(heads: readonly string[], rows: readonly (readonly string[])[]): number[] {
  return heads.slice(1).map((head, index) => {
    const longest = rows.reduce((most, row) => Math.max(most, row[index + 1]?.length ?? 0), 0);
    return Math.ceil(Math.max(head.length * HEAD_LETTER, longest * FIGURE));
  });
}

function sums(document: InvoiceDocument, totals: InvoiceTotals, stamp: Stamp | null) {
  const hasVat = isTaxed(document);
  const sumSpace = totals.subtotals.length === 1 ? SUM_SPACE : 0;
  return {
    'vat-columns': ['Mva-sats', 'Grunnlag', 'Mva'],
    'vat-rows': hasVat
      ? totals.subtotals.map((part) => [
          formatRate(part.vatRate),
          formatOre(part.net),
          formatOre(part.vat),
        ])
      : [],
    note: hasVat
      ? 'Alle beløp er i norske kroner (NOK).'
      : 'Alle beløp er i norske kroner (NOK). Selger er ikke registrert i Merverdiavgiftsregisteret.',
    sums: (hasVat
      ? [
          ['Sum eks. mva', formatOre(totals.net)],
          ['Mva', formatOre(totals.vat)],
        ]
      : []) satisfies Pair[],
    'sum-space': sumSpace,
    total: [totalLabel(document, stamp), formatOre(totals.gross)],
  };
}

function totalLabel(document: InvoiceDocument, stamp: Stamp | null): string {
  if (document.kind === 'CREDIT_NOTE') return 'Sum kreditert';
  if (!isSettled(stamp)) return 'Sum å betale';
  return isTaxed(document) ? 'Sum inkl. mva' : 'Sum';
}

/** What the box at the foot says. */
interface Payment {
  readonly heading: string;
  readonly items: readonly Pair[];
  readonly amount: Pair;
}

/** How to pay or, where nothing is left to be paid, why. */
function payment(
  document: InvoiceDocument,
  { gross }: InvoiceTotals,
  stamp: Stamp | null,
): Payment {
  const amount = `kr${NO_BREAK_SPACE}${formatOre(gross)}`;
  if (document.kind === 'CREDIT_NOTE') return credit(document, amount);
  switch (stamp?.kind) {
    case 'PAID':
      return {
        heading: 'Betalt',
        items: [...payee(document), ['Betalt dato', formatDate(stamp.paidDate)]],
        amount: ['Betalt beløp', amount],
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

/** A credit note asks for nothing: it says what the buyer is relieved of. */
function credit({ credits }: InvoiceDocument, amount: string): Payment {
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

/** Where the money goes, and what it is marked with. */
function payee({ bankAccountNumber, kid, invoiceNumber }: InvoiceDocument): Pair[] {
  const message = invoiceNumber === null ? NOT_YET : `Faktura ${invoiceNumber}`;
  return [
    ['Kontonummer', formatBankAccount(bankAccountNumber)],
    ['KID/melding', kid ?? message],
  ];
}

function attachment(document: InvoiceDocument, xml: string) {
  return {
    name: documentFileName(document, 'xml'),
    content: xml,
    description: 'Samme dokument som EHF Billing 3.0',
  };
}

function formatQuantity(quantity: number): string {
  return String(quantity).replaceAll(/\B(?=(\d{3})+$)/g, NO_BREAK_SPACE);
}

function formatRate(rate: number): string {
  return `${rate}${NO_BREAK_SPACE}%`;
}
