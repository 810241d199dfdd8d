import { ore, type Ore } from '../money.ts';
import type { InvoiceKind, InvoiceStatus } from './invoice.status.ts';

interface Payable {
  readonly kind: InvoiceKind;
  readonly status: InvoiceStatus;
  readonly grossAmount: Ore;
  readonly paidAmount: Ore;
}

/** What is still to be paid of an invoice, in øre: of a draft all, of credit notes and what is credited nothing. */
export function amountDue({ kind, status, grossAmount, paidAmount }: Payable): Ore {
  if (kind === 'CREDIT_NOTE' || status === 'CANCELLED') return ore(0);
  return ore(grossAmount - paidAmount);
}
