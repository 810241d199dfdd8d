import { sql } from 'kysely';

import { compiledOnce } from '../db/compiled-once.ts';
import type { DeliveryRow } from './delivery.rows.ts';

const LISTED = [
  'invoiceId',
  'uuid',
  'deliveryType',
  'status',
  'recipient',
  'sentTime',
  'failureReason',
  'waitingReason',
  'deferredUntil',
  'stoppedBy',
] as const;
/** What is told about a delivery to the company. */
export type ListedDelivery = Pick<DeliveryRow, (typeof LISTED)[number]>;

/** The deliveries of these invoices, oldest first. */
export const findByInvoices = compiledOnce((db, companyId: number, invoiceIds: readonly number[]) =>
  db
    .selectFrom('delivery')
    .select(LISTED)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${invoiceIds}::bigint[])`)
    .orderBy('id'),
);
