import type { Config } from '../../config.ts';
import type { Db } from '../db/database.ts';
import type { Logger } from '../log/log.ts';
import { MailError } from './mail-error.ts';
import type { Mailer } from './mailer.ts';
import { messageIdOf, type OutgoingMail } from './outgoing-mail.ts';
import { findSuppressed } from './refusals.ts';

interface Sender {
  readonly config: Pick<Config, 'mailFrom' | 'publicUrl'>;
  readonly db: Db;
  readonly log: Logger;
  readonly mailer: Mailer;
}

/**
 * Mails a notice from Faktur itself, as one mail to all addresses that are not suppressed: a retry cannot reach some of
 * them twice.
 *
 * @param key identifies the mail permanently, for all tries
 */
export async function sendNotice(
  { config, db, log, mailer }: Sender,
  { addresses, key }: { readonly addresses: readonly string[]; readonly key: string },
  content: Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'headers'>,
): Promise<void> {
  const suppressed = await findSuppressed(db, addresses);
  const [address, ...cc] = addresses.filter((one) => !suppressed.has(one.toLowerCase()));
  if (address === undefined) return;
  await sendOrGiveUp(log, mailer, {
    from: { name: 'Faktur', address: config.mailFrom },
    to: { address },
    cc,
    messageId: messageIdOf(key, config),
    ...content,
  });
}

/**
 * Sends a mail. A permanent refusal is logged, not thrown: a retry of the job would not help.
 * @returns whether the server took it
 */
export async function sendOrGiveUp(
  log: Logger,
  mailer: Mailer,
  mail: OutgoingMail,
): Promise<boolean> {
  try {
    await mailer.send(mail);
    return true;
  } catch (error) {
    if (!(error instanceof MailError) || !error.permanent) throw error;
    log.warn({ reason: error.message }, 'a mail was refused for good, and is given up');
    return false;
  }
}
