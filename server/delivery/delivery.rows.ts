import type { Selectable } from 'kysely';

import type { Tables } from '../db/tables.ts';

export type DeliveryRow = Selectable<Tables['delivery']>;

/** In a query of invoices: the deliveries of each as the API shows them, oldest first. */
export const DELIVERIES_OF_INVOICE = `(
  SELECT COALESCE(json_agg(json_build_object(
    'uuid', delivery.uuid, 'delivery_type', delivery.delivery_type, 'status', delivery.status,
    'recipient', delivery.recipient,
    'sent_time', to_char(delivery.sent_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'failure_reason', delivery.failure_reason, 'stopped_by', delivery.stopped_by,
    'waiting_reason', CASE WHEN delivery.status = 'QUEUED' THEN delivery.waiting_reason END,
    'deferred_until', to_char(CASE WHEN delivery.status = 'QUEUED' THEN delivery.deferred_until END
      AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY delivery.id), '[]')
  FROM delivery
  WHERE delivery.company_id = invoice.company_id AND delivery.invoice_id = invoice.id)`;
