import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { countOf, showCount } from '../../lib/count.ts';

/** The name of an invoice within a sentence: 'faktura 12', 'utkast til Nordnes Kaffebar'. */
export function nameOf({
  kind,
  invoiceNumber,
  customerName,
}: Pick<Invoice, 'kind' | 'invoiceNumber' | 'customerName'>): string {
  if (invoiceNumber === null) return `utkast til ${customerName}`;
  return `${kind === 'CREDIT_NOTE' ? 'kreditnota' : 'faktura'} ${invoiceNumber}`;
}

/** For example '1 faktura' or '12 fakturaer'. */
export function countInvoices(invoices: number): string {
  return countOf(invoices, 'faktura', 'fakturaer');
}

/** For example '120 utkast, ett til hver kunde'; undefined for a single one. */
export function severalDrafts(count: number): string | undefined {
  return count > 1 ? `${showCount(count)} utkast, ett til hver kunde` : undefined;
}
