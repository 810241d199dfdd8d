import { sql } from 'kysely';

import { PAGE_SIZE } from '../../domain/api/pages.ts';
import type { Db } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

const COLUMNS = [
  'kind',
  'status',
  'issueDate',
  'dueDate',
  'grossAmount',
  'creditedAmount',
  'paidAmount',
  'reminderAmount',
] as const;

/** An invoice or credit note of a customer's list. */
export interface ListedRow extends Row<'invoice', (typeof COLUMNS)[number]> {
  readonly invoiceNumber: number;
  /** The number of the invoice that it credits; null of an invoice. */
  readonly creditedNumber: number | null;
}

/** A page of the registered invoices and credit notes of a customer, newest number first. */
export async function listOfCustomer(
  db: Db,
  companyId: number,
  customerId: number,
  page: number,
): Promise<ListedRow[]> {
  return ofCustomer(db, companyId, customerId)
    .select(COLUMNS.map((column) => `invoice.${column}` as const))
    .select([
      sql<number>`invoice.invoice_number`.as('invoiceNumber'),
      sql<number | null>`(
        SELECT credited.invoice_number FROM invoice credited
        WHERE credited.company_id = ${companyId}
          AND credited.id = invoice.credits_invoice_id)`.as('creditedNumber'),
    ])
    .orderBy('invoice.invoiceNumber', 'desc')
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
    .execute();
}

export async function countOfCustomer(
  db: Db,
  companyId: number,
  customerId: number,
): Promise<number> {
  const { many } = await ofCustomer(db, companyId, customerId)
    .select((invoice) => invoice.fn.countAll<number>().as('many'))
    .executeTakeFirstOrThrow();
  return many;
}

/** The invoice of a customer with this number, or null. */
export async function findOfCustomer(
  db: Db,
  companyId: number,
  customerId: number,
  invoiceNumber: number,
): Promise<number | null> {
  const row = await ofCustomer(db, companyId, customerId)
    .select('invoice.id')
    .where('invoice.invoiceNumber', '=', invoiceNumber)
    .where('invoice.kind', '=', 'INVOICE')
    .executeTakeFirst();
  return row?.id ?? null;
}

function ofCustomer(db: Db, companyId: number, customerId: number) {
  return db
    .selectFrom('invoice')
    .where('invoice.companyId', '=', companyId)
    .where('invoice.customerId', '=', customerId)
    .where('invoice.status', '<>', 'DRAFT');
}
