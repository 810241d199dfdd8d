import type { SendMailOptions } from 'nodemailer';
import { headerText, type NamedAddress, singleAddress } from './mail-address.ts';

/** A mail to one recipient. Texts may be any user input: they are made safe here. */
export interface OutgoingMail {
  readonly from: NamedAddress;
  readonly replyTo?: NamedAddress | undefined;
  readonly to: NamedAddress;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** `<…@…>`, made once and stored: a mail sent again must have the same. */
  readonly messageId: string;
  readonly headers?: Partial<Record<ExtraHeader, string>> | undefined;
  readonly attachments?: readonly MailAttachment[] | undefined;
}

/** The additional headers that a mail may have; all others are set here. */
type ExtraHeader =
  | 'Auto-Submitted'
  | 'List-Unsubscribe'
  | 'List-Unsubscribe-Post'
  | 'X-Auto-Response-Suppress';

export interface MailAttachment {
  readonly filename: string;
  /** A type and subtype, such as `application/pdf`. */
  readonly contentType: string;
  readonly content: Uint8Array;
  /** The id by which the HTML shows it (`cid:…`); such a picture is not an attachment. */
  readonly contentId?: string | undefined;
}

const MESSAGE_ID = /^<[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+>$/;
const CONTENT_ID = /^[a-z0-9.-]+@[a-z0-9.-]+$/;
const CONTENT_TYPE = /^[a-z]+\/[a-z0-9.+-]+$/;

/**
 * The permanent Message-ID of the thing with this uuid: `<uuid@host>`. The host only makes it unique and is never
 * looked up, so characters that a host name cannot have, as in an IPv6 address, become hyphens.
 */
export function messageIdOf(uuid: string, { publicUrl }: { readonly publicUrl: string }): string {
  return `<${uuid}@${new URL(publicUrl).hostname.replaceAll(/[^A-Za-z0-9.-]/g, '-')}>`;
}

/**
 * Converts a mail for nodemailer. Its content cannot add a header or a recipient, or make nodemailer read a file.
 *
 * @throws MailError (permanent) when an address is not exactly one
 * @throws TypeError for an error of the caller: Message-ID, header, content type
 */
export function composeMessage(mail: OutgoingMail): SendMailOptions & { messageId: string } {
  if (!MESSAGE_ID.test(mail.messageId)) throw new TypeError(`Not a Message-ID: ${mail.messageId}`);
  return {
    messageId: mail.messageId,
    from: mailbox(mail.from),
    to: mailbox(mail.to),
    ...(mail.replyTo && { replyTo: mailbox(mail.replyTo) }),
    subject: headerText(mail.subject),
    text: mail.text,
    html: mail.html,
    headers: extraHeaders(mail.headers ?? {}),
    attachments: (mail.attachments ?? []).map(attachment),
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function mailbox({ name, address }: NamedAddress) {
  return { name: headerText(name ?? ''), address: singleAddress(address) };
}

function extraHeaders(headers: Partial<Record<ExtraHeader, string>>): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\x20-\x7e]+$/.test(value)) throw new TypeError(`Not a header value: ${name}`);
  }
  return headers;
}

function attachment({ filename, contentType, content, contentId }: MailAttachment) {
  if (contentId !== undefined && !CONTENT_ID.test(contentId)) {
    throw new TypeError(`Not a Content-ID: ${contentId}`);
  }
  if (!CONTENT_TYPE.test(contentType)) throw new TypeError(`Not a content type: ${contentType}`);
  return {
    filename: headerText(filename),
    contentType,
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    ...(contentId !== undefined && { cid: contentId, contentDisposition: 'inline' as const }),
  };
}
