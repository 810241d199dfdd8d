import type { Delivery } from '../../domain/delivery/delivery.schema.ts';
import { isUnconfirmed, type ListedDelivery } from './delivery.rows.ts';

/** A delivery as the API shows it. */
export function presentDelivery(row: ListedDelivery): Delivery {
  const isWaiting = row.status === 'QUEUED';
  return {
    uuid: row.uuid,
    deliveryType: row.deliveryType,
    status: row.status,
    recipient: row.recipient,
    sentTime: row.sentTime?.toISOString() ?? null,
    failureReason: row.failureReason,
    waitingReason: isWaiting ? row.waitingReason : null,
    deferredUntil: isWaiting ? (row.deferredUntil?.toISOString() ?? null) : null,
    unconfirmed: isUnconfirmed(row),
    stoppedBy: row.stoppedBy,
  };
}
