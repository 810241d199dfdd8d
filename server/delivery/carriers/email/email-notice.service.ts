import type { Context } from '../../../context.ts';
import { readSesNotice, type SesNotice } from './ses-notice.ts';
import { createSnsVerifier } from './sns.ts';
import { recordAddressReturned, recordWaitedInVain } from '../../delivery-record.service.ts';
import { findCarried, findCarriedOf } from '../../delivery.repository.ts';
import type { CarriedRow } from '../../delivery.rows.ts';
import type { Db } from '../../../platform/db/database.ts';
import { companyInMessageId } from '../../../platform/mail/outgoing-mail.ts';
import { suppress } from '../../../platform/mail/refusals.ts';

/**
 * Receives notices of Amazon SES through Amazon SNS (DEL-19). The returned function throws AppError
 * unsigned_notification, and Error when SNS must send the notice again.
 */
export function createNoticeReceiver(context: Context): (body: unknown) => Promise<void> {
  const { config, fetchText, log } = context;
  const sns = createSnsVerifier({ topicArns: config.snsTopicArns, fetchText });
  return async (body) => {
    const message = await sns.verify(body);
    const { topicArn } = message;
    switch (message.type) {
      case 'confirmation': {
        const answer = await fetchText(message.subscribeUrl);
        if (answer === null) log.warn({ topicArn }, 'subscription could not be confirmed');
        else log.info({ topicArn }, 'subscription confirmed');
        return;
      }
      case 'unsubscribed':
        log.warn({ topicArn }, 'topic no longer sends bounces and complaints here');
        return;
      case 'notification': {
        const notice = readSesNotice(message.message);
        if (notice) await take(context, notice);
      }
    }
  };
}

/**
 * Marks the delivery of a returned mail as failed. The address gets no more mail when it will never work, or when its
 * owner complained. Repeating it changes nothing.
 */
async function take(context: Context, notice: SesNotice): Promise<void> {
  const { kind, serverId } = notice;
  await context.db.transaction().execute(async (trx) => {
    const delivery = await findNamed(context, trx, notice);
    for (const { address, reason } of notice.recipients) {
      if (notice.permanent) {
        await suppress(trx, address, kind === 'bounce' ? 'BOUNCE' : 'COMPLAINT');
      }
      const known = delivery && [delivery.recipient, ...delivery.copies];
      const own = known?.find((one) => one.toLowerCase() === address);
      if (delivery && own !== undefined) {
        // A mail with a complaint has arrived.
        const hasArrived = kind === 'complaint' || undefined;
        await recordAddressReturned(trx, delivery, { address: own, reason }, hasArrived);
      }
    }
    context.log.info({ kind, serverId, deliveryId: delivery?.id }, 'mail came back');
  });
}

/** Fails the deliveries of mails that were refused for good. */
export async function failRefused(
  context: Pick<Context, 'config' | 'db'>,
  messageIds: readonly string[],
): Promise<void> {
  const named = messageIds.map(async (messageId) =>
    findNamed(context, context.db, { messageId, serverId: null }),
  );
  const deliveries = (await Promise.all(named)).filter((delivery) => delivery !== null);
  await recordWaitedInVain(context.db, deliveries);
}

/** The delivery of a mail: in the company that its Message-ID contains, or else in any. */
async function findNamed(
  { config }: Pick<Context, 'config'>,
  db: Db,
  {
    messageId: carrierKey,
    serverId: carrierReference,
  }: Readonly<Record<'messageId' | 'serverId', string | null>>,
): Promise<CarriedRow | null> {
  const companyId = carrierKey === null ? null : companyInMessageId(config, carrierKey);
  const own =
    companyId !== null && carrierKey !== null
      ? await findCarriedOf(db, companyId, 'EMAIL', carrierKey)
      : null;
  return own ?? findCarried(db, 'EMAIL', { carrierKey, carrierReference });
}
