import type { Insertable } from 'kysely';

import type { InvoiceLine } from '../../domain/invoice/invoice.totals.ts';
import type { Trx } from '../db/database.ts';
import { insertAll } from '../db/insert-all.ts';
import type { Tables } from '../db/tables.ts';
import { INVOICE_COLUMNS, type InvoiceRow } from './invoice.rows.ts';

export type NewInvoice = Insertable<Tables['invoice']>;
/** What is read of an invoice of its own. */
export type InsertedInvoice = Pick<InvoiceRow, (typeof INVOICE_COLUMNS)[number]>;

/** Adds invoices, which begin as drafts, in this order. */
export async function insertInvoices(
  trx: Trx,
  invoices: readonly NewInvoice[],
): Promise<InsertedInvoice[]> {
  return insertAll(trx, 'invoice', invoices, INVOICE_COLUMNS);
}

/** Adds the same lines to each of these invoices. Returns the ids of each one's lines. */
export async function insertLines(
  trx: Trx,
  companyId: number,
  invoiceIds: readonly number[],
  lines: readonly InvoiceLine[],
): Promise<Map<number, number[]>> {
  const rows = invoiceIds.flatMap((invoiceId) =>
    lines.map(({ quantity, description, netUnitAmount, vatRate }, position) => ({
      companyId,
      invoiceId,
      position,
      quantity,
      description,
      netUnitAmount,
      vatRate,
    })),
  );
  const inserted = await insertAll(trx, 'invoiceLine', rows, ['id', 'invoiceId']);
  return new Map(
    [...Map.groupBy(inserted, ({ invoiceId }) => invoiceId)].map(([invoiceId, added]) => [
      invoiceId,
      added.map(({ id }) => id),
    ]),
  );
}
