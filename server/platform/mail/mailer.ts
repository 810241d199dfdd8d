import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';

import {
  createTransport,
  type DKIMOptions,
  type NodemailerError,
  type SendMailOptions,
} from 'nodemailer';

import { MailError, type RefusedRecipients, smtpFailure, sortRefusals } from './mail-error.ts';
import { openOutbox } from './outbox.ts';
import { composeMessage, type OutgoingMail } from './outgoing-mail.ts';

/** The result of sending a mail. */
export interface SentMail {
  /** The server's last reply, or the path of the file. For the log. */
  readonly response: string;
  /**
   * The server's own id for the mail, if its reply contains one, without brackets and domain. Amazon SES uses it in
   * bounce notices, so it is stored beside the Message-ID.
   */
  readonly serverId: string | null;
  /** The recipients that the server refused, while it accepted the mail for another; none when absent. */
  readonly rejected?: RefusedRecipients;
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
    ? openOutbox(outboxDir, dkim)
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

/** In milliseconds. */
interface SmtpTimeouts {
  /** Name look-up, connection and TLS together. */
  readonly connection: number;
  readonly greeting: number;
  /** No data during a conversation. */
  readonly silence: number;
  /** One whole mail, including its wait for a free connection; it ends then in any case. */
  readonly deadline: number;
}

interface SmtpOptions {
  url: string;
  dkim: DKIMOptions | undefined;
  maxConnections: number | undefined;
  timeouts: Partial<SmtpTimeouts> | undefined;
}

// RFC 5321 § 4.5.3.2.6 would give the server ten minutes after the last byte, so that a slow acceptance does not
// count as a loss. That is for servers that deliver while the client waits; our relay only queues.
const TIMEOUTS: SmtpTimeouts = {
  connection: 20_000,
  greeting: 30_000,
  silence: 120_000,
  deadline: 180_000,
};

/** Opens a pool of connections to an SMTP server; the first connection is made for the first mail. */
function openSmtp(options: SmtpOptions) {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const transport = createTransport({
    pool: true,
    url: options.url,
    ...encryption(options.url),
    dkim: options.dkim,
    maxConnections: options.maxConnections ?? 5,
    // The pool repeats a mail by itself only if no byte of it was sent: an idle connection had died, or the server
    // hung up before its greeting.
    maxRequeues: 2,
    connectionTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    dnsTimeout: timeouts.connection,
    socketTimeout: timeouts.silence,
  });
  const underWay = new Set<Promise<unknown>>();
  let closed = false;
  // Mails whose last byte went to the connection, each identified by its signal. The connection reads a mail only
  // after the server's go-ahead to DATA.
  const readToEnd = new WeakSet<AbortSignal>();
  transport.use('stream', ({ data: { signal }, message }, done) => {
    message.processFunc((stream) =>
      stream.once('end', () => void (signal && readToEnd.add(signal))),
    );
    done();
  });

  const deliver = async (message: SendMailOptions) => {
    const signal = AbortSignal.timeout(timeouts.deadline);
    try {
      const { response, rejectedErrors = [] } = await transport.sendMail({ ...message, signal });
      return { response, serverId: serverIdOf(response), rejected: sortRefusals(rejectedErrors) };
    } catch (error) {
      throw smtpFailure(error as NodemailerError, { readToEnd: readToEnd.has(signal) });
    }
  };

  return {
    async send(mail: OutgoingMail) {
      if (closed) throw shuttingDown();
      const delivery = deliver(composeMessage(mail));
      underWay.add(delivery);
      try {
        return await delivery;
      } finally {
        underWay.delete(delivery);
      }
    },
    async close(): Promise<void> {
      closed = true;
      await Promise.allSettled(underWay);
      transport.close();
    },
  };
}

/**
 * Encryption beyond what the URL says itself. smtps:// is TLS from the first byte. With smtp:// the server's STARTTLS
 * is used, and required before a password is sent. A server on this machine is exempt: its traffic never leaves the
 * machine, and the self-signed certificates of local servers would only fail.
 */
export function encryption(url: string): { ignoreTLS?: true; requireTLS?: true } {
  const { protocol, hostname, username, searchParams } = parseSmtpUrl(url);
  const decided = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'].some((name) =>
    searchParams.has(name),
  );
  if (decided || protocol === 'smtps:') return {};
  if (isLoopback(hostname)) return { ignoreTLS: true };
  return username === '' ? {} : { requireTLS: true };
}

function parseSmtpUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '') {
    throw new TypeError('The SMTP URL is not of the form smtp(s)://user:pass@host:port.');
  }
  return parsed;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}

// Amazon SES: '250 Ok 0102018b…-000000'. Postfix: '250 2.0.0 Ok: queued as 4B3C…'. Exim: 'OK id=…'.
const SERVER_ID = /^250[ -](?:2\.\d\.\d )?ok:?(?: queued as | id=| )([A-Za-z0-9-]{8,})$/i;

/** The server's own id for a mail, from its last reply; null when there is none. */
export function serverIdOf(response: string): string | null {
  return SERVER_ID.exec(response.trim())?.[1] ?? null;
}

function shuttingDown(): MailError {
  return new MailError('The mailer is closed', {
    permanent: false,
    reason: 'Tjenesten er i ferd med å starte på nytt.',
  });
}
