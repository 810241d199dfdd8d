import { domainToASCII } from 'node:url';
import { MailError } from './mail-error.ts';

export interface NamedAddress {
  readonly name?: string | undefined;
  readonly address: string;
}

/** Longest header value we write, in code points; RFC 5322 § 2.1.1 ends a line at 998 octets. */
const LONGEST_VALUE = 255;
/** RFC 5321 § 4.5.3.1: octets of an address, and of what stands before its @. */
const LONGEST_ADDRESS = 254;
const LONGEST_LOCAL_PART = 64;

// A dot-atom of RFC 5322 § 3.2.3, with the Unicode that RFC 6531 adds. Quoted local parts are
// left out on purpose: with them gone, no character that means something to a header remains.
const LOCAL_PART =
  /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * One address, ready for an envelope and a header: `name@domain` with the domain in lower case and
 * Punycode. Lists, groups, quoted local parts and address literals are refused.
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

/**
 * A text that is safe as a name or a subject: on one line, without control characters and without
 * the marks that turn the reading direction round and so could disguise an address. Letters that
 * read from right to left stay. What looks like an encoded word (RFC 2047) is broken up, since
 * many mail programs decode it even where it is quoted. Cut to a length that a line can hold.
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

// domainToASCII maps full-width characters and the like, and would take what a URL allows as a
// host; what is not a plain name before is not made one.
function asciiDomain(domain: string): string {
  return /^[\p{L}\p{N}\p{M}.-]+$/u.test(domain) ? domainToASCII(domain) : '';
}
