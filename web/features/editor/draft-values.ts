import { todayInOslo } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import type { Stored } from '../../forms/useUnsavedInput.ts';
import { linesOf } from '../invoice/draft-lines.ts';
import type { InvoiceDraft } from './invoice-form-state.ts';

/** A draft as it stands in its form. */
export function storedDraft(invoice: Invoice): Stored<InvoiceDraft> {
  const { customerNumber, issueDate, deliveryDate } = invoice;
  return {
    values: {
      ...copiedDraft(invoice),
      customerNumbers: customerNumber === null ? [] : [customerNumber],
      issueDate,
      // That it was delivered on the issue date is what an empty field says, whatever that becomes.
      deliveryDate: deliveryDate === issueDate ? '' : deliveryDate,
    },
    version: invoice.version,
  };
}

/** A new invoice with the lines and terms of another one, issued today, for nobody yet. */
export function copiedDraft({ deliveryType, dueDays, reference, message, lines }: Invoice) {
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
    invoiceLines: linesOf(lines),
  } satisfies InvoiceDraft;
}
