import type { Config } from '../../config.ts';
import type { Db } from '../db/database.ts';
import { noticeJob } from '../jobs/jobs.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Logger } from '../log/log.ts';
import type { MailContent } from './layout.ts';
import { MailError } from './mail-error.ts';
import type { Mailer, SentMail } from './mailer.ts';
import { isSameAddress, messageIdOf, type OutgoingMail } from './outgoing-mail.ts';
import { findSuppressed } from './refusals.ts';

interface Sender {
  readonly config: Pick<Config, 'mailFrom' | 'publicUrl'>;
  readonly db: Db;
  readonly jobs: JobQueue;
  readonly log: Logger;
  readonly mailer: Mailer;
}

/** The addresses of a notice about a company; its key identifies the mail permanently, for all tries. */
interface Notice {
  readonly companyId: number;
  readonly addresses: readonly string[];
  readonly key: string;
}

/**
 * Mails a notice from Faktur itself, as one mail to all addresses that are not suppressed: a retry cannot reach some of
 * them twice. Addresses that are refused for the moment, while another takes the mail, each get a job of their own that
 * goes on with the same words (MEM-17).
 */
export async function sendNotice(
  { config, db, jobs, log, mailer }: Sender,
  { companyId, addresses, key }: Notice,
  { subject, text, html }: MailContent,
): Promise<void> {
  const suppressed = await findSuppressed(db, addresses);
  const [address, ...cc] = addresses.filter((one) => !suppressed.has(one.toLowerCase()));
  if (address === undefined) return;
  const content = { subject, text, html };
  const sent = await sendOrGiveUp(log, mailer, {
    from: { name: 'Faktur', address: config.mailFrom },
    to: { address },
    cc,
    messageId: messageIdOf(key, config),
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...content,
  });
  const delayed = sent?.rejected?.delayed ?? [];
  const items = [address, ...cc]
    .filter((one) => delayed.some((refusal) => isSameAddress(refusal.address, one)))
    .map((one) => ({ payload: { companyId, address: one, key, content }, key: `${key} ${one}` }));
  if (items.length > 0) await jobs.enqueueAll(db, noticeJob, items);
}

/**
 * Sends a mail. A permanent refusal is logged, not thrown: a retry of the job would not help.
 * @returns null when it was refused
 */
export async function sendOrGiveUp(
  log: Logger,
  mailer: Mailer,
  mail: OutgoingMail,
): Promise<SentMail | null> {
  try {
    return await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailError) || !error.permanent) throw error;
    log.warn({ reason: error.message }, 'a mail was refused for good, and is given up');
    return null;
  }
}
