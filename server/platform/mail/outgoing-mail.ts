import { domainToASCII } from 'node:url';

import type { SendMailOptions } from 'nodemailer';

import { keyedHash } from '../crypto.ts';
import { MailError } from './mail-error.ts';

interface NamedAddress {
  readonly name?: string | undefined;
  readonly address: string;
}

/** A mail to one recipient, and copies to others. Texts may be any user input: they are made safe here. */
export interface OutgoingMail {
  readonly from: NamedAddress;
  readonly replyTo?: NamedAddress | undefined;
  readonly to: NamedAddress;
  readonly cc?: readonly string[] | undefined;
  /** Addresses of these that the header names, but that the mail is not sent to. */
  readonly withheld?: readonly string[] | undefined;
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
  | 'X-Auto-Response-Suppress'
  | 'X-Faktur-Company';

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

/** Bytes of the company id in a Message-ID. */
const BYTES = 8;
/** `<uuid.company@host>`. Older mails have `<uuid@host>`. */
const WITH_COMPANY = /^<(?<uuid>[0-9a-f-]{36})\.(?<company>[0-9a-f]{16})@/;

interface Keeper {
  readonly secretKey: string;
}

/**
 * The Message-ID of a delivery (DEL-12). It contains the company, so that a notice is looked up among that company's
 * rows. To others it looks random: a plain number would reveal how many companies there are.
 */
export function messageIdOfDelivery(
  config: Keeper & { readonly publicUrl: string },
  { companyId, uuid }: { readonly companyId: number; readonly uuid: string },
): string {
  const company = Buffer.alloc(BYTES);
  company.writeBigUInt64BE(BigInt(companyId));
  const hidden = encrypt(config, uuid, company).toString('hex');
  return messageIdOf(`${uuid}.${hidden}`, config);
}

/**
 * The company in a Message-ID; null for one of an older version or of another SECRET_KEY. Anybody can invent one, so the
 * delivery that is found must have the same Message-ID.
 */
export function companyInMessageId(config: Keeper, messageId: string): number | null {
  const { uuid, company } = WITH_COMPANY.exec(messageId)?.groups ?? {};
  if (uuid === undefined || company === undefined) return null;
  const companyId = Number(encrypt(config, uuid, Buffer.from(company, 'hex')).readBigUInt64BE());
  return Number.isSafeInteger(companyId) ? companyId : null;
}

/** Encrypts the bytes, or decrypts them, with a key of the uuid, which no other mail has. */
function encrypt({ secretKey }: Keeper, uuid: string, bytes: Buffer): Buffer {
  const key = keyedHash(secretKey, 'message-id', uuid);
  return Buffer.from(bytes.map((byte, index) => byte ^ (key[index] ?? 0)));
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
    ...copies(mail),
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

/** Nothing for a mail to one recipient, whose envelope is its header's. */
function copies({ from, to, cc = [], withheld = [] }: OutgoingMail) {
  if (cc.length === 0) return {};
  const isSentTo = (address: string) => !withheld.includes(address);
  return {
    cc: cc.map(singleAddress),
    envelope: {
      from: singleAddress(from.address),
      to: [to.address, ...cc].filter(isSentTo).map(singleAddress),
    },
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

/** Longest header value that we write, in code points; RFC 5322 § 2.1.1 limits a line to 998 octets. */
const LONGEST_VALUE = 255;
/** RFC 5321 § 4.5.3.1: octets of an address, and of the part before its @. */
const LONGEST_ADDRESS = 254;
const LONGEST_LOCAL_PART = 64;

// A dot-atom of RFC 5322 § 3.2.3, with the Unicode that RFC 6531 adds. Quoted local parts are excluded on purpose:
// without them, no character with a meaning in a header remains.
const LOCAL_PART =
  /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * One address for an envelope and a header: `name@domain` with the domain in lower case and Punycode. Lists, groups,
 * quoted local parts and address literals are refused.
 *
 * @throws MailError (permanent) when the text is not exactly one such address
 */
export function singleAddress(text: string): string {
  const at = text.lastIndexOf('@');
  const localPart = text.slice(0, Math.max(at, 0));
  const domain = asciiDomain(text.slice(at + 1));
  const address = `${localPart}@${domain}`;
  if (
    at < 1 ||
    !LOCAL_PART.test(localPart) ||
    !DOMAIN.test(domain) ||
    Buffer.byteLength(localPart) > LONGEST_LOCAL_PART ||
    Buffer.byteLength(address) > LONGEST_ADDRESS
  ) {
    throw new MailError(`Not one e-mail address: ${JSON.stringify(text)}`, {
      permanent: true,
      reason: 'E-postadressen er ikke gyldig.',
    });
  }
  return address;
}

/** Whether two spellings are one address to the mail server, which gets the domain in lower case and in ASCII. */
export function isSameAddress(left: string, right: string): boolean {
  return singleAddress(left).toLowerCase() === singleAddress(right).toLowerCase();
}

/**
 * Makes a text safe as a name or subject: one line, without control characters, and without marks that reverse the
 * reading direction and could disguise an address. Letters of right-to-left scripts stay. Encoded words (RFC 2047)
 * are broken up, since many mail programs decode them even in quotes. The text is cut to the length of a line.
 */
export function headerText(text: string): string {
  const oneLine = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replaceAll('=?', '= ?')
    .trim();
  return Array.from(oneLine).slice(0, LONGEST_VALUE).join('');
}

/** Most signs of a company's name in a subject. */
const LONGEST_NAME = 60;

/**
 * A company's name for the subject of a mail to somebody who may not know the company: short, and without addresses of
 * sites, because a name is free text that anybody may choose (DEL-24).
 */
export function nameInSubject(name: string): string {
  const words = headerText(name).replaceAll(/(?:https?:\/\/|(?<![\p{L}\p{N}])www\.)\S*/giu, '');
  const short = Array.from(words.replaceAll(/\s+/g, ' ').trim()).slice(0, LONGEST_NAME).join('');
  return short.trim() || 'en bedrift';
}

// domainToASCII maps full-width characters and similar ones, and accepts anything that a URL allows as a host; so
// require a plain name before the conversion.
function asciiDomain(domain: string): string {
  return /^[\p{L}\p{N}\p{M}.-]+$/u.test(domain) ? domainToASCII(domain) : '';
}
