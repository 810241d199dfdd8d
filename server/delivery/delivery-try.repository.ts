import { sql } from 'kysely';

import type { RefusedAddress } from '../../domain/delivery/delivery.schema.ts';
import type { Ore } from '../../domain/money.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { creditedStatus } from '../invoice/invoice.selection.ts';
import { asJson } from './delivery-addresses.repository.ts';
import { findArrivals, type Arrival } from './delivery.repository.ts';
import {
  CARRIED_COLUMNS,
  IS_FREE,
  IS_OPEN,
  IS_TOO_EARLY,
  HISTORY_COLUMNS,
  type CarriedRow,
  type CurrentStanding,
  type DeliveryId,
  type DeliveryRow,
  type Failure,
  type HistoryRow,
} from './delivery.rows.ts';

/** A delivery to try, with the state that decides whether it may be handed over. */
export interface TriedRow extends CarriedRow {
  /** The current state of its invoice. */
  readonly invoice: CurrentStanding;
  /** For a credit note, the delivery of the invoice that it credits. */
  readonly arrival: Arrival | undefined;
}

/** A delivery with everything that a try needs. */
export async function findDelivery(db: Db, name: DeliveryId): Promise<TriedRow | undefined> {
  const row = await db
    .selectFrom('delivery')
    .innerJoin('invoice', (join) =>
      join
        .onRef('invoice.companyId', '=', 'delivery.companyId')
        .onRef('invoice.id', '=', 'delivery.invoiceId'),
    )
    .select(CARRIED_COLUMNS.map((column) => `delivery.${column}` as const))
    .select(IS_TOO_EARLY)
    .select(['invoice.status as invoiceStatus', 'invoice.creditsInvoiceId', 'invoice.disputed'])
    .select([creditedStatus(), 'invoice.creditedAmount'])
    .select(
      sql<Ore>`invoice.gross_amount - invoice.credited_amount - invoice.paid_amount`.as(
        'amountDue',
      ),
    )
    .where('delivery.companyId', '=', name.companyId)
    .where('delivery.id', '=', name.id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { invoiceStatus: status, creditsInvoiceId, disputed, amountDue, ...others } = row;
  const { creditedStatus: ofCredited, creditedAmount, ...delivery } = others;
  const credit = { creditsInvoiceId, creditedStatus: ofCredited, creditedAmount };
  const tried = { ...delivery, invoice: { status, disputed, amountDue, ...credit } };
  if (creditsInvoiceId === null) return { ...tried, arrival: undefined };
  const credited = { companyIds: [name.companyId], invoiceIds: [creditsInvoiceId] };
  const [arrival] = await findArrivals(db, credited);
  return { ...tried, arrival };
}

/** Like `findDelivery`, for a delivery that is leased. */
export async function getDelivery(db: Db, name: DeliveryId): Promise<TriedRow> {
  const row = await findDelivery(db, name);
  if (!row) throw new Error(`Delivery ${name.id} was leased and is not there`);
  return row;
}

export type Lease = Pick<DeliveryRow, (typeof LEASED)[number]>;

const LEASED = [
  'id',
  'companyId',
  'invoiceId',
  'forced',
  'mayHaveArrived',
  'attempts',
  'excusedAttempts',
  'reminderPrincipal',
  'status',
  'copies',
  'remaining',
] as const;

/**
 * Leases a delivery to this worker by the database's clock; null when it is done, or another worker holds it.
 *
 * @param remaining a lease of another worker that ends within this time is taken over (milliseconds)
 */
export async function leaseDelivery(
  db: Db,
  { companyId, id }: DeliveryId,
  milliseconds: number,
  remaining = 0,
): Promise<Lease | null> {
  const latest = sql`now() + make_interval(secs => ${remaining / 1000})`;
  const row = await db
    .updateTable('delivery')
    .set((delivery) => ({
      leasedUntil: sql<Date>`now() + make_interval(secs => ${milliseconds / 1000})`,
      // A lease that was not released belonged to a worker that died, perhaps after the hand-over.
      mayHaveArrived: sql<boolean>`may_have_arrived OR leased_until IS NOT NULL`,
      attempts: delivery('attempts', '+', 1),
    }))
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where(IS_OPEN)
    .where(sql<boolean>`(leased_until IS NULL OR leased_until < ${latest})`)
    .returning(LEASED)
    .executeTakeFirst();
  return row ?? null;
}

/** The result of a failed try. */
export interface Setback {
  /** The reason for waiting for the next try, in Norwegian, for the screen. */
  readonly reason: string | null;
  /** Whether the try counts against the delivery. */
  readonly isExcused: boolean;
  readonly mayHaveArrived: boolean;
  /** The carrier's reference, if it gave one. */
  readonly carrierReference?: string | null;
  /** Shortest time until the next try or poll (seconds). */
  readonly askAgain?: number | undefined;
}

/** Releases a delivery, unless another worker holds it by now. */
export async function releaseDelivery(
  db: Db,
  lease: Pick<Lease, 'companyId' | 'id' | 'attempts'>,
  { reason, isExcused, mayHaveArrived, carrierReference, askAgain }: Setback,
): Promise<void> {
  await db
    .updateTable('delivery')
    .set((delivery) => ({
      leasedUntil: null,
      mayHaveArrived,
      waitingReason: reason,
      excusedAttempts: delivery('excusedAttempts', '+', isExcused ? 1 : 0),
      askAgainAt: secondsFromNow(askAgain),
      ...named(carrierReference),
    }))
    .where('companyId', '=', lease.companyId)
    .where('id', '=', lease.id)
    .where('attempts', '=', lease.attempts)
    .where(IS_OPEN)
    .execute();
}

function secondsFromNow(seconds: number | undefined) {
  return seconds === undefined ? null : sql<Date>`now() + make_interval(secs => ${seconds})`;
}

/** Counts a try that failed before its lease; null when another worker holds the delivery. */
export async function countAttempt(db: Db, { companyId, id }: DeliveryId): Promise<Lease | null> {
  const row = await db
    .updateTable('delivery')
    .set((delivery) => ({ attempts: delivery('attempts', '+', 1) }))
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where(IS_OPEN)
    .where(IS_FREE)
    .returning(LEASED)
    .executeTakeFirst();
  return row ?? null;
}

type Accepted = Pick<Setback, 'carrierReference' | 'askAgain'>;

/** Marks a delivery as accepted, whoever holds it. Returns no row when it has reached its addresses, or failed. */
export async function markSent(
  db: Db,
  { companyId, id }: DeliveryId,
  { carrierReference, askAgain }: Accepted,
): Promise<HistoryRow[]> {
  return db
    .updateTable('delivery')
    .set({
      status: 'SENT',
      sentTime: sql<Date>`COALESCE(sent_time, now())`,
      leasedUntil: null,
      askAgainAt: secondsFromNow(askAgain),
      ...named(carrierReference),
    })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where(IS_OPEN)
    .returning(HISTORY_COLUMNS)
    .execute();
}

/** Keeps the carrier's reference when a later answer does not repeat it. */
function named(carrierReference: string | null = null) {
  return carrierReference === null ? {} : { carrierReference };
}

/** Sets when to poll a SENT delivery again; never, without `seconds`. */
export async function askAgainLater(
  db: Db,
  { companyId, id }: DeliveryId,
  seconds: number | undefined,
): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ askAgainAt: secondsFromNow(seconds) })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('status', '=', 'SENT')
    .execute();
}

/** Fails deliveries of a company; the conditions say which. */
function failing(db: Db, companyId: number) {
  return db
    .updateTable('delivery')
    .set({
      status: 'FAILED',
      failedAt: sql`now()`,
      leasedUntil: null,
      askAgainAt: null,
      ownerTold: false,
      remaining: null,
    })
    .where('companyId', '=', companyId);
}

/** Gives up a delivery. Returns no row when another worker holds it by now. */
export async function giveUp(
  db: Db,
  { companyId, id, attempts, mayHaveArrived }: Lease,
  { refused, ...failure }: Failure & { readonly refused?: readonly RefusedAddress[] },
): Promise<HistoryRow[]> {
  return failing(db, companyId)
    .set({ mayHaveArrived, ...failure })
    .$if(refused !== undefined, (update) => update.set({ refused: asJson(refused ?? []) }))
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'QUEUED')
    .returning(HISTORY_COLUMNS)
    .execute();
}

/**
 * Gives up a waiting delivery, for the reason that it waited for. Returns no row when it is done, or when a worker
 * holds it, which will get the same answer.
 */
export async function giveUpWaiting(
  db: Db,
  { companyId, id }: DeliveryId,
): Promise<(HistoryRow & Pick<Failure, 'failureReason'>)[]> {
  return failing(db, companyId)
    .set({ failureReason: sql<string>`waiting_reason` })
    .where('id', '=', id)
    .where('status', '=', 'QUEUED')
    .where('waitingReason', 'is not', null)
    .where(IS_FREE)
    .returning([...HISTORY_COLUMNS, sql<string>`failure_reason`.as('failureReason')])
    .execute();
}

/** Marks a returned delivery as failed. Returns no row when it had failed before. */
export async function markFailed(
  db: Db,
  { companyId, id }: DeliveryId,
  { failureReason, hasArrived }: Failure & { readonly hasArrived: boolean | undefined },
): Promise<HistoryRow[]> {
  return failing(db, companyId)
    .set({ failureReason, ...(hasArrived !== undefined && { mayHaveArrived: hasArrived }) })
    .where('id', '=', id)
    .where('status', '<>', 'FAILED')
    .returning(HISTORY_COLUMNS)
    .execute();
}

/**
 * Stops the deliveries of an invoice that cannot have arrived: none that is being sent, or may have been. Waits for no
 * lock, so that a worker that records a delivery may wait for the caller's lock on the invoice.
 */
export async function stopUnsent(
  trx: Trx,
  { companyId, invoiceId }: Pick<HistoryRow, 'companyId' | 'invoiceId'>,
  failure: Required<Failure>,
): Promise<HistoryRow[]> {
  return failing(trx, companyId)
    .set(failure)
    .where('id', 'in', (delivery) =>
      delivery
        .selectFrom('delivery')
        .select('id')
        .where('companyId', '=', companyId)
        .where('invoiceId', '=', invoiceId)
        .where('status', '=', 'QUEUED')
        .where('leasedUntil', 'is', null)
        .where('mayHaveArrived', '=', false)
        .forUpdate()
        .skipLocked(),
    )
    .returning(HISTORY_COLUMNS)
    .execute();
}
