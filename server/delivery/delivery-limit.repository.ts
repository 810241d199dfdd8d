import { sql } from 'kysely';

import type { Db, Trx } from '../db/database.ts';

/** A delivery that is about to be let go, or that waits to be. */
export interface Waiting {
  readonly id: number;
  readonly companyId: number;
  readonly recipient: string;
}

/** The day that mails are counted in: from midnight to midnight in Norway. */
const TODAY = sql`date_trunc('day', now(), 'Europe/Oslo')`;
const TOMORROW = sql`((now() AT TIME ZONE 'Europe/Oslo')::date + 1)::timestamp AT TIME ZONE 'Europe/Oslo'`;

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
export async function takeDue(trx: Trx, companyId: number, most: number): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    UPDATE delivery SET deferred_until = NULL, waiting_reason = NULL
    WHERE id IN (
      SELECT id FROM delivery
      WHERE company_id = ${companyId} AND deferred_until <= now() AND status = 'QUEUED'
      ORDER BY id LIMIT ${most} FOR UPDATE
    )
    RETURNING id, company_id, recipient`.execute(trx);
  return rows.toSorted((left, right) => left.id - right.id);
}

/** Ends a day early: what was put off is looked at again at once. Returns how many. */
export async function endWaiting(db: Db, companyId: number): Promise<number> {
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
export async function leaveToHousekeeping(trx: Trx, ids: readonly number[]): Promise<void> {
  await sql`
    UPDATE delivery SET deferred_until = now() WHERE id = ANY(${[...ids]}::bigint[])
  `.execute(trx);
}
