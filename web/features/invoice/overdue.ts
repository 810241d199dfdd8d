import type { IsoDate } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';

/**
 * Whether an unpaid invoice is past its due date, however it was delivered. Matches the server's count of overdue
 * invoices. On the due date itself it is not overdue.
 */
export function isOverdue(
  invoice: Pick<Invoice, 'kind' | 'status' | 'dueDate' | 'grossAmount'>,
  today: IsoDate,
): boolean {
  return isOwed(invoice) && invoice.dueDate < today;
}

/** Whether an amount is still owed. Nothing is owed on an invoice of 0.00. */
export function isOwed({
  kind,
  status,
  grossAmount,
}: Pick<Invoice, 'kind' | 'status' | 'grossAmount'>): boolean {
  return kind === 'INVOICE' && status === 'REGISTERED' && grossAmount > 0;
}

export function isPartPaid({
  status,
  paidAmount,
}: Pick<Invoice, 'status' | 'paidAmount'>): boolean {
  return status === 'REGISTERED' && paidAmount > 0;
}
