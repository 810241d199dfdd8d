import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { pageNumber } from '../api/pages.ts';
import { optional } from '../api/validation.ts';
import { linkSeller } from '../link-seller.ts';
import { codeForm } from '../session/session.schema.ts';

/** The link of an invoice for its customer (PORT-4). */
export const invoiceLink = described(
  z.object({
    url: z.url(),
    expiresOn: described(
      z.nullable(z.iso.date()),
      'The last day on which it works; null while something is due',
    ),
    renewedAt: z.nullable(z.iso.datetime()),
  }),
  { id: 'InvoiceLink' },
);
export type InvoiceLink = z.infer<typeof invoiceLink>;

/** The states of an invoice that its customer sees (PORT-8). */
export const PORTAL_STATES = ['CREDITED', 'PAID', 'OVERDUE', 'PART_PAID', 'UNPAID'] as const;
const state = z.enum(PORTAL_STATES);

/** The secret of a link; whatever it is, it is looked up. */
export const portalParams = z.object({ token: z.string() });

/** An invoice as the page of its link shows it (PORT-7). Sums are in kroner, of this moment. */
export const portalInvoice = described(
  z.object({
    seller: linkSeller,
    buyerName: z.string(),
    kind: z.literal('INVOICE'),
    invoiceNumber: z.int(),
    issueDate: z.iso.date(),
    dueDate: z.iso.date(),
    state,
    grossAmount: z.number(),
    creditedAmount: z.number(),
    paidAmount: z.number(),
    amountDue: z.number(),
    reminderAmount: described(z.number(), 'What reminders ask for and is not paid'),
    toPay: described(z.number(), 'amount_due and reminder_amount'),
    bankAccountNumber: described(z.nullable(z.string()), 'null when there is nothing to pay'),
    iban: z.nullable(z.string()),
    paymentReference: z.nullable(z.string()),
    referenceIsKid: described(z.boolean(), 'false: it is a message to quote'),
    message: z.nullable(z.string()),
    documents: z.array(
      z.object({
        kind: z.enum(['INVOICE', 'CREDIT_NOTE', 'REMINDER', 'ATTACHMENT']),
        name: z.string(),
        mediaType: z.string(),
        path: described(z.string(), 'Below the link; served as a file to save'),
      }),
    ),
    others: described(
      z.enum(['NONE', 'CODE', 'CONFIRMED']),
      "Whether the customer's other invoices are shown: never, after a code, or now",
    ),
  }),
  { id: 'PortalInvoice' },
);
export type PortalInvoice = z.infer<typeof portalInvoice>;

/** Without a code, one is mailed; with it, this browser is confirmed. */
export const portalCodeForm = z.object({ code: optional(codeForm.shape.registrationToken) });

export const portalPageQuery = z.object({ page: pageNumber });

/** The invoices and credit notes of a link's customer, newest number first. */
export const portalInvoices = described(
  z.object({
    results: z.array(
      z.object({
        kind: z.enum(['INVOICE', 'CREDIT_NOTE']),
        invoiceNumber: z.int(),
        issueDate: z.iso.date(),
        dueDate: described(z.nullable(z.iso.date()), 'null of a credit note'),
        state,
        grossAmount: z.number(),
        toPay: z.number(),
        path: described(z.string(), "The invoice's page; of a credit note that of its invoice"),
      }),
    ),
    next: z.nullable(z.string()),
    previous: z.nullable(z.string()),
    count: z.int(),
  }),
  { id: 'PortalInvoices' },
);
export type PortalInvoices = z.infer<typeof portalInvoices>;
