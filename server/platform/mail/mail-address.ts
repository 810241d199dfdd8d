import { domainToASCII } from 'node:url';
import { MailError } from './mail-error.ts';

export interface NamedAddress {
  readonly name?: string | undefined;
  readonly address: string;
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

// domainToASCII maps full-width characters and similar ones, and accepts anything that a URL allows as a host; so
// require a plain name before the conversion.
function asciiDomain(domain: string): string {
  return /^[\p{L}\p{N}\p{M}.-]+$/u.test(domain) ? domainToASCII(domain) : '';
}
