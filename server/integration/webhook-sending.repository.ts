import { sql } from 'kysely';

import type { Attempt, MessageType } from '../../domain/integration/webhook.schema.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { WebhookId } from './webhook.repository.ts';

/** How long a worker holds a message: longer than an attempt may take (seconds). */
const LEASE = 30;
/** Attempts of a message that are kept. */
const KEPT_TRIES = 20;

/** A webhook for which something is due. */
export interface DueWebhook extends WebhookId {
  readonly isFailing: boolean;
}

/** Webhooks whose messages are due, those that work first. */
export async function findDueWebhooks(db: Db, most: number): Promise<DueWebhook[]> {
  const { rows } = await sql<DueWebhook>`
    SELECT company_id, id AS webhook_id, failing_since IS NOT NULL AS is_failing FROM webhook
    WHERE due_at <= now() ORDER BY failing_since IS NOT NULL, due_at LIMIT ${most}`.execute(db);
  return rows;
}

/** A message in the hands of this worker. */
export interface Lease extends WebhookId {
  readonly id: number;
  readonly uuid: string;
  readonly type: MessageType;
  readonly body: string;
  readonly attempts: number;
  readonly isSingle: boolean;
  readonly url: string;
  readonly secret: Uint8Array;
  /** Null, or the former secret while it still signs. */
  readonly previousSecret: Uint8Array | null;
}

/**
 * Leases a message that is due, unless so many of its webhook are under way; null when there is none. Then the webhook
 * is due again when something is.
 */
export async function leaseMessage(
  trx: Trx,
  { companyId, webhookId }: WebhookId,
  mostAtOnce: number,
): Promise<Lease | null> {
  const webhook = await trx
    .selectFrom('webhook')
    .select(['url', 'secret'])
    .select(
      sql<Uint8Array | null>`CASE WHEN previous_until > now() THEN previous_secret END`.as(
        'previousSecret',
      ),
    )
    .where('companyId', '=', companyId)
    .where('id', '=', webhookId)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!webhook) return null;
  const { rows } = await sql<Omit<Lease, keyof typeof webhook | keyof WebhookId>>`
    UPDATE webhook_delivery SET leased_until = now() + make_interval(secs => ${LEASE})
    WHERE company_id = ${companyId} AND id = (
      SELECT id FROM webhook_delivery
      WHERE company_id = ${companyId} AND webhook_id = ${webhookId} AND state = 'WAITING'
        AND next_attempt_at <= now() AND (leased_until IS NULL OR leased_until <= now())
        AND (SELECT count(*) FROM webhook_delivery held
          WHERE held.company_id = ${companyId} AND held.webhook_id = ${webhookId} AND held.state = 'WAITING'
            AND held.leased_until > now()) < ${mostAtOnce}
      ORDER BY next_attempt_at, id LIMIT 1)
    RETURNING id, uuid, type, body, attempts, is_single`.execute(trx);
  const [message] = rows;
  if (message) return { companyId, webhookId, ...webhook, ...message };
  await sql`
    UPDATE webhook SET due_at = (
      SELECT CASE WHEN count(leased_until) < ${mostAtOnce}
        THEN LEAST(min(leased_until), (
          SELECT next_attempt_at FROM webhook_delivery
          WHERE company_id = ${companyId} AND webhook_id = ${webhookId} AND state = 'WAITING'
            AND (leased_until IS NULL OR leased_until <= now())
          ORDER BY next_attempt_at LIMIT 1))
        ELSE min(leased_until) END
      FROM webhook_delivery
      WHERE company_id = ${companyId} AND webhook_id = ${webhookId} AND state = 'WAITING'
        AND leased_until > now())
    WHERE company_id = ${companyId} AND id = ${webhookId}`.execute(trx);
  return null;
}

/** The outcome of an attempt. */
export interface Outcome extends Attempt {
  /** Null when the message is done; else the seconds until the next attempt. */
  readonly retryIn: number | null;
  readonly isDelivered: boolean;
}

/**
 * Records an attempt. A message that was cancelled meanwhile stays so, unless it arrived. The caller holds the webhook.
 * The next message of the webhook is looked for at once.
 */
export async function saveOutcome(
  trx: Trx,
  { companyId, webhookId, id }: Lease,
  { retryIn, isDelivered, ...attempt }: Outcome,
): Promise<void> {
  await sql`
    UPDATE webhook_delivery SET
      attempts = attempts + 1, leased_until = NULL, is_single = false,
      last_status = ${attempt.status}, last_error = ${attempt.error},
      state = CASE WHEN ${isDelivered} THEN 'DELIVERED' WHEN state <> 'WAITING' THEN state
        WHEN ${retryIn === null} THEN 'FAILED' ELSE 'WAITING' END,
      next_attempt_at = CASE WHEN state = 'WAITING' AND NOT ${isDelivered}
        THEN now() + make_interval(secs => ${retryIn}) END,
      tries = jsonb_path_query_array(tries, ${`$[last - ${KEPT_TRIES - 2} to last]`}::jsonpath)
        || ${JSON.stringify(attempt)}::jsonb
    WHERE company_id = ${companyId} AND id = ${id}`.execute(trx);
  await trx
    .updateTable('webhook')
    .set({ dueAt: sql<Date>`now()` })
    .where('companyId', '=', companyId)
    .where('id', '=', webhookId)
    .execute();
}

/** Notes that a message got through. A test says nothing about the others. The caller holds the webhook. */
export async function noteSuccess(trx: Trx, { companyId, webhookId, type }: Lease): Promise<void> {
  await trx
    .updateTable('webhook')
    .set({
      lastSuccessAt: sql<Date>`now()`,
      ...(type === 'webhook.test' ? {} : { failingSince: null }),
    })
    .where('companyId', '=', companyId)
    .where('id', '=', webhookId)
    .execute();
}

/** Notes a failure. Returns whether nothing has got through for so many days. The caller holds the webhook. */
export async function noteFailure(
  trx: Trx,
  { companyId, webhookId }: Lease,
  days: number,
): Promise<boolean> {
  const row = await trx
    .updateTable('webhook')
    .set({ failingSince: sql<Date>`COALESCE(failing_since, now())` })
    .where('companyId', '=', companyId)
    .where('id', '=', webhookId)
    .where('active', '=', true)
    .returning(
      sql<boolean>`failing_since <= now() - make_interval(days => ${days})`.as('isTooLong'),
    )
    .executeTakeFirst();
  return row?.isTooLong === true;
}
