import { sql } from 'kysely';

import type { DeliveryType, StoppedBy } from '../../domain/delivery/delivery.schema.ts';
import type { Ore } from '../../domain/money.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import {
  CARRIED,
  type CarriedRow,
  type DeliveryId,
  type DeliveryRow,
  IS_OPEN,
  IS_UNCONFIRMED,
  LISTED,
  type ListedDelivery,
  type HistoryRow,
  HISTORY_COLUMNS,
} from './delivery.rows.ts';

export interface NewDelivery {
  readonly uuid: string;
  readonly companyId: number;
  readonly invoiceId: number;
  readonly documentId: number;
  readonly deliveryType: DeliveryType;
  readonly recipient: string;
  readonly copies: string[];
  readonly carrierKey: string;
  /** The reason why it fails at once, if it does. */
  readonly failureReason: string | null;
  readonly stoppedBy: StoppedBy | null;
  /** Whether it is sent although the invoice is paid, was sent already, or is a credit note of an unsent one. */
  readonly forced: boolean;
  /** The amount that a reminder says is due (øre); null for other documents. */
  readonly reminderPrincipal: Ore | null;
  /** The addresses of an earlier delivery that failed and that this one does not send to (DEL-25). */
  readonly unreached: string[];
  /** For a delivery to those addresses alone that did not get it before: when the others got it. */
  readonly part?: { readonly remaining: string[]; readonly sentTime: Date } | undefined;
}

export type Made = HistoryRow &
  Pick<DeliveryRow, 'id' | 'status' | 'failureReason' | 'stoppedBy' | 'remaining'>;

/** Counts the queued deliveries of these companies that are not deferred. */
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
      deliveries.map(({ part, ...delivery }) => ({
        ...delivery,
        ...statusOf(delivery.failureReason, part),
        // The owner was told of them when they failed.
        ownerTold: delivery.failureReason === null && delivery.unreached.length > 0,
      })),
    )
    .returning(['id', ...HISTORY_COLUMNS, 'status', 'failureReason', 'stoppedBy', 'remaining'])
    .execute();
}

function statusOf(failureReason: string | null, part: NewDelivery['part']) {
  const unsent = { sentTime: null, remaining: null, failedAt: null };
  if (failureReason !== null)
    return { ...unsent, status: 'FAILED', failedAt: sql<Date>`now()` } as const;
  return part
    ? ({ ...unsent, status: 'SENT', ...part } as const)
    : ({ ...unsent, status: 'QUEUED' } as const);
}

/** The deliveries of these invoices themselves, not of their reminders, by invoice id; oldest first. */
export async function findDeliveries(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<Map<number, ListedDelivery[]>> {
  const rows = await deliveriesOf(db, companyId, invoiceIds)
    .where('reminderPrincipal', 'is', null)
    .execute();
  return Map.groupBy(rows, ({ invoiceId }) => invoiceId);
}

/** The deliveries of the reminders of these invoices, by document id; oldest first. */
export async function findReminderDeliveries(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<Map<number, ListedDelivery[]>> {
  const rows = await deliveriesOf(db, companyId, invoiceIds)
    .select('documentId')
    .where('reminderPrincipal', 'is not', null)
    .execute();
  return Map.groupBy(rows, ({ documentId }) => documentId);
}

function deliveriesOf(db: Db, companyId: number, invoiceIds: readonly number[]) {
  return db
    .selectFrom('delivery')
    .select(LISTED)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .orderBy('id');
}

/** Invoices that went as EHF and, after days, are neither confirmed nor refused. */
export async function findUnconfirmed(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('delivery')
    .select('invoiceId')
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where(IS_UNCONFIRMED)
    .where('mayHaveArrived', '=', true)
    .execute();
  return new Set(rows.map(({ invoiceId }) => invoiceId));
}

/** A delivery that has arrived, may have, or still can. */
export interface Arrival {
  readonly invoiceId: number;
  /** Whether one of its addresses may still get it. */
  readonly isUnderWay: boolean;
  readonly deliveryType: DeliveryRow['deliveryType'];
  readonly recipient: string;
  readonly copies: readonly string[];
  /** Whether it is an EHF that after days is neither confirmed nor refused. */
  readonly isUnconfirmed: boolean;
}

/**
 * The delivery of each of these invoices that has arrived, may have, or still can: the last one, since its address may
 * correct the previous one. EHF comes before e-mail, because it is in the buyer's books.
 */
export async function findArrivals(
  db: Db,
  { companyIds, invoiceIds }: { companyIds: readonly number[]; invoiceIds: readonly number[] },
): Promise<Arrival[]> {
  return (
    db
      .selectFrom('delivery')
      .distinctOn('invoiceId')
      .select(['invoiceId', 'deliveryType', 'recipient', 'copies', IS_OPEN.as('isUnderWay')])
      .select(IS_UNCONFIRMED.as('isUnconfirmed'))
      .where(sql<boolean>`company_id = ANY(${[...companyIds]}::bigint[])`)
      .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
      .where('reminderPrincipal', 'is', null)
      .where((delivery) =>
        delivery.or([delivery('status', '<>', 'FAILED'), delivery('mayHaveArrived', '=', true)]),
      )
      .orderBy('invoiceId')
      // Accepted deliveries come before those that may have arrived.
      .orderBy(sql`status = 'FAILED' OR ${IS_UNCONFIRMED}`)
      .orderBy(sql`delivery_type <> 'EHF'`)
      .orderBy('id', 'desc')
      .execute()
  );
}

/** Whether a delivery of an invoice to this recipient failed. */
export async function wasRefused(
  db: Db,
  { companyId, invoiceId, recipient }: { companyId: number; invoiceId: number; recipient: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('delivery')
    .select('id')
    .where('companyId', '=', companyId)
    .where('invoiceId', '=', invoiceId)
    .where('reminderPrincipal', 'is', null)
    .where('recipient', '=', recipient)
    .where('status', '=', 'FAILED')
    .where('stoppedBy', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export interface FailedFilter {
  /** Those that failed since; null for all. */
  readonly since: Date | null;
  /** A part of the reason, ignoring case. */
  readonly reason: string;
  readonly afterId: number;
  readonly most: number;
}

/** A failed delivery that no other followed. */
export type Failed = Pick<DeliveryRow, 'id' | 'companyId' | 'invoiceId'>;

/** The next failed deliveries of invoices, not of reminders, that no other followed; oldest first. */
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

/** A company's delivery by our name for it at its carrier. */
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
 * Like `findCarriedOf`, or by the carrier's reference, among all companies: for a notice without our name for the
 * delivery, and for deliveries sent before that name contained the company.
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

/** A delivery by the uuid that the operator has from the log, and whether a worker holds it. */
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

/** Days begin at midnight in Norway. */
const TOMORROW = sql`((now() AT TIME ZONE 'Europe/Oslo')::date + 1)::timestamp AT TIME ZONE 'Europe/Oslo'`;

/** Defers deliveries until tomorrow. */
export async function defer(
  db: Db,
  companyId: number,
  ids: readonly number[],
  reason: string,
): Promise<void> {
  await sql`
    UPDATE delivery SET deferred_until = ${TOMORROW}, waiting_reason = ${reason}
    WHERE company_id = ${companyId} AND id = ANY(${[...ids]}::bigint[])`.execute(db);
}

/** Makes deferred deliveries due at once. Returns their number. */
export async function endDeferral(db: Db, companyId: number): Promise<number> {
  const result = await db
    .updateTable('delivery')
    .set({ deferredUntil: sql`now()` })
    .where('companyId', '=', companyId)
    .where('deferredUntil', 'is not', null)
    .where(IS_OPEN)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Start of the day in which mails are counted, in Norway. */
const TODAY = sql`date_trunc('day', now(), 'Europe/Oslo')`;

/** The companies among these that an operator has freed from the limit. */
export async function findAllowed(db: Db, companyIds: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('deliveryAllowance')
    .select('companyId')
    .where(sql<boolean>`company_id = ANY(${[...companyIds]}::bigint[])`)
    .execute();
  return new Set(rows.map(({ companyId }) => companyId));
}

/** Frees a company from the limit. */
export async function allow(db: Db, companyId: number): Promise<void> {
  await db
    .insertInto('deliveryAllowance')
    .values({ companyId })
    .onConflict((conflict) => conflict.column('companyId').doNothing())
    .execute();
}

/** Locks the counting for this company until the transaction ends. */
export async function lockCounting(trx: Trx, companyId: number): Promise<void> {
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended('faktur delivery limit', ${companyId}))
  `.execute(trx);
}

/** Counts the deliveries that a company was allowed today, by address in lower case. */
export async function countToday(db: Db, companyId: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ address: string; many: number }>`
    SELECT lower(address) AS address, count(*)::integer AS many
    FROM delivery, unnest(recipient || copies) AS address
    WHERE company_id = ${companyId} AND counted_at >= ${TODAY}
    GROUP BY lower(address)`.execute(db);
  return new Map(rows.map(({ address, many }) => [address, many]));
}

/** Counts deliveries as allowed today. */
export async function count(db: Db, companyId: number, ids: readonly number[]): Promise<void> {
  await sql`
    UPDATE delivery SET counted_at = now()
    WHERE company_id = ${companyId} AND id = ANY(${[...ids]}::bigint[])`.execute(db);
}
