import { randomUUID } from 'node:crypto';

import { addDays, todayInOslo } from '../../domain/date.ts';
import {
  createQuote,
  getQuote,
  getQuoteHistory,
  listQuotes,
} from '../../domain/quote/quote.endpoints.ts';
import { listQuoteAttachments } from '../../domain/quote/quote-attachment.endpoints.ts';
import type { Quote } from '../../domain/quote/quote.schema.ts';
import type { ListedQuoteState } from '../../domain/quote/quote.state.ts';
import { AppError } from '../../server/errors.ts';
import type { Screen } from './screens.ts';

/** A draft to customer 1 of ten hours of 1 000 kroner and 25 %, or what the fields make of it. */
export function quoteOf(fields: Partial<Quote> = {}): Quote {
  return {
    uuid: randomUUID(),
    quoteNumber: null,
    revision: 1,
    state: 'DRAFT',
    sentRevision: null,
    sentState: null,
    customerNumber: 1,
    customerName: 'Kari Nordmann',
    customerIsPrivate: true,
    priceKind: 'FIXED',
    validUntil: addDays(todayInOslo(), 30),
    title: 'Nytt kjøkken',
    reference: null,
    message: null,
    terms: null,
    confirmByCode: false,
    netAmount: 10_000,
    vatAmount: 2500,
    grossAmount: 12_500,
    sentAt: null,
    answeredAt: null,
    answeredBy: null,
    answerNote: null,
    answeredHow: null,
    url: null,
    expiresOn: null,
    invoicedNet: 0,
    leftNet: 0,
    invoices: [],
    deliveries: [],
    version: 1,
    lines: [
      {
        id: 1,
        invoicedQuantity: 10,
        description: 'Snekkerarbeid',
        netUnitAmount: 1000,
        netAmount: 10_000,
        netLeft: 0,
        vatRatePercentage: 25,
      },
    ],
    ...fields,
  };
}

function isOf(quote: Quote, state: ListedQuoteState | undefined): boolean {
  const isAccepted = quote.state === 'ACCEPTED' || quote.state === 'PARTLY_INVOICED';
  if (state === 'TO_INVOICE') return isAccepted;
  if (state === 'OPEN') return isAccepted || ['DRAFT', 'SENT', 'EXPIRED'].includes(quote.state);
  return state === undefined || quote.state === state;
}

/** Answers the calls on quotes from a list that the test may change at any time. */
export function answerQuotes({ api, company }: Screen, quotes: Quote[]): void {
  const countOf = (...states: Quote['state'][]) =>
    quotes.filter(({ state }) => states.includes(state)).length;
  api.answer(listQuotes, ({ query: { query, state } }) => {
    const results = quotes.filter(
      (quote) => quote.customerName.includes(query) && isOf(quote, state),
    );
    return {
      count: results.length,
      next: null,
      previous: null,
      results,
      summary: {
        drafts: countOf('DRAFT'),
        sent: countOf('SENT'),
        expired: countOf('EXPIRED'),
        accepted: countOf('ACCEPTED', 'PARTLY_INVOICED'),
        toInvoice: quotes.reduce((sum, { leftNet }) => sum + leftNet, 0),
      },
    };
  });
  api.answer(createQuote, ({ body: { customerNumber, title, priceKind, validUntil } }) => {
    const { name = '' } = company.customers[customerNumber - 1] ?? {};
    const made = quoteOf({ customerNumber, customerName: name, title, priceKind, validUntil });
    quotes.unshift(made);
    return made;
  });
  api.answer(getQuote, ({ params: { quoteUuid } }) => {
    const quote = quotes.find(({ uuid }) => uuid === quoteUuid);
    if (!quote) throw new AppError('not_found');
    return quote;
  });
  api.answer(getQuoteHistory, () => []);
  api.answer(listQuoteAttachments, () => []);
}
