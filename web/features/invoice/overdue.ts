import type { IsoDate } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';

/** The parts of an invoice by which it is known whether something is owed. */
type Claim = Pick<Invoice, 'kind' | 'status' | 'grossAmount' | 'creditedAmount'>;

/**
 * Whether an unpaid invoice is past its due date, however it was delivered. Matches the server's count of overdue
 * invoices. On the due date itself it is not overdue.
 */
export function isOverdue(invoice: Claim & Pick<Invoice, 'dueDate'>, today: IsoDate): boolean {
  return isOwed(invoice) && invoice.dueDate < today;
}

/** Whether an amount is still owed. Nothing is owed of 0.00, or once that is left after crediting. */
export function isOwed({ kind, status, grossAmount, creditedAmount = 0 }: Claim): boolean {
  return kind === 'INVOICE' && status === 'REGISTERED' && grossAmount > creditedAmount;
}

/** Whether a part of it is credited. Once all is, it is CANCELLED. */
export function isPartCredited({ status, creditedAmount = 0 }: Claim): boolean {
  return status !== 'CANCELLED' && creditedAmount > 0;
}

export function isPartPaid(invoice: Pick<Invoice, 'status' | 'paidAmount'>): boolean {
  return invoice.status === 'REGISTERED' && invoice.paidAmount > 0;
}
