import type { Invoice } from '../../domain/invoice/invoice.schema.ts';
import type { Db } from '../db/database.ts';
import { findDeliveries } from '../delivery/delivery-list.service.ts';
import type { InvoiceContent } from '../invoice/invoice-content.service.ts';
import { presentInvoice } from './invoice.presenter.ts';

/** Invoices with their deliveries as the API shows them, in the same order. */
export async function describeInvoices(
  db: Db,
  companyId: number,
  contents: readonly InvoiceContent[],
): Promise<Invoice[]> {
  // Only what is under way, sent or failed has deliveries.
  const delivered = contents.filter(({ row }) => (row.deliveryStatus ?? 'PENDING') !== 'PENDING');
  const deliveries = await findDeliveries(
    db,
    companyId,
    delivered.map(({ row }) => row.id),
  );
  return contents.map((content) => presentInvoice(content, deliveries.get(content.row.id) ?? []));
}
