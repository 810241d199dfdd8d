import type { Buyer, Seller } from '../parties.ts';
import type { Statement } from './statement.schema.ts';

/** A statement as it is printed. It is made each time and kept nowhere. */
export interface StatementDocument {
  readonly kind: 'STATEMENT';
  /** No invoice is printed. */
  readonly invoiceNumber: null;
  readonly seller: Seller;
  readonly buyer: Buyer;
  readonly bankAccountNumber: string;
  readonly statement: Statement;
}

/** The words that keep a statement from being booked as an invoice. */
export const NOT_AN_INVOICE = 'Dette er ikke en faktura.';

export function statementFileName({
  customerNumber,
  to,
}: Pick<Statement, 'customerNumber' | 'to'>) {
  return `Kontoutskrift-${customerNumber}-${to}.pdf`;
}
