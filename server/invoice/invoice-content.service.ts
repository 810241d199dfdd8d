import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { CustomerRow } from '../customer/customer.service.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import * as repository from './invoice.repository.ts';
import type { InvoiceRow, LineRow, ShownRow } from './invoice.rows.ts';

/** What an invoice consists of, without its deliveries. */
export interface InvoiceContent<Invoice extends ShownRow = InvoiceRow> {
  readonly row: Invoice;
  /** The buyer frozen with the invoice or, for a draft, the customer as it is now. */
  readonly buyer: Buyer;
  readonly lines: readonly LineRow[];
}

/** An invoice or credit note. @throws AppError not_found */
export async function findRow(db: Db, companyId: number, name: NumberOrUuid): Promise<InvoiceRow> {
  const row = await repository.findInvoice(db, companyId, name);
  if (!row) throw new AppError('not_found');
  return row;
}

/** An invoice with its lines and buyer. */
export function contentOf<Invoice extends ShownRow>(row: Invoice): InvoiceContent<Invoice> {
  const buyer = row.buyer ?? row.customer;
  if (!buyer) throw new Error(`Invoice ${row.id} has no buyer`);
  return { row, buyer, lines: row.lines };
}

/** What is frozen of a customer. */
export function toBuyer(customer: CustomerRow): Buyer {
  return {
    customerNumber: customer.customerNumber,
    name: customer.name,
    orgNumber: customer.orgNumber,
    email: customer.email,
    address1: customer.address1,
    address2: customer.address2,
    postalCode: customer.postalCode,
    city: customer.city,
  };
}
