import type { IsoDate } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';

/**
 * Whether an invoice is not paid and should have been, however it was delivered: what the server counts as
 * overdue. On the due date it is not late.
 */
export function isOverdue(
  invoice: Pick<Invoice, 'kind' | 'status' | 'dueDate' | 'grossAmount'>,
  today: IsoDate,
): boolean {
  return isOwed(invoice) && invoice.dueDate < today;
}

/** Whether something is still to be paid: nothing is of an invoice of 0,00. */
export function isOwed({
  kind,
  status,
  grossAmount,
}: Pick<Invoice, 'kind' | 'status' | 'grossAmount'>): boolean {
  return kind === 'INVOICE' && status === 'REGISTERED' && grossAmount > 0;
}
