import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { pageNumber } from '../api/pages.ts';
import { CUSTOMER_NUMBER_MAX } from '../customer/customer.schema.ts';
import { dateText } from '../date.ts';
import { preceding } from '../invoice/invoice-list.schema.ts';
import { numberOrUuid } from '../invoice/invoice.schema.ts';
import { kronerAmount } from '../money.ts';
import { rule } from '../api/rules.ts';
import { urlNumber } from '../api/validation.ts';

export const PAYMENT_SOURCES = ['MANUAL', 'BANK'] as const;
export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

/**
 * PAYMENT is money received. The others reduce it: UNDO takes back an allocation or a booking, REFUND was paid back
 * to the customer, DROP belongs to no customer, REVERSAL was reversed by the bank.
 */
const PAYMENT_KINDS = ['PAYMENT', 'UNDO', 'REFUND', 'DROP', 'REVERSAL'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/** Why a payment may be meant for an invoice. */
const SUGGESTION_REASONS = [
  'KID',
  'SIMILAR_KID',
  'INVOICE_NUMBER',
  'AMOUNT_AND_PAYER',
  'SUM_OF_INVOICES',
] as const;
export type SuggestionReason = (typeof SUGGESTION_REASONS)[number];

const payableInvoice = z.object({
  uuid: z.uuid(),
  invoiceNumber: z.int(),
  amountDue: described(z.number(), 'Kroner'),
});

/** Invoices that an unallocated payment may be meant for. */
export const suggestion = described(
  z.object({
    reason: described(
      z.enum(SUGGESTION_REASONS),
      'KID: its very KID, but it is not certain (paid to another account, or perhaps a copy). ' +
        'SIMILAR_KID: but for blanks and zeros. INVOICE_NUMBER: in the text, and so much is due. ' +
        'AMOUNT_AND_PAYER: paid for this customer before, and so much is due. SUM_OF_INVOICES: ' +
        'of several invoices of one customer, or that the text names',
    ),
    invoices: z.array(payableInvoice),
  }),
  { id: 'PaymentSuggestion' },
);

export const payment = described(
  z.object({
    uuid: z.uuid(),
    date: z.iso.date(),
    amount: described(z.number(), 'Kroner; negative takes back'),
    reminderAmount: described(
      z.number(),
      'Of the amount: kroner for what reminders of the invoice ask for',
    ),
    source: z.enum(PAYMENT_SOURCES),
    kind: z.enum(PAYMENT_KINDS),
    account: described(z.nullable(z.string()), 'The own account, eleven digits'),
    kid: z.nullable(z.string()),
    text: z.nullable(z.string()),
    payer: described(z.nullable(z.string()), 'As the bank names him'),
    invoiceUuid: z.nullable(z.uuid()),
    invoiceNumber: described(z.nullable(z.int()), 'null while it is unplaced'),
    customerNumber: described(
      z.nullable(z.int()),
      'Whose credit it is, or was before it was placed',
    ),
    customerName: z.nullable(z.string()),
    possibleCopy: z.boolean(),
    canBeDropped: described(
      z.boolean(),
      'Whether it may be deleted: it is unplaced, and was made by hand or never was placed',
    ),
    suggestion: z.nullable(suggestion),
    undoes: described(z.nullable(z.uuid()), 'The payment that this one takes back'),
    undoneBy: described(z.nullable(z.uuid()), 'The payment that takes this one back'),
  }),
  { id: 'Payment' },
);

export const paymentPage = described(
  z.object({
    count: described(z.int(), 'At most 10000'),
    next: described(z.nullable(z.string()), 'Path of the next page'),
    previous: described(z.nullable(z.string()), 'Path of the page before'),
    preceding,
    results: z.array(payment),
  }),
  { id: 'PaymentPage' },
);

export const paymentListQuery = z.object({
  invoice: described(z.optional(numberOrUuid), 'A number or a uuid'),
  state: described(
    z.optional(z.enum(['UNPLACED', 'REFUNDED'])),
    'UNPLACED: money that nobody has placed, dropped or paid back: credit of customers among it. ' +
      'REFUNDED: money that was paid back; undone_by is its refund, which can be undone',
  ),
  customerNumber: described(
    z.optional(urlNumber(CUSTOMER_NUMBER_MAX)),
    'Of a customer: unplaced, they are his credit but for possible copies',
  ),
  page: pageNumber,
});

export const paymentBody = z.object({
  invoiceUuid: z.uuid(),
  amount: kronerAmount().check(z.refine((kroner) => kroner > 0, rule('{0} must be more than 0'))),
  date: dateText(),
});

export const placingBody = z.object({ invoiceUuid: z.uuid() });
export const paymentParams = z.object({ paymentUuid: z.uuid() });

export type Payment = z.infer<typeof payment>;
export type PaymentPage = z.infer<typeof paymentPage>;
export type PaymentListQuery = z.output<typeof paymentListQuery>;
export type PaymentBody = z.output<typeof paymentBody>;
