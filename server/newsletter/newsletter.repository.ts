import { sql } from 'kysely';

import type { Db, Trx } from '../db/database.ts';
import type { Row } from '../db/tables.ts';

type SubscriberRow = Row<'newsletterSubscriber', 'id' | 'uuid' | 'email'>;

/** Subscribes an address; null when it subscribes already. */
export async function subscribe(trx: Trx, email: string): Promise<SubscriberRow | null> {
  const row = await trx
    .insertInto('newsletterSubscriber')
    .values({ email })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .doUpdateSet({ unsubscribedAt: null })
        .where('newsletterSubscriber.unsubscribedAt', 'is not', null),
    )
    .returning(['id', 'uuid', 'email'])
    .executeTakeFirst();
  return row ?? null;
}

export async function findSubscriber(db: Db, id: number): Promise<SubscriberRow | null> {
  const row = await db
    .selectFrom('newsletterSubscriber')
    .select(['id', 'uuid', 'email'])
    .where('id', '=', id)
    .where('unsubscribedAt', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Ends a subscription, however often it is asked; false when there never was one. */
export async function unsubscribe(db: Db, uuid: string): Promise<boolean> {
  const result = await db
    .updateTable('newsletterSubscriber')
    .set({ unsubscribedAt: sql`coalesce(unsubscribed_at, now())` })
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
