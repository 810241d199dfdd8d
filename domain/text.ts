import { z } from 'zod';

import { asciiEmail } from './email.ts';
import { optional } from './optional.ts';

/** Longest name, address line or the like that is taken. */
export const NAME_LENGTH = 255;
/** Longest description of an invoice line. */
export const DESCRIPTION_LENGTH = 1000;
/** Longest text to search for. */
const SEARCH_LENGTH = 200;
/** RFC 5321 § 4.5.3.1.3 leaves 254 characters for an address. */
const EMAIL_LENGTH = 254;

/**
 * In lower case, a dot-atom of RFC 5322 § 3.2.3 at a domain that has a dot, with the lengths of
 * RFC 5321 § 4.5.3.1: 'r&d@firma.no' is an address too.
 */
const EMAIL =
  /^(?=[^@]{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

// C0, DEL and C1: PostgreSQL cannot hold NUL, XML none of C0, and none has a glyph on paper.
const CONTROL_CHARACTERS = /\p{Cc}/u;
const CONTROL_CHARACTERS_IN_LINES = /[^\P{Cc}\n]/u;

/**
 * A string that can be stored, printed and put in XML: well-formed, without control characters, and in NFC, so that
 * 'Å' of one sign and 'A' with a ring (macOS) are sorted and compared as one.
 */
function plainText(): z.ZodString {
  return z
    .string()
    .trim()
    .normalize('NFC')
    .refine((text) => !CONTROL_CHARACTERS.test(text), 'must not contain control characters')
    .refine((text) => text.isWellFormed(), 'must be valid Unicode text');
}

/** A name or the like that must be there. Surrounding space is cut off. */
export function requiredText(longest: number = NAME_LENGTH): z.ZodString {
  return plainText().min(1).max(longest);
}

/** A line's description: required, and roomier than a name. */
export function descriptionText(): z.ZodString {
  return requiredText(DESCRIPTION_LENGTH);
}

/** A string of exactly so many characters, after trimming. */
export function exactText(length: number): z.ZodString {
  return plainText().length(length);
}

/** A postal code and the like: a required string of between `least` and `most` characters. */
export function boundedText(least: number, most: number): z.ZodString {
  return plainText().min(least).max(most);
}

/**
 * An e-mail address that must be there; trimmed and, as an identity, lower-cased with its domain in
 * ASCII.
 */
export function requiredEmail(): z.ZodType<string, string> {
  return plainText()
    .toLowerCase()
    .min(1)
    .max(EMAIL_LENGTH)
    .transform(asciiEmail)
    .pipe(z.email({ pattern: EMAIL }).max(EMAIL_LENGTH))
    .meta({ format: 'email' });
}

/** What is typed into a search: anything that a text may hold, or nothing. */
export function searchQueryText() {
  return plainText()
    .max(SEARCH_LENGTH)
    .nullish()
    .transform((text) => text ?? '');
}

/** A name or the like that may be left out. */
export function optionalText(longest?: number) {
  return optional(requiredText(longest));
}

/**
 * A text of several lines, whose line breaks become LF and tabs spaces. null and '' say that there is
 * none; absence says nothing, and stays undefined.
 */
export function statedMultilineText(longest: number) {
  return z
    .string()
    .trim()
    .normalize('NFC')
    .transform((text) => text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' '))
    .refine(
      (text) => !CONTROL_CHARACTERS_IN_LINES.test(text),
      'must not contain control characters',
    )
    .refine((text) => text.isWellFormed(), 'must be valid Unicode text')
    .pipe(z.string().max(longest))
    .nullish()
    .transform((text) => (text === '' ? null : text));
}
