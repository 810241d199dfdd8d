import { sql } from 'kysely';

import type { Ore } from '../../domain/money.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { findArrivals, type Arrival } from './delivery.repository.ts';
import {
  CARRIED_COLUMNS,
  IS_TOO_EARLY,
  TOLD,
  type CarriedRow,
  type CurrentStanding,
  type DeliveryId,
  type DeliveryRow,
  type Failure,
  type Told,
} from './delivery.rows.ts';

/** A delivery as it is tried, with what decides whether it may be handed over. */
export interface TriedRow extends CarriedRow {
  /** Its invoice as it stands. */
  readonly invoice: CurrentStanding;
  /** For a credit note, the delivery that brought, or is bringing, the invoice that it credits. */
  readonly arrival: Arrival | undefined;
}

/** Reads a delivery with all that a try needs. */
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
    .select(sql<Ore>`invoice.gross_amount - invoice.paid_amount`.as('amountDue'))
    .where('delivery.companyId', '=', name.companyId)
    .where('delivery.id', '=', name.id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { invoiceStatus: status, creditsInvoiceId, disputed, amountDue, ...delivery } = row;
  const tried = { ...delivery, invoice: { status, creditsInvoiceId, disputed, amountDue } };
  if (creditsInvoiceId === null) return { ...tried, arrival: undefined };
  const credited = { companyIds: [name.companyId], invoiceIds: [creditsInvoiceId] };
  const [arrival] = await findArrivals(db, credited);
  return { ...tried, arrival };
}

/** The same of a delivery that is held. */
export async function getDelivery(db: Db, name: DeliveryId): Promise<TriedRow> {
  const row = await findDelivery(db, name);
  if (!row) throw new Error(`Delivery ${name.id} is leased and gone`);
  return row;
}

/** A delivery that this worker holds. */
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
] as const;

/**
 * Takes a delivery for this worker for so many milliseconds; null when it is done, or another worker
 * has it. The clock is the database's, so that workers agree.
 *
 * @param remaining how long another worker's lease may still last for it to be taken over (milliseconds)
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
      // A lease that nobody gave back is of a worker that died, perhaps with the delivery handed over.
      mayHaveArrived: sql<boolean>`may_have_arrived OR leased_until IS NOT NULL`,
      attempts: delivery('attempts', '+', 1),
    }))
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where(QUEUED)
    .where(sql<boolean>`(leased_until IS NULL OR leased_until < ${latest})`)
    .returning(LEASED)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Found by its name and by no index of what is under way: that of one company looks small to a planner,
 * and is not.
 */
const QUEUED = sql<boolean>`status || '' = 'QUEUED'`;

const IS_FREE = sql<boolean>`(leased_until IS NULL OR leased_until < now())`;

/** The result of a failed try. */
export interface Setback {
  /** Why the next is waited for, in Norwegian, for the screen. */
  readonly reason: string | null;
  /** Whether the try counts against the delivery. */
  readonly isExcused: boolean;
  readonly mayHaveArrived: boolean;
  /** The carrier's own name for it, where it gave one. */
  readonly carrierReference?: string | null;
  /** When the carrier wants to be asked next, at the earliest (seconds). */
  readonly askAgain?: number | undefined;
}

/** Lets go of a delivery, unless another worker has it by now. */
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
    .where('status', '=', 'QUEUED')
    .execute();
}

function secondsFromNow(seconds: number | undefined) {
  return seconds === undefined ? null : sql<Date>`now() + make_interval(secs => ${seconds})`;
}

/** Counts a try that came to nothing before its lease; null when another worker has it. */
export async function countAttempt(db: Db, { companyId, id }: DeliveryId): Promise<Lease | null> {
  const row = await db
    .updateTable('delivery')
    .set((delivery) => ({ attempts: delivery('attempts', '+', 1) }))
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('status', '=', 'QUEUED')
    .where(IS_FREE)
    .returning(LEASED)
    .executeTakeFirst();
  return row ?? null;
}

/** Marks a delivery as accepted, whoever holds it. Returns nothing when it was done before. */
export async function markSent(
  db: Db,
  { companyId, id }: DeliveryId,
  { carrierReference, askAgain }: Pick<Setback, 'carrierReference' | 'askAgain'>,
): Promise<Told[]> {
  return db
    .updateTable('delivery')
    .set({
      status: 'SENT',
      sentTime: sql<Date>`now()`,
      leasedUntil: null,
      askAgainAt: secondsFromNow(askAgain),
      ...named(carrierReference),
    })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where(QUEUED)
    .returning(TOLD)
    .execute();
}

/** Keeps the carrier's name when a later answer does not repeat it. */
function named(carrierReference: string | null = null) {
  return carrierReference === null ? {} : { carrierReference };
}

/** Says when to ask about a SENT delivery again; never, without seconds. */
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

/** Gives up a delivery, unless another worker has it by now: then nothing is returned. */
export async function giveUp(
  db: Db,
  lease: Pick<Lease, 'companyId' | 'id' | 'attempts' | 'mayHaveArrived'>,
  failure: Failure,
): Promise<Told[]> {
  const { mayHaveArrived } = lease;
  return db
    .updateTable('delivery')
    .set({
      status: 'FAILED',
      failedAt: sql`now()`,
      leasedUntil: null,
      mayHaveArrived,
      ownerTold: false,
      ...failure,
    })
    .where('companyId', '=', lease.companyId)
    .where('id', '=', lease.id)
    .where('attempts', '=', lease.attempts)
    .where('status', '=', 'QUEUED')
    .returning(TOLD)
    .execute();
}

/**
 * Gives up a delivery that waits, with the reason that it waits for. Nothing is returned when it is done, or when
 * a worker has it: that one learns the same.
 */
export async function giveUpWaiting(db: Db, { companyId, id }: DeliveryId): Promise<GivenUp[]> {
  return db
    .updateTable('delivery')
    .set({
      status: 'FAILED',
      failedAt: sql`now()`,
      leasedUntil: null,
      ownerTold: false,
      failureReason: sql<string>`waiting_reason`,
    })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('status', '=', 'QUEUED')
    .where('waitingReason', 'is not', null)
    .where(IS_FREE)
    .returning([...TOLD, sql<string>`failure_reason`.as('failureReason')])
    .execute();
}

/** A delivery that was given up, and why. */
type GivenUp = Told & Pick<Failure, 'failureReason'>;

/** Marks a delivery as failed that came back. Returns nothing when it had failed before. */
export async function markFailed(
  db: Db,
  { companyId, id }: DeliveryId,
  {
    failureReason,
    hasArrived,
  }: { readonly failureReason: string; readonly hasArrived: boolean | undefined },
): Promise<Told[]> {
  return db
    .updateTable('delivery')
    .set({
      ...(hasArrived !== undefined && { mayHaveArrived: hasArrived }),
      status: 'FAILED',
      failureReason,
      failedAt: sql`now()`,
      leasedUntil: null,
      askAgainAt: null,
      ownerTold: false,
    })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('status', '<>', 'FAILED')
    .returning(TOLD)
    .execute();
}

/**
 * Stops the delivery of an invoice that nobody can have been sent: none that is being mailed, or may
 * have been. Waits for nobody, so that whoever records a mail may wait for this invoice.
 */
export async function stopUnsent(
  trx: Trx,
  { companyId, invoiceId }: Pick<Told, 'companyId' | 'invoiceId'>,
  failure: Required<Failure>,
): Promise<Told[]> {
  return trx
    .updateTable('delivery')
    .set({ status: 'FAILED', failedAt: sql`now()`, ...failure })
    .where('companyId', '=', companyId)
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
    .returning(TOLD)
    .execute();
}
