import { isIP } from 'node:net';
import {
  createTransport,
  type DKIMOptions,
  type NodemailerError,
  type SendMailOptions,
} from 'nodemailer';
import { MailError, smtpFailure } from './mail-error.ts';
import { composeMessage, type OutgoingMail } from './outgoing-mail.ts';

/** In milliseconds. */
export interface SmtpTimeouts {
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
export function openSmtp(options: SmtpOptions) {
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
      const { response } = await transport.sendMail({ ...message, signal });
      return { response, serverId: serverIdOf(response) };
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
