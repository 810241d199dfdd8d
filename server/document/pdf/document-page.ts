import { invoicePage, type InvoiceInput } from './invoice-page.ts';
import type { TextCleaner } from '../../platform/pdf/printable-text.ts';
import { reminderPage, type ReminderInput } from './reminder-page.ts';

/** One document to be rendered. */
export type PdfInput = InvoiceInput | ReminderInput;

/** Everything that `document.typ` prints of a document, as clean Norwegian text. */
export function documentPage(input: PdfInput, cleaner: TextCleaner) {
  return isReminder(input) ? reminderPage(input, cleaner) : invoicePage(input, cleaner);
}

function isReminder(input: PdfInput): input is ReminderInput {
  const { kind } = input.document;
  return kind !== 'INVOICE' && kind !== 'CREDIT_NOTE';
}
