import { sql, type Insertable } from 'kysely';

import type { Db, Trx } from '../../../platform/db/database.ts';
import type { Tables } from '../../../platform/db/tables.ts';

export async function hasEvidence(
  db: Db,
  { companyId, deliveryId }: { companyId: number; deliveryId: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('peppolEvidence')
    .select('deliveryId')
    .where('companyId', '=', companyId)
    .where('deliveryId', '=', deliveryId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps an evidence; false when there was one. */
export async function insertEvidence(
  trx: Trx,
  evidence: Insertable<Tables['peppolEvidence']>,
): Promise<boolean> {
  const result = await trx
    .insertInto('peppolEvidence')
    .values(evidence)
    .onConflict((conflict) => conflict.columns(['companyId', 'deliveryId']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** How many documents were transmitted otherwise than we made them. */
export async function countDifferent(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('peppolEvidence')
    .select((evidence) => evidence.fn.countAll<number>().as('count'))
    .where(sql<boolean>`differences <> '{}'`)
    .executeTakeFirstOrThrow();
  return count;
}
