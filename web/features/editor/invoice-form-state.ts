import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod/mini';

import type { invoiceForm, InvoiceForm } from '../../../domain/invoice/invoice.schema.ts';
import type { Draft } from '../../forms/Form.tsx';

export type InvoiceDraft = Draft<z.input<ReturnType<typeof invoiceForm>>>;
export type InvoiceFormState = UseFormReturn<InvoiceDraft, unknown, InvoiceForm>;

/** The fields that a template may decide; every form that creates invoices has them. */
export type FormWithTerms = Pick<
  InvoiceDraft,
  'templateId' | 'deliveryType' | 'dueDays' | 'invoiceLines'
>;

/** The fields of a form that creates invoices with a known issue date. */
export type FormWithDates = Pick<InvoiceDraft, 'issueDate' | 'dueDays'>;
