import { sql, type Insertable } from 'kysely';

import type { Db } from '../../../platform/db/database.ts';
import type { Tables } from '../../../platform/db/tables.ts';

/** The names of a document: the access point's and ours. */
export interface Named {
  readonly key: string;
  readonly reference: string | null;
}

/** Keeps an event; again is no news. */
export async function keepEvent(db: Db, event: Insertable<Tables['peppolEvent']>): Promise<void> {
  await db
    .insertInto('peppolEvent')
    .values(event)
    .onConflict((conflict) => conflict.columns(['source', 'eventId']).doNothing())
    .execute();
}

/** The latest event of these names about a document. */
export async function findLatest(
  db: Db,
  { key, reference }: Named,
  names: readonly string[],
): Promise<{ name: string; details: string } | null> {
  const row = await db
    .selectFrom('peppolEvent')
    .select(['name', 'details'])
    .where((event) =>
      event.or([
        event('deliveryKey', '=', key),
        ...(reference === null ? [] : [event('reference', '=', reference)]),
      ]),
    )
    .where('name', 'in', names)
    .orderBy('receivedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The access point's name for a document, as its events gave it. */
export async function findReference(db: Db, key: string): Promise<string | null> {
  const row = await db
    .selectFrom('peppolEvent')
    .select('reference')
    .where('deliveryKey', '=', key)
    .where('reference', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row?.reference ?? null;
}

/** Forgets what no delivery will ask for any more. */
export async function forgetOld(db: Db, days: number): Promise<void> {
  await db
    .deleteFrom('peppolEvent')
    .where(sql<boolean>`received_at < now() - make_interval(days => ${days})`)
    .execute();
}
