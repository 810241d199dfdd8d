import { sql, type Selectable } from 'kysely';

import type { StoppedBy, Delivery } from '../../domain/delivery/delivery.schema.ts';
import type { Ore } from '../../domain/money.ts';
import type { NewEvent } from '../invoice/history.repository.ts';
import type { Standing } from '../invoice/undelivered.repository.ts';
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
  'copies',
  'refused',
  'remaining',
  'carrierKey',
  'carrierReference',
  'attempts',
  'forced',
  'mayHaveArrived',
  'deferredUntil',
  'sentTime',
  'reminderPrincipal',
] as const;

/** By the database's clock, since workers must agree. */
export const IS_TOO_EARLY = sql<boolean | null>`ask_again_at > now()`.as('isTooEarly');

/** The columns of a delivery that its carrier needs. */
export const CARRIED = [...CARRIED_COLUMNS, IS_TOO_EARLY] as const;

export interface CarriedRow extends Pick<DeliveryRow, (typeof CARRIED_COLUMNS)[number]> {
  /** Whether it is too early to ask the carrier; null when it is not asked again. */
  readonly isTooEarly: boolean | null;
}

/** The addresses of a delivery, the first of which is its recipient. */
export function addressesOf({
  recipient,
  copies,
}: Pick<DeliveryRow, 'recipient' | 'copies'>): readonly string[] {
  return [recipient, ...copies];
}

/** The addresses that a delivery has yet to reach (DEL-23); none when it is over. */
export function remainingOf(
  row: Pick<DeliveryRow, 'status' | 'recipient' | 'copies' | 'refused' | 'remaining'>,
): readonly string[] {
  if (row.status === 'FAILED') return [];
  const open = row.remaining ?? (row.status === 'QUEUED' ? addressesOf(row) : []);
  return open.filter((address) => !row.refused.some((one) => one.address === address));
}

/**
 * Whether a delivery has an address that it has yet to reach. Keeps the planner from the partial index of queued
 * deliveries: it takes one company's part for small, which it may not be.
 */
export const IS_OPEN = sql<boolean>`(status || '' = 'QUEUED' OR cardinality(remaining) > 0)`;

/** Whether no worker holds a delivery. */
export const IS_FREE = sql<boolean>`(leased_until IS NULL OR leased_until < now())`;

/** The state of an invoice that decides whether it, or a reminder of it, may be sent. */
export interface CurrentStanding extends Standing {
  readonly disputed: boolean;
  readonly amountDue: Ore;
  readonly creditedAmount: Ore;
}

/** The reason for a failed or stopped delivery. */
export interface Failure {
  readonly failureReason: string;
  readonly stoppedBy?: StoppedBy;
}

/** The columns that the invoice's history needs of a delivery. */
export const HISTORY_COLUMNS = [
  'companyId',
  'invoiceId',
  'deliveryType',
  'recipient',
  'copies',
  'reminderPrincipal',
] as const;
export type HistoryRow = Pick<DeliveryRow, (typeof HISTORY_COLUMNS)[number]>;

/** The event of a delivery in its invoice's history. */
export function toEvent(
  { companyId, invoiceId, deliveryType, recipient, copies, reminderPrincipal }: HistoryRow,
  kind: 'QUEUED' | 'SENT' | 'FAILED',
): NewEvent {
  const reminder = reminderPrincipal === null ? {} : { reminder: true };
  const further = copies.length === 0 ? {} : { copies };
  const details = { deliveryType, recipient, ...further, ...reminder };
  return { companyId, invoiceId, kind, details };
}

/** A delivery with these of its addresses alone; with all when null. */
export function narrowed(row: HistoryRow, addresses: readonly string[] | null): HistoryRow {
  const [recipient = row.recipient, ...copies] = addresses ?? [row.recipient, ...row.copies];
  return { ...row, recipient, copies };
}

/** The event of a failed delivery. */
export function toFailed(
  row: HistoryRow,
  {
    failureReason,
    stoppedBy = null,
  }: Omit<Failure, 'stoppedBy'> & { stoppedBy?: StoppedBy | null | undefined },
): NewEvent {
  const event = toEvent(row, 'FAILED');
  const stopped = stoppedBy ? { stoppedBy } : {};
  return { ...event, details: { ...event.details, reason: failureReason, ...stopped } };
}

/** An EHF without a result after this time is reported to its owner and the operator (days). */
const CONFIRMED_WITHIN = 3;

/** Whether it is an EHF that after days is neither confirmed nor refused. */
export const IS_UNCONFIRMED = sql<boolean>`(status = 'QUEUED' AND delivery_type = 'EHF'
  AND created_at < now() - make_interval(days => ${sql.lit(CONFIRMED_WITHIN)}))`;

/** Like `IS_UNCONFIRMED`, for a row. */
export function isUnconfirmed({
  status,
  deliveryType,
  createdAt,
}: Pick<DeliveryRow, 'status' | 'deliveryType' | 'createdAt'>): boolean {
  const age = Date.now() - createdAt.getTime();
  return status === 'QUEUED' && deliveryType === 'EHF' && age > CONFIRMED_WITHIN * 24 * 3600_000;
}

/** Identifies a delivery of a company. */
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
  'copies',
  'refused',
  'remaining',
  'unreached',
  'sentTime',
  'failureReason',
  'waitingReason',
  'deferredUntil',
  'stoppedBy',
  'createdAt',
] as const;
/** A delivery as the company sees it. */
export type ListedDelivery = Pick<DeliveryRow, (typeof LISTED)[number]>;

/** A delivery in PostgreSQL's JSON, where an instant is text. */
export interface JsonDelivery extends Omit<
  ListedDelivery,
  'sentTime' | 'deferredUntil' | 'createdAt'
> {
  readonly createdAt: string;
  readonly sentTime: string | null;
  readonly deferredUntil: string | null;
}

/** Converts a delivery of `deliveriesOfInvoice`. */
export function fromJson(delivery: JsonDelivery): ListedDelivery {
  const { sentTime, deferredUntil, createdAt } = delivery;
  return {
    ...delivery,
    createdAt: new Date(createdAt),
    sentTime: sentTime === null ? null : new Date(sentTime),
    deferredUntil: deferredUntil === null ? null : new Date(deferredUntil),
  };
}

function recipientsOf(row: ListedDelivery): Delivery['recipients'] {
  const { status, failureReason, waitingReason } = row;
  const refused = new Map(row.refused.map(({ address, reason }) => [address, reason]));
  const remaining = remainingOf(row);
  return addressesOf(row).map((address) => {
    const reason = refused.get(address) ?? failureReason;
    if (reason !== null) return { address, status: 'FAILED', reason };
    return remaining.includes(address)
      ? { address, status: 'QUEUED', reason: waitingReason }
      : { address, status, reason: null };
  });
}

/** A delivery as the API shows it. */
export function presentDelivery(row: ListedDelivery): Delivery {
  const isWaiting = remainingOf(row).length > 0;
  return {
    uuid: row.uuid,
    deliveryType: row.deliveryType,
    status: row.status,
    recipient: row.recipient,
    recipients: recipientsOf(row),
    unreached: row.unreached,
    sentTime: row.sentTime?.toISOString() ?? null,
    failureReason: row.failureReason,
    waitingReason: isWaiting ? row.waitingReason : null,
    deferredUntil: isWaiting ? (row.deferredUntil?.toISOString() ?? null) : null,
    unconfirmed: isUnconfirmed(row),
    stoppedBy: row.stoppedBy,
  };
}
