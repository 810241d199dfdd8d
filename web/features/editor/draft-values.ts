import type { FieldPath, FieldPathValue, UseFormReturn } from 'react-hook-form';
import type { z } from 'zod/mini';

import { todayInOslo } from '../../../domain/date.ts';
import { defaultVatRate, type LineForm } from '../../../domain/invoice/invoice-line.schema.ts';
import type { Invoice, InvoiceForm, invoiceForm } from '../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import type { Quote } from '../../../domain/quote/quote.schema.ts';
import type { Profile } from '../../../domain/profile/profile.schema.ts';
import { vatRateOn, type VatTreatment } from '../../../domain/vat-treatment.ts';
import type { Draft } from '../../forms/Form.tsx';

/** The values of an invoice's form, and the form with them. */
export type InvoiceDraft = Draft<z.input<ReturnType<typeof invoiceForm>>>;
export type InvoiceFormState = UseFormReturn<InvoiceDraft, unknown, InvoiceForm>;

/** The fields that a template may decide; every form that creates invoices has them. */
export type FormWithTerms = Pick<
  InvoiceDraft,
  'templateId' | 'deliveryType' | 'dueDays' | 'invoiceLines'
>;

export type DraftLine = Draft<LineForm>;

/** A form with lines, in a field of one of these names. */
export type FormWithLines = Partial<Record<'invoiceLines' | 'lines', DraftLine[]>>;

export type LinePath = `${keyof FormWithLines}.${number}`;

/** The part of a form that its lines need. It stays the same, so that a line is drawn again only when it changes itself. */
export interface LineFormState extends Pick<
  UseFormReturn<FormWithLines>,
  'control' | 'setValue' | 'register' | 'clearErrors'
> {
  /** Sets what the user changed. What was wrong when the form was submitted is judged again. */
  readonly change: <N extends FieldPath<FormWithLines>>(
    name: N,
    value: FieldPathValue<FormWithLines, N>,
  ) => void;
}

/** The VAT of a company's new lines. */
export interface CompanyVat {
  readonly isRegistered: boolean;
  /** The treatment of new lines; null while `vat` is off. */
  readonly treatment: VatTreatment | null;
}

export function vatOf(profile: Profile | undefined): CompanyVat {
  return {
    isRegistered: profile?.vatRegistered !== false,
    treatment: profile?.defaultVatTreatment ?? null,
  };
}

/** A new line: quantity 1, without description and price. */
export function emptyLine({ isRegistered, treatment }: CompanyVat): DraftLine {
  const line = { invoicedQuantity: 1, description: '', netUnitAmount: null };
  if (treatment === null) return { ...line, vatRatePercentage: defaultVatRate(isRegistered) };
  const vatRatePercentage = vatRateOn(treatment, todayInOslo());
  return { ...line, vatRatePercentage, vatTreatment: treatment };
}

/** Copies the lines of a template, an invoice or a quote without their ids. */
export function linesOf(
  lines: InvoiceTemplate['lines'] | Invoice['lines'] | Quote['lines'],
): LineForm[] {
  return lines.map((line) => ({
    invoicedQuantity: line.invoicedQuantity,
    ...(line.unit !== undefined && { unit: line.unit }),
    description: line.description,
    netUnitAmount: line.netUnitAmount,
    vatRatePercentage: line.vatRatePercentage,
    ...(line.vatTreatment !== undefined && { vatTreatment: line.vatTreatment }),
    ...(line.productNumber !== undefined && { productNumber: line.productNumber }),
  }));
}

/** The form's values of a stored draft. */
export function storedDraft(invoice: Invoice): InvoiceDraft {
  const { customerNumber, issueDate, deliveryDate } = invoice;
  return {
    ...copiedDraft(invoice),
    customerNumbers: customerNumber === null ? [] : [customerNumber],
    issueDate,
    // An empty field means the issue date, also when the issue date is changed.
    deliveryDate: deliveryDate === issueDate ? '' : deliveryDate,
  };
}

/** A new draft with the lines and terms of an invoice, issued today, without recipients. */
export function copiedDraft(invoice: Invoice) {
  const { deliveryType, dueDays, reference, message, lines, deliveryCountry = null } = invoice;
  return {
    customerNumbers: [],
    groupUuid: null,
    templateId: null,
    deliveryType,
    issueDate: todayInOslo(),
    dueDays,
    deliveryDate: '',
    reference: reference ?? '',
    message: message ?? '',
    deliveryCountry,
    invoiceLines: linesOf(lines),
  } satisfies InvoiceDraft;
}
