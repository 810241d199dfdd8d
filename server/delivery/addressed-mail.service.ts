import type { MailRecipient } from '../../domain/delivery/mail-recipients.ts';
import type { Buyer, Seller } from '../../domain/parties.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Db } from '../platform/db/database.ts';
import { TryLater } from '../platform/jobs/job.ts';
import { MailError } from '../platform/mail/mail-error.ts';
import { isSameAddress, messageIdOf, type OutgoingMail } from '../platform/mail/outgoing-mail.ts';
import { findSuppressed } from '../platform/mail/refusals.ts';
import { countStrangerMail, SUPPRESSED } from './carriers/email/email.carrier.ts';

/** How long a mail is tried, as others are (milliseconds). */
const LONGEST_WAIT = 48 * 3600_000;

/** The addresses, of which those that refused mail for good have failed. */
export async function judgeAddresses(
  db: Db,
  addresses: readonly string[],
): Promise<MailRecipient[]> {
  const suppressed = await findSuppressed(db, addresses);
  return addresses.map((address) =>
    suppressed.has(address.toLowerCase())
      ? { address, status: 'FAILED', reason: SUPPRESSED.reason }
      : { address, status: 'QUEUED', reason: null },
  );
}

/**
 * Judges the addresses of a mail that a person asks for, and counts it among those to strangers.
 * @throws AppError recipient_without_email, too_many_requests
 */
export async function takeAddresses(
  context: Pick<Context, 'config' | 'db'>,
  companyId: number,
  addresses: readonly string[],
): Promise<MailRecipient[]> {
  const recipients = await judgeAddresses(context.db, addresses);
  if (recipients.length === 0) throw new AppError('recipient_without_email');
  if (recipients.some(isWaiting)) await countStrangerMail(context, companyId);
  return recipients;
}

/** A mail with a document that belongs to no invoice, to one or several addresses. */
interface AddressedMail {
  readonly companyId: number;
  readonly recipients: readonly MailRecipient[];
  readonly createdAt: Date;
  /** The reason when it is given up, in Norwegian. */
  readonly notSent: string;
  /** Makes the mail, with the same Message-ID each time. */
  readonly compose: (to: Addressing) => Promise<OutgoingMail>;
  /** Keeps what became of each address. */
  readonly save: (recipients: readonly MailRecipient[]) => Promise<void>;
}

/** The addresses of a mail; it names all, and leaves for those that are not withheld. */
export interface Addressing {
  readonly to: string;
  readonly cc: readonly string[];
  readonly withheld: readonly string[];
}

/** From whom, to whom and as which mail it goes. */
export function envelopeOf(
  config: Context['config'],
  { uuid }: { readonly uuid: string },
  { seller, buyer }: { readonly seller: Seller; readonly buyer: Buyer },
  { to, cc, withheld }: Addressing,
): Pick<OutgoingMail, 'from' | 'replyTo' | 'to' | 'cc' | 'withheld' | 'messageId'> {
  return {
    from: { name: seller.name, address: config.mailFrom },
    replyTo: { name: seller.name, address: seller.email },
    to: { name: buyer.name, address: to },
    cc,
    withheld,
    messageId: messageIdOf(uuid, config),
  };
}

/**
 * Mails a document to the addresses that have not got it.
 * @throws the failure, or TryLater for an address that is refused for the moment, until two days have passed
 */
export async function mailToAddresses(
  context: Pick<Context, 'db' | 'log' | 'mailer'>,
  mail: AddressedMail,
): Promise<void> {
  const { companyId, notSent, save } = mail;
  if (!mail.recipients.some(isWaiting)) return;
  const isLate = Date.now() - mail.createdAt.getTime() > LONGEST_WAIT;
  const giveUp = (recipients: readonly MailRecipient[], reason: string) =>
    recipients.map((one) => (isWaiting(one) ? failed(one, reason) : one));
  try {
    const tried = await tryToMail(context, mail);
    const recipients = isLate ? giveUp(tried, notSent) : tried;
    await save(recipients);
    if (recipients.some(isWaiting)) throw new TryLater('an address refused a mail for now');
  } catch (error) {
    const isRefused = error instanceof MailError && error.permanent;
    if (error instanceof TryLater || !(isRefused || isLate)) throw error;
    context.log.warn({ err: error, companyId }, 'a mail with a document is given up');
    await save(giveUp(mail.recipients, error instanceof MailError ? error.reason : notSent));
  }
}

function failed({ address }: MailRecipient, reason: string): MailRecipient {
  return { address, status: 'FAILED', reason };
}

const isWaiting = ({ status }: MailRecipient) => status === 'QUEUED';

/** @returns the addresses, with what became of each. @throws MailError when no address got it */
async function tryToMail(
  { db, mailer }: Pick<Context, 'db' | 'mailer'>,
  { recipients, compose }: AddressedMail,
): Promise<readonly MailRecipient[]> {
  const addresses = recipients.map(({ address }) => address);
  const suppressed = await findSuppressed(db, addresses);
  const judged = recipients.map((one) =>
    isWaiting(one) && suppressed.has(one.address.toLowerCase())
      ? failed(one, SUPPRESSED.reason)
      : one,
  );
  if (!judged.some(isWaiting)) return judged;
  const [to = '', ...cc] = addresses;
  const withheld = judged.filter((one) => !isWaiting(one)).map(({ address }) => address);
  const { rejected } = await mailer.send(await compose({ to, cc, withheld }));
  return judged.map((one): MailRecipient => {
    const isOne = ({ address }: { readonly address: string }) =>
      isSameAddress(address, one.address);
    if (!isWaiting(one) || rejected?.delayed.some(isOne)) return one;
    const refusal = rejected?.refused.find(isOne);
    return refusal
      ? failed(one, refusal.reason)
      : { address: one.address, status: 'SENT', reason: null };
  });
}
