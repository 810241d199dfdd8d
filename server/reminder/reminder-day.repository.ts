import { sql } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { Db } from '../platform/db/database.ts';

/** Those of these companies that have not been looked through on a day. */
export async function findUnfinished(
  db: Db,
  companyIds: readonly number[],
  today: IsoDate,
): Promise<number[]> {
  const rows = await db
    .selectFrom('reminderDay')
    .select('companyId')
    .where(sql<boolean>`company_id = ANY(${[...companyIds]}::bigint[])`)
    .where('finishedOn', '>=', today)
    .execute();
  const finished = new Set(rows.map(({ companyId }) => companyId));
  return companyIds.filter((companyId) => !finished.has(companyId));
}

/** Notes that a company has been looked through today. */
export async function finishDay(db: Db, companyId: number, today: IsoDate): Promise<void> {
  await db
    .insertInto('reminderDay')
    .values({ companyId, finishedOn: today })
    .onConflict((conflict) => conflict.column('companyId').doUpdateSet({ finishedOn: today }))
    .execute();
}

/** What the owner was told last of what waits, and when. */
export async function findTold(
  db: Db,
  companyId: number,
): Promise<{ toldOn: IsoDate | null; toldMany: number }> {
  const row = await db
    .selectFrom('reminderDay')
    .select(['toldOn', 'toldMany'])
    .where('companyId', '=', companyId)
    .executeTakeFirst();
  return row ?? { toldOn: null, toldMany: 0 };
}

/** Notes that the owner was told of so many. */
export async function noteTold(
  db: Db,
  companyId: number,
  told: { readonly toldOn: IsoDate | null; readonly toldMany: number },
): Promise<void> {
  await db
    .insertInto('reminderDay')
    .values({ companyId, ...told })
    .onConflict((conflict) => conflict.column('companyId').doUpdateSet(told))
    .execute();
}
