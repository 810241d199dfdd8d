import { createPrivateKey } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { createTransport, type DKIMOptions } from 'nodemailer';

import { MailError } from './mail-error.ts';
import { composeMessage, type OutgoingMail } from './outgoing-mail.ts';
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

/**
 * A folder that receives mails instead of a server: one complete .eml file each, named after its Message-ID, so that
 * a mail sent again replaces itself. With Message-IDs made of UUIDs of version 7, the names sort by time.
 */
function openOutbox(directory: string, dkim: DKIMOptions | undefined): Mailer {
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    dkim,
  });
  return {
    async send(mail: OutgoingMail) {
      const { message: content } = await composer.sendMail(composeMessage(mail));
      const path = join(directory, outboxFileName(mail.messageId));
      try {
        await writeAtomically(directory, path, content as Buffer);
      } catch (error) {
        throw new MailError(`The outbox could not be written: ${String(error)}`, {
          permanent: false,
          reason: 'E-posten kunne ikke lagres i utboksen.',
          cause: error,
        });
      }
      return { response: path, serverId: null };
    },
    close: async (): Promise<void> => Promise.resolve(),
  };
}

/** A mail's file name in the outbox: `<id@example.no>` → `id@example.no.eml`. */
function outboxFileName(messageId: string): string {
  return `${messageId.slice(1, -1)}.eml`;
}

let writes = 0;

// A reader never sees a partial mail, and a mail reported as sent survives a power cut.
async function writeAtomically(directory: string, path: string, content: Buffer): Promise<void> {
  await mkdir(directory, { recursive: true });
  const draft = `${path}.${process.pid}-${++writes}.tmp`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open a folder to sync it.
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
