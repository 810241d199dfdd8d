import type { IsoDate } from '../../domain/date.ts';
import type { Invoice } from '../../domain/invoice/invoice.schema.ts';

/**
 * Whether an invoice is not paid and should have been, however it was delivered: what the server counts as
 * overdue. On the due date it is not late.
 */
export function isOverdue(
  invoice: Pick<Invoice, 'kind' | 'status' | 'dueDate'>,
  today: IsoDate,
): boolean {
  return invoice.kind === 'INVOICE' && invoice.status === 'REGISTERED' && invoice.dueDate < today;
}
