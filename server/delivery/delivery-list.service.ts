import type { Db } from '../db/database.ts';
import { findByInvoices, type ListedDelivery } from './delivery-list.repository.ts';

export type { ListedDelivery } from './delivery-list.repository.ts';

/** The deliveries of these invoices, by the invoice's id; of each the oldest first. */
export async function findDeliveries(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<Map<number, ListedDelivery[]>> {
  if (invoiceIds.length === 0) return new Map();
  const rows = await findByInvoices(db, companyId, invoiceIds);
  return Map.groupBy(rows, ({ invoiceId }) => invoiceId);
}
