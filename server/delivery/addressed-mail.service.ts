import type { StatementRecipient } from '../../domain/portal/statement-delivery.ts';
import type { Context } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import { TryLater } from '../platform/jobs/job.ts';
import { MailError } from '../platform/mail/mail-error.ts';
import { isSameAddress, type OutgoingMail } from '../platform/mail/outgoing-mail.ts';
import { findSuppressed } from '../platform/mail/refusals.ts';
import { SUPPRESSED } from './carriers/email/email.carrier.ts';

/** How long a mail is tried, as others are (milliseconds). */
const LONGEST_WAIT = 48 * 3600_000;

/** The addresses, of which those that refused mail for good have failed. */
export async function judgeAddresses(
  db: Db,
  addresses: readonly string[],
): Promise<StatementRecipient[]> {
  const suppressed = await findSuppressed(db, addresses);
  return addresses.map((address) =>
    suppressed.has(address.toLowerCase())
      ? { address, status: 'FAILED', reason: SUPPRESSED.reason }
      : { address, status: 'QUEUED', reason: null },
  );
}

/** A mail with a document that belongs to no invoice, to one or several addresses. */
interface AddressedMail {
  readonly companyId: number;
  readonly recipients: readonly StatementRecipient[];
  readonly createdAt: Date;
  /** The reason when it is given up, in Norwegian. */
  readonly notSent: string;
  /** Makes the mail, with the same Message-ID each time. */
  readonly compose: (to: Addressing) => Promise<OutgoingMail>;
  /** Keeps what became of each address. */
  readonly save: (recipients: readonly StatementRecipient[]) => Promise<void>;
}

/** The addresses of a mail; it names all, and leaves for those that are not withheld. */
export interface Addressing {
  readonly to: string;
  readonly cc: readonly string[];
  readonly withheld: readonly string[];
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
  const giveUp = (recipients: readonly StatementRecipient[], reason: string) =>
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

function failed({ address }: StatementRecipient, reason: string): StatementRecipient {
  return { address, status: 'FAILED', reason };
}

const isWaiting = ({ status }: StatementRecipient) => status === 'QUEUED';

/** @returns the addresses, with what became of each. @throws MailError when no address got it */
async function tryToMail(
  { db, mailer }: Pick<Context, 'db' | 'mailer'>,
  { recipients, compose }: AddressedMail,
): Promise<readonly StatementRecipient[]> {
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
  return judged.map((one): StatementRecipient => {
    const isOne = ({ address }: { readonly address: string }) =>
      isSameAddress(address, one.address);
    if (!isWaiting(one) || rejected?.delayed.some(isOne)) return one;
    const refusal = rejected?.refused.find(isOne);
    return refusal
      ? failed(one, refusal.reason)
      : { address: one.address, status: 'SENT', reason: null };
  });
}
