import type { Delivery } from '../../domain/delivery/delivery.schema.ts';
import type { Db } from '../db/database.ts';
import * as repository from './delivery.repository.ts';
import type { ShownDelivery } from './delivery.rows.ts';

/** The deliveries of invoices, by invoice id, oldest first. */
export async function findDeliveries(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<Map<number, Delivery[]>> {
  const deliveries = new Map<number, Delivery[]>();
  if (invoiceIds.length === 0) return deliveries;
  for (const row of await repository.findDeliveries(db, companyId, invoiceIds)) {
    const list = deliveries.get(row.invoiceId) ?? [];
    list.push(toDelivery(row));
    deliveries.set(row.invoiceId, list);
  }
  return deliveries;
}

/** A delivery as the API shows it. */
export function toDelivery(row: ShownDelivery): Delivery {
  return {
    uuid: row.uuid,
    deliveryType: row.deliveryType,
    status: row.status,
    recipient: row.recipient,
    sentTime: row.sentTime === null ? null : new Date(row.sentTime).toISOString(),
    failureReason: row.failureReason,
  };
}

/** Whether an address has bounced or complained: then it gets no more mail that nobody asked for. */
export async function isSuppressed(db: Db, email: string): Promise<boolean> {
  return (await repository.findSuppressed(db, [email])).size > 0;
}
