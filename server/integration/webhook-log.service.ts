import type { z } from 'zod';

import { PAGE_SIZE } from '../../domain/api/pages.ts';
import type {
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookLog,
  webhookLogQuery,
} from '../../domain/integration/webhook.schema.ts';
import type { Actor, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Db } from '../platform/db/database.ts';
import { pagesBeside } from '../platform/http/paging.ts';
import { testBody } from './webhook-body.ts';
import { insertMessages, lookAt } from './webhook-event.repository.ts';
import * as repository from './webhook-log.repository.ts';
import { findWebhooks, type WebhookId } from './webhook.repository.ts';
import { lockWebhook } from './webhook.service.ts';

/** A page of the messages to a webhook, the newest first. @throws AppError not_found */
export async function listDeliveries(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
  query: z.output<typeof webhookLogQuery>,
): Promise<WebhookLog> {
  const webhook = await requireWebhook(db, companyId, uuid);
  const { count, rows } = await repository.listDeliveries(db, webhook, query);
  const path = `/api/webhooks/${uuid}/deliveries/`;
  const asked = { page: query.page, state: query.state ?? undefined };
  return {
    count,
    ...pagesBeside(path, asked, { count, size: PAGE_SIZE }),
    results: rows.map(toDelivery),
  };
}

/** A message with its body and attempts. @throws AppError not_found */
export async function getDelivery(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
  deliveryUuid: string,
): Promise<WebhookDeliveryDetail> {
  const webhook = await requireWebhook(db, companyId, uuid);
  const row = await repository.findDelivery(db, webhook, deliveryUuid);
  if (!row) throw new AppError('not_found');
  return { ...toDelivery(row), body: row.body, tries: [...row.tries] };
}

/** Sends a test, once when the webhook is off. @throws AppError not_found */
export async function sendTest(
  { db }: Context,
  { companyId, companyUuid }: Actor,
  uuid: string,
): Promise<WebhookDelivery> {
  return db.transaction().execute(async (trx) => {
    const { id: webhookId, active } = await lockWebhook(trx, companyId, uuid);
    const [added = ''] = await insertMessages(trx, companyId, [
      { webhookId, type: 'webhook.test', body: testBody(companyUuid), isSingle: !active },
    ]);
    const row = await repository.findDelivery(trx, { companyId, webhookId }, added);
    if (!row) throw new Error('The new message is not there');
    return toDelivery(row);
  });
}

/**
 * Sends a message once more: one attempt, with the same id and body.
 * @throws AppError not_found, webhook_off, webhook_delivery_waits
 */
export async function resend(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
  deliveryUuid: string,
): Promise<WebhookDelivery> {
  return db.transaction().execute(async (trx) => {
    const { id: webhookId, active } = await lockWebhook(trx, companyId, uuid);
    const row = await repository.findDelivery(trx, { companyId, webhookId }, deliveryUuid);
    if (!row) throw new AppError('not_found');
    if (!active) throw new AppError('webhook_off');
    if (row.state === 'WAITING') throw new AppError('webhook_delivery_waits');
    const sent = await repository.sendOnceMore(trx, companyId, row.id);
    await lookAt(trx, companyId, [webhookId]);
    return toDelivery(sent);
  });
}

/** Deletes old messages (INT-24). */
export async function deleteOldMessages({ db }: Pick<Context, 'db'>): Promise<void> {
  await repository.deleteOld(db);
}

async function requireWebhook(db: Db, companyId: number, uuid: string): Promise<WebhookId> {
  const [row] = await findWebhooks(db, companyId, uuid);
  if (!row) throw new AppError('not_found');
  return { companyId, webhookId: row.id };
}

function toDelivery(row: repository.ListedDelivery): WebhookDelivery {
  return {
    uuid: row.uuid,
    type: row.type,
    createdAt: row.createdAt.toISOString(),
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
  };
}
