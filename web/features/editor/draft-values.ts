import { todayInOslo } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { linesOf } from '../invoice/draft-lines.ts';
import type { InvoiceDraft } from './invoice-form-state.ts';

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
export function copiedDraft({
  deliveryType,
  dueDays,
  reference,
  message,
  lines,
  deliveryCountry = null,
}: Invoice) {
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
