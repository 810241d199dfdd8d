import { createPrivateKey } from 'node:crypto';
import { openOutbox } from './outbox.ts';
import type { OutgoingMail } from './outgoing-mail.ts';
import { openSmtp, type SmtpTimeouts } from './smtp.ts';

/** The result of sending a mail. */
interface SentMail {
  /** The server's last reply, or the path of the file. For the log. */
  readonly response: string;
  /**
   * The server's own id for the mail, if its reply contains one, without brackets and domain. Amazon SES uses it in
   * bounce notices, so it is stored beside the Message-ID.
   */
  readonly serverId: string | null;
}

export interface Mailer {
  /**
   * Sends one mail to the server, or writes it to the outbox.
   *
   * @throws MailError when the server has not accepted it, or has not answered by the deadline. When the connection
   * is lost after the last byte, acceptance is unknown; that counts as transient, and the next try must use the same
   * Message-ID.
   */
  send(mail: OutgoingMail): Promise<SentMail>;
  /** Refuses new mails, waits for those in progress and closes the connections. */
  close(): Promise<void>;
}

/** The key that signs outgoing mails (RFC 6376). */
interface DkimKey {
  readonly domainName: string;
  readonly keySelector: string;
  /** An RSA key in PEM. */
  readonly privateKey: string;
}

export interface MailerOptions {
  /** smtp(s)://user:pass@host:port, or null for an outbox of files. */
  readonly smtpUrl: string | null;
  /** Folder for mails when there is no server. Created if missing. */
  readonly outboxDir: string;
  readonly dkim?: DkimKey | undefined;
  /** Connections to the server at a time; 5 when absent. */
  readonly maxConnections?: number | undefined;
  readonly timeouts?: Partial<SmtpTimeouts> | undefined;
}

// RFC 8058 § 4 requires both headers of one-click unsubscription to be signed; nodemailer's own list (RFC 4871 § 5.5)
// lacks the second.
const SIGNED_HEADERS =
  'From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:' +
  'Content-Transfer-Encoding:Auto-Submitted:List-Unsubscribe:List-Unsubscribe-Post';

/** @throws TypeError when the SMTP URL or the DKIM key is unusable */
export function createMailer(options: MailerOptions): Mailer {
  const dkim = options.dkim && {
    ...checkedKey(options.dkim),
    headerFieldNames: SIGNED_HEADERS,
  };
  const { smtpUrl, outboxDir, maxConnections, timeouts } = options;
  return smtpUrl === null
    ? openOutbox({ directory: outboxDir, dkim })
    : openSmtp({ url: smtpUrl, dkim, maxConnections, timeouts });
}

// nodemailer silently sends a mail unsigned when its key does not work.
function checkedKey(key: DkimKey): DkimKey {
  let type: string | undefined;
  try {
    type = createPrivateKey(key.privateKey).asymmetricKeyType;
  } catch (error) {
    throw new TypeError('The DKIM key is not a private key in PEM.', { cause: error });
  }
  if (type !== 'rsa') throw new TypeError('The DKIM key must be an RSA key.');
  return key;
}
