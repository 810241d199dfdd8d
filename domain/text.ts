import { z } from 'zod/mini';

import { described } from './api/described.ts';
import { asciiEmail } from './email.ts';
import { rule } from './api/rules.ts';
import { optional } from './api/validation.ts';

/** Longest name, address line or similar text (WIRE-7). */
export const NAME_LENGTH = 255;
/** Longest description of an invoice line. */
export const DESCRIPTION_LENGTH = 1000;
/** Longest text to search for. */
export const SEARCH_LENGTH = 200;
/** RFC 5321 § 4.5.3.1.3 leaves 254 characters for an address. */
const EMAIL_LENGTH = 254;

/**
 * In lower case: a dot-atom of RFC 5322 § 3.2.3, '@' and a domain with a dot, with the lengths of RFC 5321 § 4.5.3.1.
 * 'r&d@firma.no' is an address too.
 */
const EMAIL =
  /^(?=[^@]{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

// C0, DEL and C1: PostgreSQL cannot store NUL, XML allows no C0, and none can be printed.
const CONTROL_CHARACTERS = /\p{Cc}/u;
const CONTROL_CHARACTERS_IN_LINES = /[^\P{Cc}\n]/u;

/**
 * A string that can be stored, printed and put in XML: well-formed, without control characters, and in NFC, so that a
 * one-character 'Å' and an 'A' with a combining ring (macOS) sort and compare as equal (WIRE-6).
 */
function plainText(): z.ZodMiniString<string> {
  return z.string().check(
    z.trim(),
    z.normalize('NFC'),
    z.refine(
      (text) => !CONTROL_CHARACTERS.test(text),
      rule('{0} must not contain control characters'),
    ),
    z.refine((text) => text.isWellFormed(), rule('{0} must be valid Unicode text')),
  );
}

/** A required name or similar text, trimmed. */
export function requiredText(longest: number = NAME_LENGTH): z.ZodMiniString<string> {
  return plainText().check(z.minLength(1), z.maxLength(longest));
}

/** A line's description: required, and may be longer than a name. */
export function descriptionText(): z.ZodMiniString<string> {
  return requiredText(DESCRIPTION_LENGTH);
}

/**
 * A string of exactly `length` characters, after trimming.
 *
 * @param tidy normalises typed or pasted text before its length is checked
 */
export function exactText(length: number, tidy = tidyDigits): z.ZodMiniString<string> {
  return plainText().check(z.overwrite(tidy), z.length(length));
}

/** A postal code or similar: a required string of `least` to `most` characters. */
export function boundedText(least: number, most: number): z.ZodMiniString<string> {
  return plainText().check(z.overwrite(visibleDigits), z.minLength(least), z.maxLength(most));
}

/** A required e-mail address. Trimmed and lower-cased with its domain in ASCII, since it identifies a person. */
export function requiredEmail(): z.ZodMiniType<string, string> {
  return described(
    z.pipe(
      z.pipe(
        plainText().check(
          z.overwrite(visibleText),
          z.toLowerCase(),
          z.minLength(1),
          z.maxLength(EMAIL_LENGTH),
        ),
        z.transform(asciiEmail),
      ),
      z.email({ pattern: EMAIL }).check(z.maxLength(EMAIL_LENGTH)),
    ),
    { format: 'email' },
  );
}

/** A search text, possibly empty. */
export function searchQueryText() {
  return z.pipe(
    z.nullish(plainText().check(z.maxLength(SEARCH_LENGTH))),
    z.transform((text) => text ?? ''),
  );
}

/** An optional name or similar text. */
export function optionalText(longest?: number) {
  return optional(requiredText(longest));
}

/**
 * A text of several lines: line breaks become LF, tabs become spaces. null and '' mean no text; absence stays
 * undefined (WIRE-5).
 */
export function statedMultilineText(longest: number) {
  return z.pipe(
    z.nullish(
      z.pipe(
        z
          .pipe(
            z.string().check(z.trim(), z.normalize('NFC')),
            z.transform((text) => text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ')),
          )
          .check(
            z.refine(
              (text) => !CONTROL_CHARACTERS_IN_LINES.test(text),
              rule('{0} must not contain control characters'),
            ),
            z.refine((text) => text.isWellFormed(), rule('{0} must be valid Unicode text')),
          ),
        z.string().check(z.maxLength(longest)),
      ),
    ),
    z.transform((text) => (text === '' ? null : text)),
  );
}

/**
 * Removes invisible characters: direction marks, joiners, and the byte order mark. Spreadsheets, chats and web pages
 * put them around a copied number.
 */
export function visibleText(text: string): string {
  return text.replaceAll(/\p{Cf}/gu, '').trim();
}

/**
 * Removes invisible characters from a text of digits and spaces; any other text is unchanged, since it may have any
 * characters.
 */
export function visibleDigits(text: string): string {
  const plain = visibleText(text);
  return /^[\d\s]+$/.test(plain) ? plain : text;
}

/** As `visibleDigits`, and without spaces. */
function tidyDigits(text: string): string {
  const plain = withoutSpaces(text);
  return /^\d+$/.test(plain) ? plain : text;
}

/** 'NO 974 760 673 MVA' → '974760673'. The first form is the one on printed documents. */
export function tidyOrgNumber(text: string): string {
  const plain = withoutSpaces(text).replaceAll('.', '');
  return /^(?:NO)?(\d{9})(?:MVA)?$/i.exec(plain)?.[1] ?? tidyDigits(text);
}

/** '+47 912 34 567' and '(0047) 91-23-45-67' → '91234567'. */
export function tidyPhoneNumber(text: string): string {
  const plain = withoutSpaces(text).replaceAll(/[().\p{Pd}]/gu, '');
  return /^(?:(?:\+|00)?47)?(\d{8})$/.exec(plain)?.[1] ?? tidyDigits(text);
}

/** '8601 11 17947' → '86011117947'. */
export function withoutSpaces(text: string): string {
  return visibleText(text).replaceAll(/\s/g, '');
}
