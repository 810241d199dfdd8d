import type { IsoDate } from '../../domain/date.ts';
import type { Invoice } from '../../domain/invoice/invoice.schema.ts';

/** Whether an invoice was sent, is not paid and should have been. On the due date it is not late. */
export function isOverdue(
  invoice: Pick<Invoice, 'kind' | 'status' | 'deliveryStatus' | 'dueDate'>,
  today: IsoDate,
): boolean {
  return (
    invoice.kind === 'INVOICE' &&
    invoice.status === 'REGISTERED' &&
    invoice.deliveryStatus === 'SENT' &&
    invoice.dueDate < today
  );
}
