import { sql } from 'kysely';

import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

type SubscriberRow = Row<'newsletterSubscriber', 'id' | 'uuid' | 'email'>;

/**
 * Subscribes an address, and returns whether it is new. The row is locked first, so that only one of two concurrent
 * calls gets new. The same statements run for every address, so that their time reveals nothing.
 */
export async function subscribe(trx: Trx, email: string): Promise<{ id: number; isNew: boolean }> {
  const made = await trx
    .insertInto('newsletterSubscriber')
    .values({ email })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  const { id, unsubscribedAt } = await trx
    .selectFrom('newsletterSubscriber')
    .select(['id', 'unsubscribedAt'])
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('newsletterSubscriber')
    .set({ unsubscribedAt: null })
    .where('id', '=', id)
    .execute();
  return { id, isNew: made !== undefined || unsubscribedAt !== null };
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

/** Ends a subscription; repeating it is no error. False when it never existed. */
export async function unsubscribe(db: Db, uuid: string): Promise<boolean> {
  const result = await db
    .updateTable('newsletterSubscriber')
    .set({ unsubscribedAt: sql`coalesce(unsubscribed_at, now())` })
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
