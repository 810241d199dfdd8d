import { sql } from 'kysely';

import type { Db, Trx } from '../../../platform/db/database.ts';

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
