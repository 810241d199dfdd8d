import { sql } from 'kysely';

import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import { IS_OPEN, IS_UNCONFIRMED, type DeliveryRow } from './delivery.rows.ts';
import type { Db, Trx } from '../platform/db/database.ts';

type Deferred = Pick<DeliveryRow, 'id' | 'companyId' | 'recipient' | 'copies' | 'deliveryType'>;

/** Companies with deferred deliveries that are due. */
export async function findDueCompanies(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('delivery')
    .select('companyId')
    .distinct()
    .where('deferredUntil', 'is not', null)
    .where(sql<boolean>`deferred_until <= now()`)
    .where(IS_OPEN)
    .execute();
  return rows.map(({ companyId }) => companyId);
}

/** Ends the deferral of a company's oldest due deliveries. */
export async function takeDue(trx: Trx, companyId: number, most: number): Promise<Deferred[]> {
  const { rows } = await sql<Deferred>`
    UPDATE delivery SET deferred_until = NULL, waiting_reason = NULL
    WHERE company_id = ${companyId} AND id IN (
      SELECT id FROM delivery
      WHERE company_id = ${companyId} AND deferred_until <= now() AND ${IS_OPEN}
      ORDER BY id LIMIT ${most} FOR UPDATE
    )
    RETURNING id, company_id, recipient, copies, delivery_type`.execute(trx);
  return rows.toSorted((left, right) => left.id - right.id);
}

/** Leaves new deliveries to housekeeping, for a command without a job queue. */
export async function leaveToHousekeeping(
  trx: Trx,
  companyId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`
    UPDATE delivery SET deferred_until = now()
    WHERE company_id = ${companyId} AND id = ANY(${[...ids]}::bigint[])`.execute(trx);
}

export interface Waiting extends Pick<DeliveryRow, 'id' | 'companyId' | 'deliveryType'> {
  /** The database's text, with microseconds. */
  readonly madeAt: string;
}

/** The next deliveries older than this many seconds that have yet to reach an address, oldest first. */
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
    .where(sql<boolean>`(status = 'QUEUED' OR cardinality(remaining) > 0)`)
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

/** The next SENT deliveries that are due to be polled. */
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

/** Counts queued and deferred deliveries; each count has an index. */
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

/** Counts all deliveries that ever failed, without those that were stopped. */
export async function countFailed(db: Db): Promise<number> {
  const { rows } = await sql<{ failed: number }>`
    SELECT count(*) AS failed FROM delivery
    WHERE status = 'FAILED' AND stopped_by IS NULL`.execute(db);
  return rows[0]?.failed ?? 0;
}

/** Deliveries by EHF without a result for days, oldest first. */
export async function findOverdue(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('delivery')
    .select('uuid')
    .where(IS_UNCONFIRMED)
    .orderBy('createdAt')
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Releases all deliveries of these types. Called at start, when no other worker runs. */
export async function releaseAll(db: Db, types: readonly DeliveryType[]): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ leasedUntil: null, mayHaveArrived: true })
    .where(sql<boolean>`(status = 'QUEUED' OR cardinality(remaining) > 0)`)
    .where('deliveryType', 'in', types)
    .where('leasedUntil', 'is not', null)
    .execute();
}

/** Whether a company has a delivery that is under way, to any of its addresses. */
export async function hasQueued(db: Db, companyId: number): Promise<boolean> {
  const row = await db
    .selectFrom('delivery')
    .select('id')
    .where('companyId', '=', companyId)
    .where(sql<boolean>`(status = 'QUEUED' OR cardinality(remaining) > 0)`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
