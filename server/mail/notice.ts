import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import type { Mailer } from './mailer.ts';
import { messageIdOf, type OutgoingMail } from './outgoing-mail.ts';
import { isSuppressed } from './suppressed-address.ts';

interface Sender {
  readonly config: Pick<Config, 'mailFrom' | 'publicUrl'>;
  readonly db: Db;
  readonly mailer: Mailer;
}

/**
 * Mails what Faktur itself has to tell; nothing to an address that takes no mail any more.
 *
 * @param key what the mail is called for ever, however often it is tried
 */
export async function sendNotice(
  { config, db, mailer }: Sender,
  { address, key }: { readonly address: string; readonly key: string },
  content: Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'headers'>,
): Promise<void> {
  if (await isSuppressed(db, address)) return;
  await mailer.send({
    from: { name: 'Faktur', address: config.mailFrom },
    to: { address },
    messageId: messageIdOf(key, config),
    ...content,
  });
}
