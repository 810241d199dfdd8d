import PostalMime, { type Email } from 'postal-mime';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';

/** A mail that the server has accepted. */
export interface CaughtMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The Message-ID header, with its angle brackets. */
  readonly messageId: string;
  readonly subject: string;
  /** The whole mail, or only its header with `headersOnly`. */
  readonly raw: Buffer;
  readonly size: number;
  /** Whether the connection used TLS. */
  readonly secure: boolean;
  readonly smtpUtf8: boolean;
}

/** Parses a caught mail into the parts that a mail program shows. */
export async function readMail(mail: CaughtMail | Buffer): Promise<Email> {
  return PostalMime.parse(Buffer.isBuffer(mail) ? mail : mail.raw);
}

/** The code in the subject of a login mail; undefined for any other. */
export function loginCodeIn(subject = ''): string | undefined {
  // Codes of the product have no look-alike characters.
  return /^([A-HJ-NP-Z2-9]{6}) er koden/.exec(subject)?.[1];
}

/** Receives a mail in an SMTP session. */
export async function catchMail(
  stream: SMTPServerDataStream,
  { envelope, secure }: SMTPServerSession,
  headersOnly: boolean,
): Promise<CaughtMail> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const content = Buffer.concat(chunks);
  const header = content.subarray(0, content.indexOf('\r\n\r\n') + 2);
  const { messageId, subject } = await readMail(header);
  return {
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    to: envelope.rcptTo.map(({ address }) => address),
    messageId: messageId ?? '',
    subject: subject ?? '',
    // A view would keep the whole buffer in memory.
    raw: headersOnly ? Buffer.from(header) : content,
    size: content.length,
    secure,
    smtpUtf8: envelope.smtpUtf8 ?? false,
  };
}
