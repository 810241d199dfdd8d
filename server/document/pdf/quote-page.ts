import { formatDate } from '../../../domain/date.ts';
import { invoiceTotals } from '../../../domain/invoice/invoice.totals.ts';
import { formatOre } from '../../../domain/money.ts';
import { NOT_AN_INVOICE } from '../../../domain/portal/statement-document.ts';
import { ESTIMATE_BINDS, type QuoteDocument } from '../../../domain/quote/quote-document.ts';
import { PRICE_KIND_NAMES } from '../../../domain/quote/quote.state.ts';
import type { TextCleaner } from '../../platform/pdf/printable-text.ts';
import { isTaxed, lineTable, paragraphsOf, stated, sums } from './invoice-page.ts';
import { NO_BREAK_SPACE, NOT_YET, page, type Pair } from './page.ts';

/** A quote or an order confirmation to print. */
export interface QuoteInput {
  readonly document: QuoteDocument;
  readonly stamp: { readonly kind: 'DRAFT' } | null;
  /** The PNG that the document names. */
  readonly logo: Uint8Array | null;
}

/** How far the sums reach below the text beside them (points). */
const SUM_SPACE = 16;

/** A quote or its order confirmation (QUO-11). It names no account, and nothing to pay. */
export function quotePage({ document, stamp, logo }: QuoteInput, cleaner: TextCleaner) {
  const { clean } = cleaner;
  const { kind, quoteNumber, seller, buyer, issueDate: date, isPrivate } = document;
  const isQuote = kind === 'QUOTE';
  const totals = invoiceTotals(document.lines);
  const totalName = isTaxed(document) ? 'Sum inkl. mva' : 'Sum';
  const name = `${isQuote ? 'Tilbud' : 'Ordrebekreftelse'}${quoteNumber === null ? ', utkast' : ` ${quoteNumber}`}`;
  const priced = sums(document, totals, totalName);
  const clear = (lines: readonly string[]) => lines.map(clean);
  return page({ name, date, stamp, seller, buyer, logo }, cleaner, {
    heading: isQuote ? 'TILBUD' : 'ORDREBEKREFTELSE',
    intro: [...titleOf(document), ...paragraphsOf(document.message)].map(clear),
    credits: isQuote ? PRICE_KIND_NAMES[document.priceKind] : NOT_AN_INVOICE,
    facts: facts(document).map(([label, value]) => [label, clean(value)]),
    ...lineTable(document, clean),
    ...priced,
    notes: [...notesOf(document), ...priced.notes].map(clean),
    'total-first': isPrivate,
    'sum-space': SUM_SPACE,
    terms:
      document.terms === null
        ? null
        : { heading: 'Forbehold og vilkår', paragraphs: paragraphsOf(document.terms).map(clear) },
    payment: {
      heading: isQuote ? 'Tilbud' : 'Ordre',
      items: isQuote
        ? [
            ['Pris', PRICE_KIND_NAMES[document.priceKind]],
            ['Gyldig til', formatDate(document.validUntil)],
          ]
        : [['Godtatt', formatDate(date)]],
      amount: [totalName, `kr${NO_BREAK_SPACE}${formatOre(totals.gross)}`],
    },
    attachment: null,
  });
}

function titleOf({ title }: QuoteDocument): string[][] {
  return title === null ? [] : [[title]];
}

function facts({ kind, quoteNumber, revision, ...document }: QuoteDocument): Pair[] {
  const number = quoteNumber === null ? NOT_YET : String(quoteNumber);
  return [
    [kind === 'QUOTE' ? 'Tilbudsnummer' : 'Gjelder tilbud', number],
    ...(revision > 1 ? ([['Versjon', `Versjon ${revision}`]] satisfies Pair[]) : []),
    ['Dato', formatDate(document.issueDate)],
    ...(kind === 'QUOTE'
      ? ([['Gyldig til', formatDate(document.validUntil)]] satisfies Pair[])
      : []),
    ['Kundenummer', String(document.buyer.customerNumber)],
    ...stated('Deres referanse', document.reference),
    ...stated('Godtatt av', document.accepted?.by ?? null),
  ];
}

function notesOf({ priceKind, isPrivate, accepted, quoteNumber }: QuoteDocument): string[] {
  return [
    ...(priceKind === 'ESTIMATE' && isPrivate ? [ESTIMATE_BINDS] : []),
    ...(accepted ? [`SHA-256 av PDF-en til tilbud ${quoteNumber}: ${accepted.sha256}`] : []),
  ];
}
