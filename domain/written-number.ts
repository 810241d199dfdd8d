import { withoutSpaces } from './text.ts';

/** All dashes, and the soft hyphen, which some programs use as a minus sign. */
export const MINUS = /[\p{Pd}\u00AD\u2212]/gu;
const MARK = /[,.]/g;

interface ReadNumber {
  /** Null for empty text, NaN for text that is not a number. */
  readonly value: number | null;
  /** The number of digits after the decimal mark. */
  readonly decimals: number;
}

const NOTHING: ReadNumber = { value: null, decimals: 0 };
const NO_NUMBER: ReadNumber = { value: NaN, decimals: 0 };

// Thousands separators: groups of three digits. The first group has no leading zero, since '0.125' is not 125.
const BY_POINTS = /^(-?[1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d*))?$/;
const BY_COMMAS = /^(-?[1-9]\d{0,2}(?:,\d{3})+)\.(\d*)$/;
const BY_COMMAS_ALONE = /^-?[1-9]\d{0,2}(?:,\d{3}){2,}$/;
/** '500,-', the Norwegian notation for no øre. */
const NO_ORE = /(\d)[,.]-$/;
/** Negative amounts in accounting notation: '(100,00)' and '100,00-'. */
const BRACKETED = /^\(([^()-]+)\)$/;
const SIGNED_LAST = /^([^()-]*\d)-$/;
const PLAIN = /^(-?\d*)[,.]?(\d*)$/;

/**
 * Parses a typed or pasted number (table in WEB-18). A point before exactly three digits separates thousands;
 * any other point or comma is the decimal mark.
 */
export function readNumber(text: string): ReadNumber {
  const plain = withoutSpaces(text.replaceAll(MINUS, '-'))
    .replace(NO_ORE, '$1')
    .replace(BRACKETED, '-$1')
    .replace(SIGNED_LAST, '-$1');
  if (plain === '') return NOTHING;
  // The end of a word whose letters were not taken: '. 45' of 'ca. 45'.
  if (!/\d/.test(plain) || /[,.]\s+\d/.test(text)) return NO_NUMBER;
  if (BY_COMMAS_ALONE.test(plain)) return { value: Number(plain.replaceAll(',', '')), decimals: 0 };
  const found = BY_POINTS.exec(plain) ?? BY_COMMAS.exec(plain) ?? PLAIN.exec(plain);
  if (!found) return NO_NUMBER;
  const [, whole = '', fraction = ''] = found;
  return {
    value: Number(`${whole.replaceAll(MARK, '')}.${fraction}0`),
    decimals: fraction.length,
  };
}
