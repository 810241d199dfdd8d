import { visibleText, withoutSpaces } from '../../domain/text.ts';

/** At most so many: 0 in whole numbers, 2 in kroner, which always have them, 3 in quantities. */
export type Decimals = 0 | 2 | 3;

/** The least and the greatest that a field takes. */
export interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

let money: Intl.NumberFormat | undefined;

/**
 * 1234.5 → '1 234,50' in kroner; '' for no number. Money is in groups of three; other numbers are
 * not, because some of them are names, such as a customer's.
 */
export function formatNumber(value: number | null | undefined, decimals: Decimals): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '';
  if (decimals === 2) {
    money ??= new Intl.NumberFormat('nb-NO', {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    });
    return money.format(value);
  }
  // Never rounded: what a whole number's field cannot take must be seen to be mended.
  const digits = Number.isInteger(value)
    ? BigInt(value).toString()
    : String(value).replace('.', ',');
  return digits.replace('-', '\u2212');
}

/** The meaning of a text of digits, marks and spaces. */
export interface ReadNumber {
  /** Null for no text, NaN for text that is no number. */
  readonly value: number | null;
  /** How many digits stand after the decimal mark. */
  readonly decimals: number;
}

const NOTHING: ReadNumber = { value: null, decimals: 0 };
const NO_NUMBER: ReadNumber = { value: NaN, decimals: 0 };

// Groups of three, the first without a leading zero: '0.125' is not 125.
const BY_POINTS = /^(-?[1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d*))?$/;
const BY_COMMAS = /^(-?[1-9]\d{0,2}(?:,\d{3})+)\.(\d*)$/;
const BY_COMMAS_ALONE = /^-?[1-9]\d{0,2}(?:,\d{3}){2,}$/;
/** As in '500,-'. */
const NO_ORE = /(\d)[,.]-$/;
/** As bookkeepers and their programs write less than nothing: '(100,00)' and '100,00-'. */
const BRACKETED = /^\(([^()-]+)\)$/;
const SIGNED_LAST = /^([^()-]*\d)-$/;
const PLAIN = /^(-?\d*)[,.]?(\d*)$/;

/**
 * The number that a typed or pasted text means (WEB-18 has the table). A point before exactly
 * three digits separates thousands; every other mark is the decimal one.
 */
export function readNumber(text: string): ReadNumber {
  const plain = withoutSpaces(text.replaceAll(MINUS, '-'))
    .replace(NO_ORE, '$1')
    .replace(BRACKETED, '-$1')
    .replace(SIGNED_LAST, '-$1');
  if (plain === '') return NOTHING;
  if (!/\d/.test(plain)) return NO_NUMBER;
  if (BY_COMMAS_ALONE.test(plain)) return { value: Number(plain.replaceAll(',', '')), decimals: 0 };
  const found = BY_POINTS.exec(plain) ?? BY_COMMAS.exec(plain) ?? PLAIN.exec(plain);
  if (!found) return NO_NUMBER;
  const [, whole = '', fraction = ''] = found;
  return {
    value: Number(`${whole.replaceAll(MARK, '')}.${fraction}0`),
    decimals: fraction.length,
  };
}

/** Why a field cannot take its text. */
export type NumberFault = 'notANumber' | 'notWhole' | 'tooManyDecimals' | 'tooSmall';

/** What a field makes of its text. */
export interface FieldNumber {
  /** The form's value: null for no text, NaN for text that is no number. */
  readonly value: number | null;
  readonly fault: NumberFault | undefined;
}

/**
 * What a field with so many decimals makes of its text. '10,00' is 10 for a whole number too. A fault
 * is never rounded away: the form gets a value that its schema refuses.
 *
 * @param min a number below it is brought up to it, unless that would turn its sign or invent a fraction
 */
export function fieldNumber(text: string, decimals: Decimals, min = -Infinity): FieldNumber {
  const { value, decimals: written } = readNumber(text);
  if (Number.isNaN(value)) return { value, fault: 'notANumber' };
  if (decimals === 0 && !Number.isInteger(value ?? 0)) return { value, fault: 'notWhole' };
  // '12,500' may have been meant as twelve thousand, and '12,345' cannot be paid.
  if (written > (decimals || 2)) {
    const isRefused = value !== Number(value?.toFixed(decimals || 2));
    return { value: isRefused ? value : NaN, fault: 'tooManyDecimals' };
  }
  const isLess = value !== null && value < min;
  if (isLess && ((value < 0 && min >= 0) || !Number.isInteger(min))) {
    return { value, fault: 'tooSmall' };
  }
  return { value, fault: undefined };
}

const CURRENCY = /kr\b\.?|NOK|\u20AC|[$\u00A3]/gi;
/** As in '500,-', with or without what follows. */
const WITHOUT_ORE = /(?<=\d)[,.]-(?=\s*\)?\s*$)/;
const WRITTEN_NUMBER = /[\d\s,.]*\d[\d\s,.]*/g;
/** Words may stand around the number and its signs: 'Rabatt: -100'. */
const SIGNS_BEFORE = /^(?:[^\d()-]*[^\d()\s,.-])?([\s()-]*)$/;
const SIGNS_AFTER = /^([\s()]*)(?:-\s*|[^\d()\s,.-][^\d()-]*)?$/;
/** Credit, as programs for books write it. */
const CREDIT = /\bcr\b/i;
/** The signs of less than nothing, where the number is '|'. */
const NEGATIVE = new Set(['-|', '|-', '(|)']);

/**
 * The number in a text from somewhere else: 'kr 1 234,50' → '1 234,50', '(100,00)' → '\u2212100,00'. Null where there is
 * none, or more than one, as in '1e5' and '2 av 3', and where it may be less than nothing: '100,00 CR'.
 */
export function numberIn(text: string): string | null {
  const plain = visibleText(text.replaceAll(MINUS, '-'))
    .replaceAll(CURRENCY, ' ')
    .replace(WITHOUT_ORE, '');
  const [found, another] = plain.matchAll(WRITTEN_NUMBER);
  if (!found || another) return null;
  const before = SIGNS_BEFORE.exec(plain.slice(0, found.index))?.[1];
  const after = SIGNS_AFTER.exec(plain.slice(found.index + found[0].length));
  if (before === undefined || !after || CREDIT.test(plain)) return null;
  const isSignedLast = after[0].trimEnd().endsWith('-');
  const signs = `${before}|${after[1]}${isSignedLast ? '-' : ''}`.replaceAll(/\s/g, '');
  if (signs !== '|' && !NEGATIVE.has(signs)) return null;
  return `${signs === '|' ? '' : '\u2212'}${found[0].trim()}`;
}

/** All but digits, spaces, marks and minus. */
const NOT_NUMERIC = /[^\d\s,.\p{Pd}\u00AD\u2212]/gu;
const MARK = /[,.]/g;
/** Every dash; a soft hyphen too, which some programs print. */
const MINUS = /[\p{Pd}\u00AD\u2212]/gu;

/** A field's text, and where its caret is. */
interface Typed {
  readonly text: string;
  readonly caret: number;
}

/**
 * What a field takes of a typed or dropped text: numeric characters only, and a minus where negative numbers
 * are allowed.
 */
export function asTyped({ text, caret }: Typed, { min = -Infinity }: Bounds): Typed {
  const keep = (part: string) => {
    const numeric = part.replaceAll(NOT_NUMERIC, '');
    return min < 0 ? numeric : numeric.replaceAll(MINUS, '');
  };
  const left = keep(text.slice(0, caret));
  return { text: left + keep(text.slice(caret)), caret: left.length };
}

/** The same text with the other sign: '100' → '−100' and back. */
export function withOtherSign(text: string): string {
  const bare = text.trim();
  return /^[\u2212\u2013-]/.test(bare) ? bare.slice(1).trimStart() : `\u2212${bare}`;
}

interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/**
 * How far a key steps: an arrow by 1, with Shift by 10, with Ctrl or Meta by 0.1, which whole numbers do not
 * have; others not at all.
 */
export function stepOf({ key, shiftKey, ctrlKey, metaKey }: Key, decimals: Decimals): number {
  const isTenth = ctrlKey || metaKey;
  if (isTenth && decimals === 0) return 0;
  const size = isTenth ? 0.1 : shiftKey ? 10 : 1;
  if (key === 'ArrowUp') return size;
  return key === 'ArrowDown' ? -size : 0;
}

/** A number, or nothing, one step further; never beyond the bounds, nor to one that is no whole number. */
export function stepped(value: number | null, step: number, bounds: Bounds): number {
  // Tenths have no exact binary form: 0.1 + 0.2 must become 0.3.
  const reached = clamp(Number(((value ?? 0) + step).toFixed(10)), bounds);
  // From 1 nobody steps down to 0.001.
  const isOdd = reached === bounds.min && !Number.isInteger(reached);
  return isOdd ? (value ?? 1) : reached;
}

/** The nearest number within the bounds. */
export function clamp(value: number, { min = -Infinity, max = Infinity }: Bounds): number {
  return Math.min(Math.max(value, min), max);
}
