import { sql, type Selectable } from 'kysely';

import type { StoppedBy, Delivery } from '../../domain/delivery/delivery.schema.ts';
import type { Ore } from '../../domain/money.ts';
import type { Standing } from '../invoice/invoice.service.ts';
import type { Tables } from '../platform/db/tables.ts';

export type DeliveryRow = Selectable<Tables['delivery']>;

export const CARRIED_COLUMNS = [
  'id',
  'uuid',
  'companyId',
  'invoiceId',
  'documentId',
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
  'reminderPrincipal',
] as const;

/** By the clock of the database, as everything that workers must agree on. */
export const IS_TOO_EARLY = sql<boolean | null>`ask_again_at > now()`.as('isTooEarly');

/** The columns that a carrier needs to answer about a delivery. */
export const CARRIED = [...CARRIED_COLUMNS, IS_TOO_EARLY] as const;

export interface CarriedRow extends Pick<DeliveryRow, (typeof CARRIED_COLUMNS)[number]> {
  /** Whether its carrier is not to be asked yet; null when it is not to be asked again at all. */
  readonly isTooEarly: boolean | null;
}

/** How an invoice stands: what decides whether it, or a reminder of it, may be sent. */
export interface CurrentStanding extends Standing {
  readonly disputed: boolean;
  /** Øre. */
  readonly amountDue: Ore;
}

/** The end of a delivery that was not accepted. */
export interface Failure {
  readonly failureReason: string;
  readonly stoppedBy?: StoppedBy;
}

/** The columns that the invoice's history needs of a delivery. */
export const TOLD = [
  'companyId',
  'invoiceId',
  'deliveryType',
  'recipient',
  'reminderPrincipal',
] as const;
export type Told = Pick<DeliveryRow, (typeof TOLD)[number]>;

/** An EHF that has waited so long for an end is its owner's and the operator's affair (days). */
const CONFIRMED_WITHIN = 3;

/** Whether it is an EHF of which nobody knows, after days, whether it arrived. */
export const IS_UNCONFIRMED = sql<boolean>`(status = 'QUEUED' AND delivery_type = 'EHF'
  AND created_at < now() - make_interval(days => ${sql.lit(CONFIRMED_WITHIN)}))`;

/** As `IS_UNCONFIRMED`, of what was read. */
export function isUnconfirmed({
  status,
  deliveryType,
  createdAt,
}: Pick<DeliveryRow, 'status' | 'deliveryType' | 'createdAt'>): boolean {
  const age = Date.now() - createdAt.getTime();
  return status === 'QUEUED' && deliveryType === 'EHF' && age > CONFIRMED_WITHIN * 24 * 3600_000;
}

/** The name of a delivery: which one, and whose. */
export interface DeliveryId {
  readonly companyId: number;
  readonly id: number;
}

/** The columns of a delivery that its company sees. */
export const LISTED = [
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
  'createdAt',
] as const;
/** A delivery as the company sees it. */
export type ListedDelivery = Pick<DeliveryRow, (typeof LISTED)[number]>;

/** A delivery as JSON of PostgreSQL has it: an instant is text. */
export interface JsonDelivery extends Omit<
  ListedDelivery,
  'sentTime' | 'deferredUntil' | 'createdAt'
> {
  readonly createdAt: string;
  readonly sentTime: string | null;
  readonly deferredUntil: string | null;
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
