import { randomUUID } from 'node:crypto';

import type { Context } from '../context.ts';
import { webhookNoticeJob } from '../platform/jobs/jobs.ts';
import type { Answer, WebhookClient } from './webhook-client.ts';
import { isSuccess, waitAfter } from './webhook-plan.ts';
import { openSecret } from './webhook-secret.ts';
import * as repository from './webhook-sending.repository.ts';
import type { Lease } from './webhook-sending.repository.ts';
import { disable, holdWebhook, type WebhookId } from './webhook.repository.ts';

/** Messages to one webhook at a time (INT-23). */
const MOST_AT_ONCE = 2;
/** Days without success after which a webhook is turned off (INT-23). */
const FAILING_DAYS = 5;
/** Webhooks of one look. */
const MOST_FOUND = 200;
/** The receiver wants nothing more. */
const GONE = 410;

/**
 * Sends one message of a webhook that is due; false when there is none. A worker that dies leaves it to others after the
 * lease: it may arrive twice, and is never lost.
 */
export async function sendNext(
  context: Pick<Context, 'config' | 'db' | 'jobs'>,
  client: WebhookClient,
  webhook: WebhookId,
): Promise<boolean> {
  const { db } = context;
  const lease = await db
    .transaction()
    .execute(async (trx) => repository.leaseMessage(trx, webhook, MOST_AT_ONCE));
  if (!lease) return false;
  const at = new Date().toISOString();
  const began = performance.now();
  const answer = await attempt(context, client, lease);
  await record(context, lease, answer, { at, milliseconds: Math.round(performance.now() - began) });
  return true;
}

/** The webhooks for which something is due, those that work first. */
export async function findDue({ db }: Pick<Context, 'db'>): Promise<repository.DueWebhook[]> {
  return repository.findDueWebhooks(db, MOST_FOUND);
}

async function attempt(
  { config }: Pick<Context, 'config'>,
  client: WebhookClient,
  { url, uuid, body, secret, previousSecret }: Lease,
): Promise<Answer> {
  const kept = previousSecret ? [secret, previousSecret] : [secret];
  let secrets: Buffer[];
  try {
    secrets = kept.map((one) => openSecret(config.secretKey, one));
  } catch {
    return { status: null, error: 'SECRET_UNREADABLE', response: '', retryAfter: null };
  }
  return client.post(url, { id: `msg_${uuid.replaceAll('-', '')}`, body, secrets });
}

/** Records an attempt, and turns off a webhook that is gone or has failed for too long. */
async function record(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  lease: Lease,
  { retryAfter, ...answer }: Answer,
  times: { readonly at: string; readonly milliseconds: number },
): Promise<void> {
  const { companyId, webhookId, type, attempts, isSingle } = lease;
  const isDelivered = isSuccess(answer);
  const isGone = answer.status === GONE;
  const isLast = isDelivered || isSingle || isGone;
  const retryIn = isLast ? null : waitAfter(attempts, retryAfter);
  await db.transaction().execute(async (trx) => {
    await holdWebhook(trx, lease);
    await repository.saveOutcome(trx, lease, { ...times, ...answer, retryIn, isDelivered });
    if (isDelivered) await repository.noteSuccess(trx, lease);
    else if (isGone) await disable(trx, lease, 'GONE');
    else if (
      type !== 'webhook.test' &&
      (await repository.noteFailure(trx, lease, FAILING_DAYS)) &&
      (await disable(trx, lease, 'FAILING'))
    ) {
      const messageUuid = randomUUID();
      await jobs.enqueue(trx, webhookNoticeJob, { companyId, webhookId, messageUuid });
    }
  });
}
