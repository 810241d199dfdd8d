import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import type { Feature } from '../api/endpoint.ts';
import { pageNumber } from '../api/pages.ts';
import { needs, optional, optionalOr, urlNumber, version } from '../api/validation.ts';
import { CUSTOMER_NUMBER_MAX, customerNumber } from '../customer/customer.schema.ts';
import { dateText } from '../date.ts';
import { historyAuthor } from '../history/history.schema.ts';
import {
  countedLine,
  forFeatures,
  listOf,
  type LineSchema,
} from '../invoice/invoice-line.schema.ts';
import { INVOICE_STATUSES } from '../invoice/invoice.status.ts';
import { statementDelivery } from '../portal/statement.schema.ts';
import { MESSAGE_LENGTH, QUOTE_TERMS_LENGTH } from '../profile/profile.schema.ts';
import { buyerReference } from '../terms.ts';
import { optionalText, requiredEmail, searchQueryText, statedMultilineText } from '../text.ts';
import { judgeRates, vatOfLine } from '../vat-treatment.ts';
import { LISTED_QUOTE_STATES, PRICE_KINDS, QUOTE_STATES } from './quote.state.ts';

function formOf(line: LineSchema) {
  return z.object({
    customerNumber,
    priceKind: z.enum(PRICE_KINDS),
    validUntil: described(
      dateText(),
      'The last day on which the customer can accept; it counts whole',
    ),
    lines: listOf(line),
    title: optionalText(),
    reference: optional(buyerReference),
    message: statedMultilineText(MESSAGE_LENGTH),
    terms: described(
      statedMultilineText(QUOTE_TERMS_LENGTH),
      "'Forbehold og vilkår'. null or '': none; absent: default_quote_terms",
    ),
    confirmByCode: described(
      optionalOr(z.boolean(), false),
      'Accepting at the link needs a code that is mailed to where the quote went',
    ),
  });
}

/** Input for a new quote (QUO-1). */
export const quoteForm = forFeatures((line) =>
  formOf(line).check(z.superRefine(judgeRates, { when: needs() })),
);

/** Input for an existing draft, with the version that was read. */
export const quoteUpdate: (features: ReadonlySet<Feature>) => QuoteUpdateSchema = forFeatures(
  (line) => quoteUpdateOf(line),
);

function quoteUpdateOf(line: LineSchema) {
  return z
    .safeExtend(formOf(line), { version })
    .check(z.superRefine(judgeRates, { when: needs() }));
}
type QuoteUpdateSchema = ReturnType<typeof quoteUpdateOf>;

/** Where a quote is mailed, instead of to the customer's addresses. */
export const quoteSending = z.object({
  recipient: described(optional(requiredEmail()), "Where to, instead of the customer's addresses"),
});

const SENT_STATES = ['SENT', 'EXPIRED', 'DECLINED'] as const;

/** A quote in answers. Sums are in kroner. */
export const quote = described(
  z.object({
    uuid: z.uuid(),
    quoteNumber: described(z.nullable(z.int()), 'null until it was sent'),
    revision: described(z.int(), 'From 1; the one that is shown'),
    state: z.enum(QUOTE_STATES),
    sentRevision: described(
      z.nullable(z.int()),
      'Of the draft of a further revision: the sent one, which can still be answered; null otherwise',
    ),
    sentState: described(z.nullable(z.enum(SENT_STATES)), 'The state of that one'),
    customerNumber: described(
      z.nullable(z.int()),
      'By which the customer is found now; null when it was deleted',
    ),
    customerName: described(z.string(), 'As the quote was sent; of a draft as it is now'),
    customerIsPrivate: described(z.boolean(), 'As the name'),
    priceKind: z.enum(PRICE_KINDS),
    validUntil: z.iso.date(),
    title: z.nullable(z.string()),
    reference: z.nullable(z.string()),
    message: z.nullable(z.string()),
    terms: z.nullable(z.string()),
    confirmByCode: z.boolean(),
    netAmount: described(z.number(), 'Without VAT'),
    vatAmount: z.number(),
    grossAmount: described(z.number(), 'With VAT'),
    sentAt: described(z.nullable(z.iso.datetime()), 'When the newest sent revision was sent'),
    answeredAt: z.nullable(z.iso.datetime()),
    answeredBy: described(z.nullable(z.string()), 'The name that was given'),
    answerNote: z.nullable(z.string()),
    answeredHow: z.nullable(z.enum(['LINK', 'HAND'])),
    url: described(
      z.nullable(z.string()),
      "The customer's link, for who has the permission issue; null until it was sent",
    ),
    expiresOn: described(z.nullable(z.iso.date()), 'The last day on which the link works'),
    invoicedNet: described(z.number(), 'What was taken to invoices, without VAT'),
    leftNet: described(z.number(), 'What is left of an accepted quote, without VAT; 0 of others'),
    invoices: z.array(
      z.object({
        uuid: z.uuid(),
        invoiceNumber: z.nullable(z.int()),
        status: z.enum(INVOICE_STATUSES),
        netAmount: described(z.number(), 'What it took of the quote, without VAT'),
      }),
    ),
    deliveries: described(z.array(statementDelivery), 'The latest first'),
    version: described(version, 'How often it was changed; to be sent with a change'),
    lines: z.array(
      z.object({
        id: z.int(),
        ...countedLine,
        description: z.string(),
        netUnitAmount: described(z.number(), 'Without VAT'),
        netAmount: described(z.number(), 'Without VAT'),
        netLeft: described(z.number(), 'What is left of an accepted quote; 0 of others'),
        ...vatOfLine,
      }),
    ),
  }),
  { id: 'Quote' },
);

export const quoteListQuery = z.object({
  page: pageNumber,
  state: described(
    z.optional(z.enum(LISTED_QUOTE_STATES)),
    'TO_INVOICE: ACCEPTED and PARTLY_INVOICED ones; OPEN: these, DRAFT, SENT and EXPIRED ones',
  ),
  query: described(searchQueryText(), 'Words of number, customer, title, reference or a line'),
  customerNumber: z.optional(urlNumber(CUSTOMER_NUMBER_MAX)),
});

export const quotePage = described(
  z.object({
    count: z.int(),
    next: described(z.nullable(z.string()), 'Path of the next page'),
    previous: described(z.nullable(z.string()), 'Path of the page before'),
    results: z.array(quote),
    summary: described(
      z.object({
        drafts: z.int(),
        sent: z.int(),
        expired: z.int(),
        accepted: described(z.int(), 'Those that are partly invoiced too'),
        toInvoice: described(z.number(), 'Kroner without VAT: what is left of those'),
      }),
      { id: 'QuoteSummary' },
    ),
  }),
  { id: 'QuotePage' },
);

const QUOTE_EVENT_KINDS = [
  'CREATED',
  'CHANGED',
  'SENT',
  'FAILED',
  'REVISED',
  'ACCEPTED',
  'DECLINED',
  'WITHDRAWN',
  'INVOICED',
] as const;
export type QuoteEventKind = (typeof QUOTE_EVENT_KINDS)[number];

const quoteAuthor = z.object({
  type: z.enum([...historyAuthor.shape.type.options, 'CUSTOMER']),
  name: described(z.string(), "As of an invoice's history; of CUSTOMER the name that was given"),
});
export type QuoteAuthor = z.infer<typeof quoteAuthor>;

/** Further details. Absent when the kind has no such detail. */
const quoteEventDetails = z.partial(
  z.object({
    quoteNumber: described(z.int(), 'Of SENT'),
    revision: z.int(),
    recipient: described(z.string(), 'Of SENT and FAILED'),
    copies: described(z.array(z.string()), 'Of SENT and FAILED: the further addresses of one mail'),
    confirmation: described(z.boolean(), 'Of SENT and FAILED: of an order confirmation'),
    reason: described(z.string(), 'Of FAILED, in Norwegian; of DECLINED, as given'),
    name: described(z.string(), 'Of ACCEPTED by hand: who accepted'),
    date: described(z.iso.date(), 'Of ACCEPTED by hand: when'),
    note: described(z.string(), 'Of ACCEPTED and DECLINED by hand'),
    invoiceUuid: described(z.uuid(), 'Of INVOICED'),
    netAmount: described(z.number(), 'Of INVOICED: kroner without VAT'),
  }),
);
export type QuoteEventDetails = z.infer<typeof quoteEventDetails>;

export const quoteEvent = described(
  z.object({
    at: z.iso.datetime(),
    kind: z.enum(QUOTE_EVENT_KINDS),
    by: quoteAuthor,
    details: quoteEventDetails,
  }),
  { id: 'QuoteEvent' },
);

export const quoteParams = z.object({ quoteUuid: z.uuid() });

export type Quote = z.infer<typeof quote>;
export type QuotePage = z.infer<typeof quotePage>;
export type QuoteListQuery = z.output<typeof quoteListQuery>;
export type QuoteForm = z.output<ReturnType<typeof quoteForm>>;
export type QuoteUpdate = z.output<ReturnType<typeof quoteUpdate>>;
export type QuoteEvent = z.infer<typeof quoteEvent>;
