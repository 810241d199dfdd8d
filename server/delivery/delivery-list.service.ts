import type { Db } from '../platform/db/database.ts';
import { findByInvoices, findUnconfirmedAmong } from './delivery-list.repository.ts';
import type { JsonDelivery, ListedDelivery } from './delivery.rows.ts';

export type { ListedDelivery } from './delivery.rows.ts';

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

/** A delivery of `deliveriesOfInvoice`. */
export function fromJson(delivery: JsonDelivery): ListedDelivery {
  const { sentTime, deferredUntil, createdAt } = delivery;
  return {
    ...delivery,
    createdAt: new Date(createdAt),
    sentTime: sentTime === null ? null : new Date(sentTime),
    deferredUntil: deferredUntil === null ? null : new Date(deferredUntil),
  };
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
