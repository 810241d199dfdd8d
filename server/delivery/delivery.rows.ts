import type { Selectable } from 'kysely';

import type { Tables } from '../db/tables.ts';

export type DeliveryRow = Selectable<Tables['delivery']>;

/** A delivery as it is shown with its invoice. */
export type ShownDelivery = Pick<
  DeliveryRow,
  'uuid' | 'deliveryType' | 'status' | 'recipient' | 'failureReason'
> & { readonly sentTime: Date | string | null };

/** In a query that reads `invoice`: its deliveries as JSON, oldest first, as `ShownDelivery`. */
export const DELIVERIES_OF_INVOICE = `(
  SELECT COALESCE(json_agg(json_build_object(
    'uuid', delivery.uuid, 'deliveryType', delivery.delivery_type, 'status', delivery.status,
    'recipient', delivery.recipient, 'failureReason', delivery.failure_reason,
    'sentTime', delivery.sent_time) ORDER BY delivery.id), '[]')
  FROM delivery
  WHERE delivery.company_id = invoice.company_id AND delivery.invoice_id = invoice.id)`;
