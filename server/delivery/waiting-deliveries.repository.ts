import { sql } from 'kysely';

import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import { IS_UNCONFIRMED, type DeliveryRow } from './delivery.rows.ts';
import type { Db, Trx } from '../platform/db/database.ts';

/** A delivery that was put off. */
type Deferred = Pick<DeliveryRow, 'id' | 'companyId' | 'recipient' | 'deliveryType'>;

/** Days begin at midnight in Norway. */
const TOMORROW = sql`((now() AT TIME ZONE 'Europe/Oslo')::date + 1)::timestamp AT TIME ZONE 'Europe/Oslo'`;

/** Puts deliveries off until the day is over. */
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

/** Companies with deliveries that were put off until now. */
export async function findDueCompanies(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('delivery')
    .select('companyId')
    .distinct()
    .where('deferredUntil', 'is not', null)
    .where(sql<boolean>`deferred_until <= now()`)
    .where('status', '=', 'QUEUED')
    .execute();
  return rows.map(({ companyId }) => companyId);
}

/** Ends the waiting of a company's oldest deliveries that were put off until now. */
export async function takeDue(trx: Trx, companyId: number, most: number): Promise<Deferred[]> {
  const { rows } = await sql<Deferred>`
    UPDATE delivery SET deferred_until = NULL, waiting_reason = NULL
    WHERE company_id = ${companyId} AND id IN (
      SELECT id FROM delivery
      WHERE company_id = ${companyId} AND deferred_until <= now() AND status = 'QUEUED'
      ORDER BY id LIMIT ${most} FOR UPDATE
    )
    RETURNING id, company_id, recipient, delivery_type`.execute(trx);
  return rows.toSorted((left, right) => left.id - right.id);
}

/** Ends a day early: what was put off is looked at again at once. Returns how many. */
export async function endDeferral(db: Db, companyId: number): Promise<number> {
  const result = await db
    .updateTable('delivery')
    .set({ deferredUntil: sql`now()` })
    .where('companyId', '=', companyId)
    .where('deferredUntil', 'is not', null)
    .where('status', '=', 'QUEUED')
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Leaves new deliveries to housekeeping, for a command that has no queue of jobs. */
export async function leaveToHousekeeping(
  trx: Trx,
  companyId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`
    UPDATE delivery SET deferred_until = now()
    WHERE company_id = ${companyId} AND id = ANY(${[...ids]}::bigint[])`.execute(trx);
}

/** The day that mails are counted in: from midnight to midnight in Norway. */
const TODAY = sql`date_trunc('day', now(), 'Europe/Oslo')`;

/** Which of these companies an operator lets mail as much as they like. */
export async function findAllowed(db: Db, companyIds: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('deliveryAllowance')
    .select('companyId')
    .where(sql<boolean>`company_id = ANY(${[...companyIds]}::bigint[])`)
    .execute();
  return new Set(rows.map(({ companyId }) => companyId));
}

/** Lets a company mail as much as it likes. Doing it twice changes nothing. */
export async function allow(db: Db, companyId: number): Promise<void> {
  await db
    .insertInto('deliveryAllowance')
    .values({ companyId })
    .onConflict((conflict) => conflict.column('companyId').doNothing())
    .execute();
}

/** Keeps others from counting for this company until the transaction ends. */
export async function lockCounting(trx: Trx, companyId: number): Promise<void> {
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended('faktur delivery limit', ${companyId}))
  `.execute(trx);
}

/** How many deliveries a company was let mail today, by address in lower case. */
export async function countToday(db: Db, companyId: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ address: string; many: number }>`
    SELECT lower(recipient) AS address, count(*)::integer AS many FROM delivery
    WHERE company_id = ${companyId} AND counted_at >= ${TODAY}
    GROUP BY lower(recipient)`.execute(db);
  return new Map(rows.map(({ address, many }) => [address, many]));
}

/** Counts deliveries among those of today. */
export async function count(db: Db, companyId: number, ids: readonly number[]): Promise<void> {
  await sql`
    UPDATE delivery SET counted_at = now()
    WHERE company_id = ${companyId} AND id = ANY(${[...ids]}::bigint[])`.execute(db);
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

/** Lets go of every delivery of these types: no worker of before can be alive. */
export async function releaseAll(db: Db, types: readonly DeliveryType[]): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ leasedUntil: null, mayHaveArrived: true })
    .where('status', '=', 'QUEUED')
    .where('deliveryType', 'in', types)
    .where('leasedUntil', 'is not', null)
    .execute();
}
