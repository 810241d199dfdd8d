import type { QuoteDocument } from '../../domain/quote/quote-document.ts';
import { sampleInvoice } from './invoice-documents.ts';

/** A sent quote with every text that it can have, to a private customer. */
export function sampleQuote(changes: Partial<QuoteDocument> = {}): QuoteDocument {
  const { seller, buyer, lines } = sampleInvoice();
  return {
    kind: 'QUOTE',
    quoteNumber: 12,
    revision: 2,
    issueDate: '2026-11-21',
    validUntil: '2026-12-21',
    priceKind: 'ESTIMATE',
    title: 'Nytt bad',
    reference: 'Kari Nordmann',
    message: 'Hei!\n\nSom avtalt.',
    terms: 'Stillas er med.\nSnørydding er det ikke.',
    seller,
    buyer: { ...buyer, orgNumber: null },
    isPrivate: true,
    lines,
    logo: null,
    attachments: null,
    accepted: null,
    ...changes,
  };
}

/** The order confirmation of a quote. */
export function sampleConfirmation(
  quote: QuoteDocument = sampleQuote(),
  by = 'Kari Nordmann',
): QuoteDocument {
  const accepted = { by, sha256: '0123456789abcdef'.repeat(4) };
  return { ...quote, kind: 'ORDER_CONFIRMATION', issueDate: '2026-11-24', accepted };
}
