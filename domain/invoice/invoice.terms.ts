import { z } from 'zod/mini';

import type { IsoDate } from '../date.ts';
import type { Ore } from '../money.ts';

/** The terms agreed with the buyer: the same in the table, the answer and the document. */
export const invoiceTerms = z.object({
  issueDate: z.iso.date(),
  dueDate: z.iso.date(),
  deliveryDate: z.iso.date(),
  reference: z.nullable(z.string()),
  message: z.nullable(z.string()),
  /** The country that goods are sent to; null for the buyer's (VAT-6). */
  deliveryCountry: z.nullable(z.string()),
});
export type InvoiceTerms = Readonly<z.infer<typeof invoiceTerms>>;
export const TERMS = z.keyof(invoiceTerms).options;
/** A draft's due date is computed by the database. */
export const TERMS_OF_DRAFT = z.keyof(z.omit(invoiceTerms, { dueDate: true })).options;

/** Copies the terms alone from an object that has them. */
export function termsOf({
  issueDate,
  dueDate,
  deliveryDate,
  reference,
  message,
  deliveryCountry,
}: InvoiceTerms): InvoiceTerms {
  return { issueDate, dueDate, deliveryDate, reference, message, deliveryCountry };
}

/** The quote that an invoice was made of, as answers name it. */
export const quoteOfInvoice = z.object({ uuid: z.uuid(), quoteNumber: z.int() });

/** The same as it is kept with the invoice: a quote that was sent never changes. */
export interface QuoteOfInvoice extends Readonly<z.infer<typeof quoteOfInvoice>> {
  /** The sum of an estimate to a private customer, in øre with VAT; null for other quotes. */
  readonly estimate: Ore | null;
}

/** The terms of a draft, but that an absent reference may be the customer's. */
export interface DraftTerms extends Omit<InvoiceTerms, 'dueDate' | 'reference'> {
  readonly reference: string | null | undefined;
}

interface StatedTerms {
  readonly issueDate: IsoDate;
  readonly deliveryDate?: IsoDate | null;
  readonly reference?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly deliveryCountry?: string | null;
}

/** The terms of a draft. `defaultMessage` is used when the form has no `message`. */
export function termsOfDraft(
  { issueDate, deliveryDate = null, reference, message, deliveryCountry = null }: StatedTerms,
  { defaultMessage }: { readonly defaultMessage: string | null },
): DraftTerms {
  return {
    issueDate,
    deliveryDate: deliveryDate ?? issueDate,
    reference,
    message: message === undefined ? defaultMessage : message,
    deliveryCountry,
  };
}
