import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';

/** Whether something of an invoice is paid, and not all. */
export function isPartPaid({
  status,
  paidAmount,
}: Pick<Invoice, 'status' | 'paidAmount'>): boolean {
  return status === 'REGISTERED' && paidAmount > 0;
}
