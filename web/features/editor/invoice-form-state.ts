import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';

import type { invoiceForm, InvoiceForm } from '../../../domain/invoice/invoice.schema.ts';
import type { Draft } from '../../forms/Form.tsx';

/** A new invoice as far as it is filled in. */
export type InvoiceDraft = Draft<z.input<typeof invoiceForm>>;
export type InvoiceFormState = UseFormReturn<InvoiceDraft, unknown, InvoiceForm>;

/** Of every form that an invoice is made from: a template may decide all the rest of it. */
export type FormWithTerms = Pick<
  InvoiceDraft,
  'templateId' | 'deliveryType' | 'dueDays' | 'invoiceLines'
>;

/** Of every form that an invoice is made from and that knows its date. */
export type FormWithDates = Pick<InvoiceDraft, 'issueDate' | 'dueDays'>;
