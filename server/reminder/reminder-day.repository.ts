import { sql } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { Db } from '../platform/db/database.ts';

/** Returns those of these companies that are not finished on a day. */
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

/** Notes that automation has finished a company for the day. */
export async function finishDay(db: Db, companyId: number, today: IsoDate): Promise<void> {
  await db
    .insertInto('reminderDay')
    .values({ companyId, finishedOn: today })
    .onConflict((conflict) => conflict.column('companyId').doUpdateSet({ finishedOn: today }))
    .execute();
}

/** The date of the last mail to the owner and the number of waiting reminders in it. */
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

/** Notes the date and number of the mail to the owner. */
export async function noteTold(
  db: Db,
  companyId: number,
  notice: { readonly toldOn: IsoDate | null; readonly toldMany: number },
): Promise<void> {
  await db
    .insertInto('reminderDay')
    .values({ companyId, ...notice })
    .onConflict((conflict) => conflict.column('companyId').doUpdateSet(notice))
    .execute();
}
