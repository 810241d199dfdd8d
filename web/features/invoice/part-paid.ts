import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';

/** Whether a part of the invoice is paid, but not all. */
export function isPartPaid({
  status,
  paidAmount,
}: Pick<Invoice, 'status' | 'paidAmount'>): boolean {
  return status === 'REGISTERED' && paidAmount > 0;
}
