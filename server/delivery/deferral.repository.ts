import { sql } from 'kysely';

import type { Db, Trx } from '../platform/db/database.ts';
import type { DeliveryRow } from './delivery.rows.ts';

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
