import type { Config } from '../../config.ts';
import type { Db } from '../db/database.ts';
import { noticeJob } from '../jobs/jobs.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Logger } from '../log/log.ts';
import { type Letter, type MailContent, renderMail } from './layout.ts';
import { MailError } from './mail-error.ts';
import type { Mailer, SentMail } from './mailer.ts';
import { isSameAddress, messageIdOf, type OutgoingMail } from './outgoing-mail.ts';
import { findSuppressed } from './refusals.ts';

interface Sender {
  readonly config: Config;
  readonly db: Db;
  readonly jobs: JobQueue;
  readonly log: Logger;
  readonly loginMailer: Mailer;
  readonly mailer: Mailer;
}

/** How a mail that Faktur writes goes out: in Faktur's name and marked as automatic, unless it says otherwise. */
export interface Envelope extends Partial<Pick<OutgoingMail, 'from' | 'headers' | 'replyTo'>> {
  /** Identifies the mail permanently, for all tries. */
  readonly key: string;
  /** Whether a user waits for it, so that it goes past the invoices. */
  readonly isAwaited?: boolean;
}

/** Mails a letter to one address. @returns whether the server took it; false when it refused it for good */
export async function sendLetter(
  context: Sender,
  { to, ...envelope }: Envelope & { readonly to: string },
  letter: Letter,
): Promise<boolean> {
  return (await send(context, { ...envelope, addresses: [to] }, renderMail(letter))) !== null;
}

/**
 * Mails a notice about a company as one mail to all addresses that are not suppressed: a retry cannot reach some of
 * them twice. Addresses that are refused for the moment, while another takes the mail, each get a job of their own that
 * goes on with the same words (MEM-17).
 */
export async function sendNotice(
  context: Sender,
  envelope: Envelope & { readonly companyId: number; readonly addresses: readonly string[] },
  content: MailContent,
): Promise<void> {
  const { companyId, key } = envelope;
  const suppressed = await findSuppressed(context.db, envelope.addresses);
  const addresses = envelope.addresses.filter((one) => !suppressed.has(one.toLowerCase()));
  const sent = await send(context, { ...envelope, addresses }, content);
  const delayed = sent?.rejected?.delayed ?? [];
  const items = addresses
    .filter((one) => delayed.some((refusal) => isSameAddress(refusal.address, one)))
    .map((one) => ({ payload: { companyId, address: one, key, content }, key: `${key} ${one}` }));
  if (items.length > 0) await context.jobs.enqueueAll(context.db, noticeJob, items);
}

/** A permanent refusal is logged, not thrown: a retry of the job would not help. @returns null when nothing left */
async function send(
  { config, log, loginMailer, mailer }: Sender,
  envelope: Envelope & { readonly addresses: readonly string[] },
  { subject, text, html }: MailContent,
): Promise<SentMail | null> {
  const {
    addresses: [address, ...cc],
    from = { name: 'Faktur', address: config.mailFrom },
    headers = { 'Auto-Submitted': 'auto-generated' },
    isAwaited = false,
    key,
    replyTo,
  } = envelope;
  if (address === undefined) return null;
  const mail = { from, replyTo, to: { address }, cc, headers, subject, text, html };
  try {
    return await (isAwaited ? loginMailer : mailer).send({
      ...mail,
      messageId: messageIdOf(key, config),
    });
  } catch (error) {
    if (!(error instanceof MailError) || !error.permanent) throw error;
    log.warn({ reason: error.message }, 'a mail was refused for good, and is given up');
    return null;
  }
}
