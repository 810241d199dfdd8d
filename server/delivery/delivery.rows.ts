import { sql, type Selectable } from 'kysely';

import type { Tables } from '../db/tables.ts';

export type DeliveryRow = Selectable<Tables['delivery']>;

/** What trying a delivery needs. */
export const CARRIED = [
  'id',
  'uuid',
  'companyId',
  'invoiceId',
  'deliveryType',
  'status',
  'recipient',
  'carrierKey',
  'carrierReference',
  'attempts',
  'forced',
  'mayHaveArrived',
  'deferredUntil',
  'sentTime',
  // By the clock of the database, as everything that workers must agree on.
  sql<boolean | null>`ask_again_at > now()`.as('isTooEarly'),
] as const;

export type CarriedRow = Pick<
  DeliveryRow,
  | 'id'
  | 'uuid'
  | 'companyId'
  | 'invoiceId'
  | 'deliveryType'
  | 'status'
  | 'recipient'
  | 'carrierKey'
  | 'carrierReference'
  | 'attempts'
  | 'forced'
  | 'mayHaveArrived'
  | 'deferredUntil'
  | 'sentTime'
> & {
  /** Whether its carrier is not to be asked yet; null when it is not to be asked again at all. */
  readonly isTooEarly: boolean | null;
};

/** What the invoice's history tells of a delivery. */
export const TOLD = ['companyId', 'invoiceId', 'deliveryType', 'recipient'] as const;
export type Told = Pick<DeliveryRow, (typeof TOLD)[number]>;

/** The name of a delivery: which one, and whose. */
export interface DeliveryId {
  readonly companyId: number;
  readonly id: number;
}

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
