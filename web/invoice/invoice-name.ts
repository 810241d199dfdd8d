import type { Invoice } from '../../domain/invoice/invoice.schema.ts';

/** The name of an invoice within a sentence: 'faktura 12', 'utkast til Nordnes Kaffebar'. */
export function nameOf({
  kind,
  invoiceNumber,
  customerName,
}: Pick<Invoice, 'kind' | 'invoiceNumber' | 'customerName'>): string {
  if (invoiceNumber === null) return `utkast til ${customerName}`;
  return `${kind === 'CREDIT_NOTE' ? 'kreditnota' : 'faktura'} ${invoiceNumber}`;
}

/** 'én faktura', '12 fakturaer'. */
export function countOf(invoices: number): string {
  return invoices === 1 ? '1 faktura' : `${invoices.toLocaleString('nb-NO')} fakturaer`;
}
