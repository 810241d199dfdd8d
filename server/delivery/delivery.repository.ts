import { sql } from 'kysely';

import type { StoppedBy } from '../../domain/delivery/delivery.schema.ts';
import type { Db, Trx } from '../db/database.ts';
import type { DeliveryRow } from './delivery.rows.ts';

/** A delivery to be made. */
export interface NewDelivery {
  readonly uuid: string;
  readonly companyId: number;
  readonly invoiceId: number;
  readonly recipient: string;
  readonly messageId: string;
  /** Why it fails before it begins, if it does. */
  readonly failureReason: string | null;
  readonly stoppedBy: StoppedBy | null;
  /** Whether it was asked for though the invoice is paid, or was never sent to be credited. */
  readonly forced: boolean;
}

/** What the invoice's history tells of a delivery. */
export const TOLD = ['companyId', 'invoiceId', 'deliveryType', 'recipient'] as const;
export type Told = Pick<DeliveryRow, (typeof TOLD)[number]>;

type Made = Told & Pick<DeliveryRow, 'id' | 'status' | 'failureReason' | 'stoppedBy'>;

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

/** Adds e-mail deliveries. */
export async function insertDeliveries(
  trx: Trx,
  deliveries: readonly NewDelivery[],
): Promise<Made[]> {
  const records = deliveries.map((delivery) => ({
    uuid: delivery.uuid,
    company_id: delivery.companyId,
    invoice_id: delivery.invoiceId,
    recipient: delivery.recipient,
    message_id: delivery.messageId,
    failure_reason: delivery.failureReason,
    stopped_by: delivery.stoppedBy,
    forced: delivery.forced,
  }));
  const { rows } = await sql<Made>`
    INSERT INTO delivery (
      uuid, company_id, invoice_id, delivery_type, status, recipient, message_id, failure_reason,
      failed_at, stopped_by, forced
    )
    SELECT uuid, company_id, invoice_id, 'EMAIL',
      CASE WHEN failure_reason IS NULL THEN 'QUEUED' ELSE 'FAILED' END,
      recipient, message_id, failure_reason, CASE WHEN failure_reason IS NOT NULL THEN now() END,
      stopped_by, forced
    FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS given (
      uuid uuid, company_id bigint, invoice_id bigint, recipient text, message_id text,
      failure_reason text, stopped_by text, forced boolean
    )
    RETURNING id, company_id, invoice_id, delivery_type, recipient, status, failure_reason, stopped_by`.execute(
    trx,
  );
  return rows;
}

/** Deliveries by id, in no order; the unknown are missing. */
export async function findByIds(db: Db, ids: readonly number[]): Promise<DeliveryRow[]> {
  return db
    .selectFrom('delivery')
    .selectAll()
    .where(sql<boolean>`id = ANY(${[...ids]}::bigint[])`)
    .execute();
}

/** A delivery that this worker holds. */
export interface Lease {
  readonly id: number;
  readonly companyId: number;
  readonly invoiceId: number;
  readonly forced: boolean;
  /** Whether a try before this one may have reached its recipient, though nobody recorded it. */
  readonly mayHaveArrived: boolean;
  /** Which try this is, from 1. It tells this lease from a later one of the same delivery. */
  readonly attempts: number;
  /** How many of these tries no mail was to blame for. */
  readonly excusedAttempts: number;
}

/**
 * Takes deliveries for this worker for so many milliseconds, all but those that are done or that
 * another worker has. The clock is the database's, so that workers agree.
 */
export async function leaseDeliveries(
  db: Db,
  ids: readonly number[],
  milliseconds: number,
): Promise<Lease[]> {
  const { rows } = await sql<Lease>`
    UPDATE delivery SET
      leased_until = now() + make_interval(secs => ${milliseconds / 1000}),
      -- A lease that nobody gave back is of a worker that died, perhaps with the mail accepted.
      may_have_arrived = may_have_arrived OR leased_until IS NOT NULL,
      attempts = attempts + 1
    WHERE id IN (
      SELECT id FROM delivery
      WHERE id = ANY(${[...ids]}::bigint[]) AND status = 'QUEUED'
        AND (leased_until IS NULL OR leased_until < now())
      FOR UPDATE SKIP LOCKED
    )
    RETURNING id, company_id, invoice_id, forced, may_have_arrived, attempts, excused_attempts
  `.execute(db);
  return rows;
}

/** Why a try came to nothing, and the next is waited for. */
interface Setback {
  /** In Norwegian, for the screen. */
  readonly reason: string | null;
  /** Whether the try counts against the delivery. */
  readonly isExcused: boolean;
}

/** Lets go of a delivery, unless another worker has it by now. */
export async function releaseDelivery(
  db: Db,
  lease: Lease,
  { reason, isExcused }: Setback,
): Promise<void> {
  await db
    .updateTable('delivery')
    .set((delivery) => ({
      leasedUntil: null,
      mayHaveArrived: lease.mayHaveArrived,
      waitingReason: reason,
      excusedAttempts: delivery('excusedAttempts', '+', isExcused ? 1 : 0),
    }))
    .where('companyId', '=', lease.companyId)
    .where('id', '=', lease.id)
    .where('attempts', '=', lease.attempts)
    .where('status', '=', 'QUEUED')
    .execute();
}

/** Counts a try that came to nothing before its lease; null when another worker has it. */
export async function countAttempt(db: Db, id: number): Promise<Lease | null> {
  const row = await db
    .updateTable('delivery')
    .set((delivery) => ({ attempts: delivery('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'QUEUED')
    .where(sql<boolean>`(leased_until IS NULL OR leased_until < now())`)
    .returning([
      'id',
      'companyId',
      'invoiceId',
      'forced',
      'mayHaveArrived',
      'attempts',
      'excusedAttempts',
    ])
    .executeTakeFirst();
  return row ?? null;
}

/** Lets go of every delivery: no worker of before can be alive. */
export async function releaseAll(db: Db): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ leasedUntil: null, mayHaveArrived: true })
    .where('status', '=', 'QUEUED')
    .where('leasedUntil', 'is not', null)
    .execute();
}

/** A mail that was accepted. */
export interface Acceptance {
  readonly id: number;
  readonly companyId: number;
  readonly providerId: string | null;
}

/** Marks one company's deliveries as accepted by the mail server. Returns those that were not before. */
export async function markSent(db: Db, accepted: readonly Acceptance[]): Promise<Told[]> {
  const ids = accepted.map(({ id }) => id);
  const providerIds = accepted.map(({ providerId }) => providerId);
  // By id and by no other index: one of what is under way looks small to a planner, and is not. And
  // not joined to what is given, for which a planner reads all deliveries.
  const { rows } = await sql<Told>`
    UPDATE delivery SET status = 'SENT', sent_time = now(), leased_until = NULL,
      provider_id = (${providerIds}::text[])[array_position(${ids}::bigint[], id)]
    WHERE id = ANY(${ids}::bigint[]) AND status || '' = 'QUEUED'
    RETURNING company_id, invoice_id, delivery_type, recipient`.execute(db);
  return rows;
}

/** What a delivery ends with that was not accepted. */
export interface Failure {
  readonly failureReason: string;
  readonly stoppedBy?: StoppedBy;
}

/** Gives up a delivery, unless another worker has it by now: then nothing is returned. */
export async function giveUp(db: Db, lease: Lease, failure: Failure): Promise<Told[]> {
  const { mayHaveArrived } = lease;
  return db
    .updateTable('delivery')
    .set({
      status: 'FAILED',
      failedAt: sql`now()`,
      leasedUntil: null,
      mayHaveArrived,
      ...failure,
    })
    .where('companyId', '=', lease.companyId)
    .where('id', '=', lease.id)
    .where('attempts', '=', lease.attempts)
    .where('status', '=', 'QUEUED')
    .returning(TOLD)
    .execute();
}

/** Marks a delivery as failed that came back. Returns nothing when it had failed before. */
export async function markFailed(db: Db, id: number, failureReason: string): Promise<Told[]> {
  return db
    .updateTable('delivery')
    .set({ status: 'FAILED', failureReason, failedAt: sql`now()`, leasedUntil: null })
    .where('id', '=', id)
    .where('status', '<>', 'FAILED')
    .returning(TOLD)
    .execute();
}

export interface FailedFilter {
  /** Those that failed since; null for all. */
  readonly since: Date | null;
  /** What the reason must contain, in any case. */
  readonly reason: string;
  readonly afterId: number;
  readonly most: number;
}

/** A delivery that failed, and that nothing came after. */
export type Failed = Pick<DeliveryRow, 'id' | 'companyId' | 'invoiceId'>;

/** The next failed deliveries that nothing came after, oldest first. */
export async function findFailed(
  db: Db,
  { since, reason, afterId, most }: FailedFilter,
): Promise<Failed[]> {
  const { rows } = await sql<Failed>`
    SELECT id, company_id, invoice_id FROM delivery
    WHERE status = 'FAILED' AND stopped_by IS NULL AND id > ${afterId}
      AND COALESCE(failed_at, created_at) >= COALESCE(${since}::timestamptz, '-infinity')
      AND position(lower(${reason}) IN lower(failure_reason)) > 0
      AND NOT EXISTS (
        SELECT FROM delivery later WHERE later.company_id = delivery.company_id
          AND later.invoice_id = delivery.invoice_id AND later.id > delivery.id)
    ORDER BY id LIMIT ${most}`.execute(db);
  return rows;
}

/** The next deliveries that have waited long enough for their job to be doubted. */
export async function findWaiting(
  db: Db,
  { olderThan, afterId, most }: { olderThan: number; afterId: number; most: number },
): Promise<{ id: number; companyId: number }[]> {
  return db
    .selectFrom('delivery')
    .select(['id', 'companyId'])
    .where('status', '=', 'QUEUED')
    .where('deferredUntil', 'is', null)
    .where(sql<boolean>`created_at < now() - make_interval(secs => ${olderThan})`)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(most)
    .execute();
}

interface Unsent {
  readonly queued: number;
  readonly deferred: number;
  readonly failed: number;
}

/** How many deliveries are under way, put off, and failed. Each has an index of its own. */
export async function countUnsent(db: Db): Promise<Unsent> {
  const { rows } = await sql<Unsent>`
    SELECT
      (SELECT count(*) FROM delivery
       WHERE status = 'QUEUED' AND deferred_until IS NULL)::integer AS queued,
      (SELECT count(*) FROM delivery
       WHERE status = 'QUEUED' AND deferred_until IS NOT NULL)::integer AS deferred,
      (SELECT count(*) FROM delivery WHERE status = 'FAILED' AND stopped_by IS NULL)::integer
        AS failed`.execute(db);
  return rows[0] ?? { queued: 0, deferred: 0, failed: 0 };
}

/** The delivery that a notice is about, by our Message-ID or the mail server's own name for it. */
export async function findByMessage(
  db: Db,
  { messageId, providerId }: { messageId: string | null; providerId: string | null },
): Promise<DeliveryRow | null> {
  if (messageId === null && providerId === null) return null;
  const row = await db
    .selectFrom('delivery')
    .selectAll()
    .where((delivery) =>
      delivery.or([
        ...(messageId === null ? [] : [delivery('messageId', '=', messageId)]),
        ...(providerId === null ? [] : [delivery('providerId', '=', providerId)]),
      ]),
    )
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

/** Takes an address off every list of recipients, for good. */
export async function suppress(
  db: Db,
  email: string,
  reason: 'BOUNCE' | 'COMPLAINT',
): Promise<void> {
  await db
    .insertInto('suppressedAddress')
    .values({ email: email.toLowerCase(), reason })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
}

/** Which of these addresses get no more mail, in lower case. */
export async function findSuppressed(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('suppressedAddress')
    .select('email')
    .where(sql<boolean>`email = ANY(${emails.map((email) => email.toLowerCase())}::text[])`)
    .execute();
  return new Set(rows.map((row) => row.email));
}
