import type { Db } from '../platform/db/database.ts';
import { findByInvoices, findOfReminders, findUnconfirmedAmong } from './delivery.repository.ts';
import type { ListedDelivery } from './delivery.rows.ts';

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

/** The deliveries of the reminders of these invoices, by the id of their document; the oldest first. */
export async function findReminderDeliveries(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<Map<number, ListedDelivery[]>> {
  if (invoiceIds.length === 0) return new Map();
  const rows = await findOfReminders(db, companyId, invoiceIds);
  return Map.groupBy(rows, ({ documentId }) => documentId);
}

/** Which of these invoices went as an EHF of which nobody knows, after days, whether it arrived. */
export async function findUnconfirmed(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (invoiceIds.length === 0) return new Set();
  return new Set(await findUnconfirmedAmong(db, companyId, invoiceIds));
}
