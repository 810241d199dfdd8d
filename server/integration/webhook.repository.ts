import { sql } from 'kysely';

import type {
  DisabledReason,
  EventType,
  WebhookForm,
  WebhookUpdate,
} from '../../domain/integration/webhook.schema.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

const COLUMNS = [
  'companyId',
  'id',
  'uuid',
  'url',
  'description',
  'events',
  'active',
  'createdAt',
  'lastSuccessAt',
  'failingSince',
  'disabledReason',
] as const;

/** A webhook without its secrets. */
export type WebhookRow = Row<'webhook', (typeof COLUMNS)[number]>;

/** A webhook of a company. */
export interface WebhookId {
  readonly companyId: number;
  readonly webhookId: number;
}

/** The webhooks of a company, the oldest first; or the one with this uuid. */
export async function findWebhooks(
  db: Db,
  companyId: number,
  uuid?: string,
): Promise<WebhookRow[]> {
  const query = db
    .selectFrom('webhook')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .orderBy('id');
  return (uuid === undefined ? query : query.where('uuid', '=', uuid)).execute();
}

/** Locks a webhook until the transaction ends. Every change of its messages begins with it. */
export async function lockWebhook(
  trx: Trx,
  companyId: number,
  uuid: string,
): Promise<WebhookRow | null> {
  const row = await trx
    .selectFrom('webhook')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function insertWebhook(
  trx: Trx,
  companyId: number,
  form: WebhookForm,
  secret: Buffer,
): Promise<WebhookRow> {
  return trx
    .insertInto('webhook')
    .values({ companyId, ...form, secret })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Saves what its owner decides. Turned on again it begins anew, and brings nothing back. */
export async function updateWebhook(
  trx: Trx,
  { companyId, id, active: wasActive }: WebhookRow,
  form: WebhookUpdate,
): Promise<WebhookRow> {
  const anew = form.active && !wasActive ? { failingSince: null, disabledReason: null } : {};
  return trx
    .updateTable('webhook')
    .set({ ...form, ...anew })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Removes a webhook with its messages; false when there is none. */
export async function deleteWebhook(trx: Trx, companyId: number, uuid: string): Promise<boolean> {
  const row = await trx
    .deleteFrom('webhook')
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Replaces the secret. The former one signs too for so many hours. */
export async function replaceSecret(
  trx: Trx,
  { companyId, id }: WebhookRow,
  secret: Buffer,
  hours: number,
): Promise<void> {
  await trx
    .updateTable('webhook')
    .set((webhook) => ({
      secret,
      previousSecret: webhook.ref('secret'),
      previousUntil: sql<Date>`now() + make_interval(hours => ${hours})`,
    }))
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** A webhook by its id; null when it was removed. */
export async function findById(
  db: Db,
  { companyId, webhookId }: WebhookId,
): Promise<WebhookRow | null> {
  const row = await db
    .selectFrom('webhook')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where('id', '=', webhookId)
    .executeTakeFirst();
  return row ?? null;
}

/** Locks a webhook until the transaction ends, if it still exists. */
export async function holdWebhook(trx: Trx, { companyId, webhookId }: WebhookId): Promise<void> {
  await trx
    .selectFrom('webhook')
    .select('id')
    .where('companyId', '=', companyId)
    .where('id', '=', webhookId)
    .forNoKeyUpdate()
    .execute();
}

/** Turns a webhook off by itself; false when it is off. The caller holds it. */
export async function disable(
  trx: Trx,
  { companyId, webhookId }: WebhookId,
  disabledReason: DisabledReason,
): Promise<boolean> {
  const row = await trx
    .updateTable('webhook')
    .set({ active: false, disabledReason })
    .where('companyId', '=', companyId)
    .where('id', '=', webhookId)
    .where('active', '=', true)
    .returning('id')
    .executeTakeFirst();
  if (row) await cancelWaiting(trx, { companyId, webhookId });
  return row !== undefined;
}

/** Cancels what waits. The caller holds the webhook. */
export async function cancelWaiting(trx: Trx, { companyId, webhookId }: WebhookId): Promise<void> {
  await trx
    .updateTable('webhookDelivery')
    .set({ state: 'CANCELLED', nextAttemptAt: null })
    .where('companyId', '=', companyId)
    .where('webhookId', '=', webhookId)
    .where('state', '=', 'WAITING')
    .execute();
}

/** States which events are made at all. */
export async function saveSwitch(db: Db, types: readonly EventType[]): Promise<void> {
  await sql`UPDATE webhook_switch SET types = ${[...types]}::text[]
    WHERE types <> ${[...types]}::text[]`.execute(db);
}
