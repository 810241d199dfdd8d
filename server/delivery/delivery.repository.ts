import { sql } from 'kysely';

import type { DeliveryType, StoppedBy } from '../../domain/delivery/delivery.schema.ts';
import type { Ore } from '../../domain/money.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import {
  CARRIED,
  IS_UNCONFIRMED,
  TOLD,
  type CarriedRow,
  type DeliveryId,
  type DeliveryRow,
  type Told,
} from './delivery.rows.ts';

/** A delivery to be made. */
export interface NewDelivery {
  readonly uuid: string;
  readonly companyId: number;
  readonly invoiceId: number;
  readonly documentId: number;
  readonly deliveryType: DeliveryType;
  readonly recipient: string;
  readonly carrierKey: string;
  /** Why it fails before it begins, if it does. */
  readonly failureReason: string | null;
  readonly stoppedBy: StoppedBy | null;
  /** Whether it was asked for though the invoice is paid, was sent, or was never sent to be credited. */
  readonly forced: boolean;
  /** The amount that a reminder says is due (øre); null for other documents. */
  readonly reminderPrincipal: Ore | null;
}

export type Made = Told & Pick<DeliveryRow, 'id' | 'status' | 'failureReason' | 'stoppedBy'>;

/** How many deliveries of each of these companies are under way, and not put off. */
export async function countQueued(
  db: Db,
  companyIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('delivery')
    .select((delivery) => ['companyId', delivery.fn.countAll<number>().as('queued')])
    .where('status', '=', 'QUEUED')
    .where('deferredUntil', 'is', null)
    .where(sql<boolean>`company_id = ANY(${[...companyIds]}::bigint[])`)
    .groupBy('companyId')
    .execute();
  return new Map(rows.map(({ companyId, queued }) => [companyId, queued]));
}

/** Adds deliveries. */
export async function insertDeliveries(
  trx: Trx,
  deliveries: readonly NewDelivery[],
): Promise<Made[]> {
  return trx
    .insertInto('delivery')
    .values(
      deliveries.map((delivery) => ({
        ...delivery,
        status: delivery.failureReason === null ? 'QUEUED' : 'FAILED',
        failedAt: delivery.failureReason === null ? null : sql<Date>`now()`,
      })),
    )
    .returning(['id', ...TOLD, 'status', 'failureReason', 'stoppedBy'])
    .execute();
}

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

export interface FailedFilter {
  /** Those that failed since; null for all. */
  readonly since: Date | null;
  /** A part of the reason, ignoring case. */
  readonly reason: string;
  readonly afterId: number;
  readonly most: number;
}

/** A delivery that failed, and that nothing came after. */
export type Failed = Pick<DeliveryRow, 'id' | 'companyId' | 'invoiceId'>;

/** The next failed deliveries of invoices themselves that nothing came after, oldest first. */
export async function findFailed(
  db: Db,
  { since, reason, afterId, most }: FailedFilter,
): Promise<Failed[]> {
  const { rows } = await sql<Failed>`
    SELECT id, company_id, invoice_id FROM delivery
    WHERE status = 'FAILED' AND stopped_by IS NULL AND reminder_principal IS NULL
      AND id > ${afterId}
      AND COALESCE(failed_at, created_at) >= COALESCE(${since}::timestamptz, '-infinity')
      AND position(lower(${reason}) IN lower(failure_reason)) > 0
      AND NOT EXISTS (
        SELECT FROM delivery later WHERE later.company_id = delivery.company_id
          AND later.invoice_id = delivery.invoice_id AND later.reminder_principal IS NULL
          AND later.id > delivery.id)
    ORDER BY id LIMIT ${most}`.execute(db);
  return rows;
}

/** A delivery that is QUEUED. */
export interface Waiting extends Pick<DeliveryRow, 'id' | 'companyId' | 'deliveryType'> {
  /** As the database writes it, to the microsecond. */
  readonly madeAt: string;
}

/** The next deliveries that have waited long enough for their job to be doubted, oldest first, as their index has them. */
export async function findWaiting(
  db: Db,
  {
    olderThan,
    after,
    most,
  }: { readonly olderThan: number; readonly after: Waiting | undefined; readonly most: number },
): Promise<Waiting[]> {
  return db
    .selectFrom('delivery')
    .select(['id', 'companyId', 'deliveryType', sql<string>`created_at::text`.as('madeAt')])
    .where('status', '=', 'QUEUED')
    .where('deferredUntil', 'is', null)
    .where(sql<boolean>`created_at < now() - make_interval(secs => ${olderThan})`)
    .$if(after !== undefined, (rest) =>
      rest.where(
        sql<boolean>`(created_at, id) > (${after?.madeAt}::timestamptz, ${after?.id}::bigint)`,
      ),
    )
    .orderBy('createdAt')
    .orderBy('id')
    .limit(most)
    .execute();
}

/** The next SENT deliveries that their carrier is to be asked about again by now. */
export async function findToAsk(
  db: Db,
  most: number,
): Promise<Pick<DeliveryRow, 'id' | 'companyId' | 'deliveryType'>[]> {
  return db
    .selectFrom('delivery')
    .select(['id', 'companyId', 'deliveryType'])
    .where('status', '=', 'SENT')
    .where('askAgainAt', 'is not', null)
    .where(sql<boolean>`ask_again_at <= now()`)
    .orderBy('askAgainAt')
    .limit(most)
    .execute();
}

/** How many deliveries are under way, and how many put off. Each has an index of its own. */
export async function countWaiting(
  db: Db,
): Promise<{ readonly queued: number; readonly deferred: number }> {
  const { rows } = await sql<{ queued: number; deferred: number }>`
    SELECT
      (SELECT count(*) FROM delivery
       WHERE status = 'QUEUED' AND deferred_until IS NULL) AS queued,
      (SELECT count(*) FROM delivery
       WHERE status = 'QUEUED' AND deferred_until IS NOT NULL) AS deferred`.execute(db);
  return rows[0] ?? { queued: 0, deferred: 0 };
}

/** How many deliveries have ever failed, but for those that nobody needed. */
export async function countFailed(db: Db): Promise<number> {
  const { rows } = await sql<{ failed: number }>`
    SELECT count(*) AS failed FROM delivery
    WHERE status = 'FAILED' AND stopped_by IS NULL`.execute(db);
  return rows[0]?.failed ?? 0;
}

/** The delivery of a company that its carrier tells of, by what we call it towards that carrier. */
export async function findCarriedOf(
  db: Db,
  companyId: number,
  deliveryType: DeliveryType,
  carrierKey: string,
): Promise<CarriedRow | null> {
  const row = await db
    .selectFrom('delivery')
    .select(CARRIED)
    .where('companyId', '=', companyId)
    .where('deliveryType', '=', deliveryType)
    .where('carrierKey', '=', carrierKey)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * As `findCarriedOf`, or by what the carrier calls it. Of any company: for a carrier that does not say what
 * we call it, and for what was sent before that named a company.
 */
export async function findCarried(
  db: Db,
  deliveryType: DeliveryType,
  {
    carrierKey,
    carrierReference,
  }: Readonly<Record<'carrierKey' | 'carrierReference', string | null>>,
): Promise<CarriedRow | null> {
  if (carrierKey === null && carrierReference === null) return null;
  const row = await db
    .selectFrom('delivery')
    .select(CARRIED)
    .where('deliveryType', '=', deliveryType)
    .where((delivery) =>
      delivery.or([
        ...(carrierKey !== null ? [delivery('carrierKey', '=', carrierKey)] : []),
        ...(carrierReference !== null ? [delivery('carrierReference', '=', carrierReference)] : []),
      ]),
    )
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

/** Deliveries by EHF that have been under way for days, oldest first. */
export async function findOverdue(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('delivery')
    .select('uuid')
    .where(IS_UNCONFIRMED)
    .orderBy('createdAt')
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** The company of a delivery, by the uuid that the operator has from the log, and whether a worker holds it. */
export async function findByUuid(
  db: Db,
  uuid: string,
): Promise<
  (DeliveryId & Pick<DeliveryRow, 'deliveryType' | 'status'> & { isHeld: boolean }) | null
> {
  const row = await db
    .selectFrom('delivery')
    .select(['id', 'companyId', 'deliveryType', 'status'])
    .select(sql<boolean>`COALESCE(leased_until > now(), false)`.as('isHeld'))
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row ?? null;
}
