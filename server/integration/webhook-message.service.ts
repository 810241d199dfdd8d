import { randomUUID } from 'node:crypto';

import { EVENT_TYPES, type EventType } from '../../domain/integration/webhook.schema.ts';
import { findCompanyUuid } from '../company/profile.service.ts';
import type { Context } from '../context.ts';
import { webhookNoticeJob } from '../platform/jobs/jobs.ts';
import * as repository from './webhook-event.repository.ts';
import { bodyOf } from './webhook-body.ts';
import { saveSwitch } from './webhook.repository.ts';

/** Events of which messages are made in one transaction. */
const BATCH = 500;
/** More waiting messages turn a webhook off (INT-23). */
const MOST_WAITING = 10_000;

/** States which events are made: none while the feature is off, and those of features that are on (INT-18). */
export async function switchEvents({ config, db }: Pick<Context, 'config' | 'db'>): Promise<void> {
  const { features } = config;
  const isMade = (type: EventType) =>
    features.has('integrations') &&
    (type !== 'payment.received' || features.has('payments')) &&
    (type !== 'reminder.sent' || features.has('reminders')) &&
    (!type.startsWith('quote.') || features.has('quotes'));
  await saveSwitch(db, EVENT_TYPES.filter(isMade));
}

/** Makes the messages of all events. */
export async function makeMessages(context: Context, signal: AbortSignal): Promise<void> {
  for (const companyId of await repository.findCompaniesWithEvents(context.db)) {
    while (!signal.aborted && (await makeSome(context, companyId)) === BATCH);
  }
}

/** Makes one message for each event and webhook; both in the transaction that deletes the events. */
async function makeSome(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  companyId: number,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const events = await repository.takeEvents(trx, companyId, BATCH);
    const wanted = [...new Set(events.flatMap(({ webhookIds }) => webhookIds))];
    const webhooks = await repository.lockWebhooks(trx, companyId, wanted);
    const companyUuid = await findCompanyUuid(trx, companyId);
    const messages = events.flatMap((event) => {
      const body = bodyOf(event, companyUuid);
      return (
        event.webhookIds
          .filter((webhookId) => webhooks.has(webhookId))
          // It may have been turned off since the event was made.
          .map((webhookId) => ({
            webhookId,
            type: event.type,
            body,
            isCancelled: webhooks.get(webhookId) === false,
          }))
      );
    });
    if (messages.length > 0) await repository.insertMessages(trx, companyId, messages);
    for (const [webhookId, isActive] of webhooks) {
      const webhook = { companyId, webhookId };
      if (isActive && (await repository.disableWhenFull(trx, webhook, MOST_WAITING))) {
        await jobs.enqueue(trx, webhookNoticeJob, { ...webhook, messageUuid: randomUUID() });
      }
    }
    return events.length;
  });
}
