import { sql } from 'kysely';

import { PAGE_SIZE } from '../../domain/api/pages.ts';
import type { DeliveryState } from '../../domain/integration/webhook.schema.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import type { WebhookId } from './webhook.repository.ts';

/** How long messages are kept (INT-24). */
const KEPT_DAYS = 30;

const LISTED = [
  'id',
  'uuid',
  'type',
  'createdAt',
  'state',
  'attempts',
  'nextAttemptAt',
  'lastStatus',
  'lastError',
] as const;

export type ListedDelivery = Row<'webhookDelivery', (typeof LISTED)[number]>;

/** A page of a webhook's messages, the newest first, and how many there are. */
export async function listDeliveries(
  db: Db,
  { companyId, webhookId }: WebhookId,
  { page, state }: { readonly page: number; readonly state: DeliveryState | null },
): Promise<{ count: number; rows: ListedDelivery[] }> {
  const all = db
    .selectFrom('webhookDelivery')
    .where('companyId', '=', companyId)
    .where('webhookId', '=', webhookId);
  const query = state === null ? all : all.where('state', '=', state);
  const { count } = await query
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  const rows = await query
    .select(LISTED)
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
    .execute();
  return { count, rows };
}

/** A message with its body and attempts; null when the webhook has none with this uuid. */
export async function findDelivery(
  db: Db,
  { companyId, webhookId }: WebhookId,
  uuid: string,
): Promise<(ListedDelivery & Row<'webhookDelivery', 'body' | 'tries'>) | null> {
  const row = await db
    .selectFrom('webhookDelivery')
    .select(LISTED)
    .select(['body', 'tries'])
    .where('companyId', '=', companyId)
    .where('webhookId', '=', webhookId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row ?? null;
}

/** Lets a message go once more, now. The caller holds the webhook. */
export async function sendOnceMore(
  trx: Trx,
  companyId: number,
  id: number,
): Promise<ListedDelivery> {
  return trx
    .updateTable('webhookDelivery')
    .set({ state: 'WAITING', nextAttemptAt: sql<Date>`now()`, isSingle: true })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .returning(LISTED)
    .executeTakeFirstOrThrow();
}

/** Deletes what is older than 30 days and does not wait. */
export async function deleteOld(db: Db): Promise<void> {
  await db
    .deleteFrom('webhookDelivery')
    .where(sql<boolean>`created_at < now() - make_interval(days => ${KEPT_DAYS})`)
    .where('state', '<>', 'WAITING')
    .execute();
}
