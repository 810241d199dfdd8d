import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Buyer } from '../../domain/parties.ts';
import { findCustomersByIds, type CustomerRow } from '../customer/customer.service.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import * as repository from './invoice.repository.ts';
import type { InvoiceRow, LineRow } from './invoice.rows.ts';

/** What an invoice consists of, without its deliveries. */
export interface InvoiceContent<Invoice extends InvoiceRow = InvoiceRow> {
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

/**
 * Rows with their lines and buyers. A draft's buyer is its customer as it is now; one that was
 * deleted, and its customer after it, since the row was read is left out.
 */
export async function findParts<Invoice extends InvoiceRow>(
  db: Db,
  companyId: number,
  rows: readonly Invoice[],
): Promise<InvoiceContent<Invoice>[]> {
  const customers = await findDraftCustomers(db, companyId, rows);
  return rows.flatMap((row) => {
    const buyer = buyerOf(row, customers);
    return buyer ? [{ row, buyer, lines: row.lines }] : [];
  });
}

async function findDraftCustomers(
  db: Db,
  companyId: number,
  rows: readonly InvoiceRow[],
): Promise<Map<number, CustomerRow>> {
  const drafts = rows.filter((row) => row.buyer === null);
  return findCustomersByIds(
    db,
    companyId,
    drafts.flatMap((row) => row.customerId ?? []),
  );
}

function buyerOf(row: InvoiceRow, customers: ReadonlyMap<number, CustomerRow>): Buyer | null {
  if (row.buyer) return row.buyer;
  const customer = customers.get(row.customerId ?? 0);
  return customer ? toBuyer(customer) : null;
}

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
