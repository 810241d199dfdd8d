import type { Config } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import { readSesNotice, type SesNotice } from './ses-notice.ts';
import { createSnsVerifier } from './sns.ts';
import { recordReturned, recordWaitedInVain } from '../../delivery-record.service.ts';
import { findCarried, findCarriedOf } from '../../delivery.repository.ts';
import type { CarriedRow } from '../../delivery.rows.ts';
import { keyedHash } from '../../../platform/crypto.ts';
import type { Db } from '../../../platform/db/database.ts';
import { messageIdOf } from '../../../platform/mail/outgoing-mail.ts';
import { suppress } from '../../../platform/mail/suppressed-address.ts';

/**
 * Takes what Amazon SES reports of mails, through Amazon SNS (DEL-19). What is returned throws AppError
 * unsigned_notification, and Error when SNS must send it again.
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
 * A mail that came back was not delivered, whoever had accepted it; again is no news. The address
 * is spared from then on when it will never work, or when its owner wants no mail.
 */
async function take(context: Context, notice: SesNotice): Promise<void> {
  const { kind, serverId } = notice;
  await context.db.transaction().execute(async (trx) => {
    const delivery = await findNamed(context, trx, notice);
    for (const { address, reason } of notice.recipients) {
      if (notice.permanent) {
        await suppress(trx, address, kind === 'bounce' ? 'BOUNCE' : 'COMPLAINT');
      }
      if (delivery?.recipient.toLowerCase() === address) {
        // A mail that is complained about has arrived.
        await recordReturned(trx, delivery, reason, kind === 'complaint' || undefined);
      }
    }
    context.log.info({ kind, serverId, deliveryId: delivery?.id }, 'mail came back');
  });
}

/** Fails the deliveries of mails that turned out to be refused for good. */
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

/** The delivery of a mail: where its Message-ID says, or else wherever it is. */
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

/** How many bytes of a Message-ID say whose the mail is. */
const BYTES = 8;
/** `<uuid.company@host>`, and as it was before mails said whose they are: `<uuid@host>`. */
const MESSAGE_ID = /^<(?<uuid>[0-9a-f-]{36})\.(?<company>[0-9a-f]{16})@/;

type Keeper = Pick<Config, 'secretKey'>;

/**
 * The Message-ID of a delivery (DEL-12). It says whose the delivery is, to us: what comes back is then looked for
 * where that company's rows are. To others it is random, as its uuid is: a number would say how many
 * companies there are.
 */
export function messageIdOfDelivery(
  config: Pick<Config, 'secretKey' | 'publicUrl'>,
  { companyId, uuid }: { readonly companyId: number; readonly uuid: string },
): string {
  const company = Buffer.alloc(BYTES);
  company.writeBigUInt64BE(BigInt(companyId));
  const hidden = covered(config, uuid, company).toString('hex');
  return messageIdOf(`${uuid}.${hidden}`, config);
}

/**
 * The company in a Message-ID. Null for one of an older version or of another SECRET_KEY. Anybody can make
 * one up: the delivery that it leads to must have that very Message-ID.
 */
export function companyInMessageId(config: Keeper, messageId: string): number | null {
  const { uuid, company } = MESSAGE_ID.exec(messageId)?.groups ?? {};
  if (uuid === undefined || company === undefined) return null;
  const companyId = Number(covered(config, uuid, Buffer.from(company, 'hex')).readBigUInt64BE());
  return Number.isSafeInteger(companyId) ? companyId : null;
}

/** Covers what is there, and uncovers what was covered: no two mails have one uuid. */
function covered({ secretKey }: Keeper, uuid: string, bytes: Buffer): Buffer {
  const cover = keyedHash(secretKey, 'message-id', uuid);
  return Buffer.from(bytes.map((byte, index) => byte ^ (cover[index] ?? 0)));
}
