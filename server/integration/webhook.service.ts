import {
  MOST_WEBHOOKS,
  type Webhook,
  type WebhookForm,
  type WebhookUpdate,
  type WebhookWithSecret,
} from '../../domain/integration/webhook.schema.ts';
import { lockCompany } from '../company/profile.repository.ts';
import type { Actor, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { namesPrivateAddress, type WebhookClient } from './webhook-client.ts';
import { makeSecret } from './webhook-secret.ts';
import * as repository from './webhook.repository.ts';
import type { WebhookRow } from './webhook.repository.ts';

/** Hours that a former secret still signs (INT-16). */
const ROTATION_HOURS = 24;

/** The company's webhooks, the oldest first. */
export async function listWebhooks({ db }: Context, { companyId }: Actor): Promise<Webhook[]> {
  return (await repository.findWebhooks(db, companyId)).map(toWebhook);
}

/** One webhook. @throws AppError not_found */
export async function getWebhook(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
): Promise<Webhook> {
  const [row] = await repository.findWebhooks(db, companyId, uuid);
  if (!row) throw new AppError('not_found');
  return toWebhook(row);
}

/** Adds a webhook. Its secret is told only here. @throws AppError too_many_webhooks, and those of its address */
export async function createWebhook(
  { config, db }: Context,
  { companyId }: Actor,
  form: WebhookForm,
  client: WebhookClient,
): Promise<WebhookWithSecret> {
  judgeUrl(form.url, client);
  const secret = makeSecret(config.secretKey);
  return db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    const { length } = await repository.findWebhooks(trx, companyId);
    if (length >= MOST_WEBHOOKS) throw new AppError('too_many_webhooks');
    const row = await repository.insertWebhook(trx, companyId, form, secret.kept);
    return { ...toWebhook(row), secret: secret.shown };
  });
}

/** Changes a webhook. Turned off, what waits is cancelled. @throws AppError not_found, and those of its address */
export async function updateWebhook(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
  form: WebhookUpdate,
  client: WebhookClient,
): Promise<Webhook> {
  judgeUrl(form.url, client);
  return db.transaction().execute(async (trx) => {
    const row = await lockWebhook(trx, companyId, uuid);
    if (!form.active) await repository.cancelWaiting(trx, { companyId, webhookId: row.id });
    return toWebhook(await repository.updateWebhook(trx, row, form));
  });
}

/** Removes a webhook with its log. @throws AppError not_found */
export async function deleteWebhook(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
): Promise<undefined> {
  await db.transaction().execute(async (trx) => {
    if (!(await repository.deleteWebhook(trx, companyId, uuid))) throw new AppError('not_found');
  });
}

/** Makes a new secret; the former one signs too for a day. @throws AppError not_found */
export async function rotateSecret(
  { config, db }: Context,
  { companyId }: Actor,
  uuid: string,
): Promise<WebhookWithSecret> {
  const secret = makeSecret(config.secretKey);
  return db.transaction().execute(async (trx) => {
    const row = await lockWebhook(trx, companyId, uuid);
    await repository.replaceSecret(trx, row, secret.kept, ROTATION_HOURS);
    return { ...toWebhook(row), secret: secret.shown };
  });
}

/** Holds a webhook until the transaction ends. @throws AppError not_found */
export async function lockWebhook(
  ...args: Parameters<typeof repository.lockWebhook>
): Promise<WebhookRow> {
  const row = await repository.lockWebhook(...args);
  if (!row) throw new AppError('not_found');
  return row;
}

/** A name is judged at each attempt (INT-15). @throws AppError webhook_not_https, webhook_not_public */
function judgeUrl(text: string, client: WebhookClient): void {
  const url = new URL(text);
  if (client.isListed(url)) return;
  if (url.protocol !== 'https:') throw new AppError('webhook_not_https', { field: 'url' });
  if (namesPrivateAddress(url)) throw new AppError('webhook_not_public', { field: 'url' });
}

function toWebhook(row: WebhookRow): Webhook {
  return {
    uuid: row.uuid,
    url: row.url,
    description: row.description,
    events: [...row.events],
    active: row.active,
    createdAt: row.createdAt.toISOString(),
    lastSuccessAt: row.lastSuccessAt?.toISOString() ?? null,
    failingSince: row.failingSince?.toISOString() ?? null,
    disabledReason: row.disabledReason,
  };
}
