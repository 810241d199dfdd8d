import { formatKroner, groupThousands } from '../../domain/money.ts';
import { visibleText } from '../../domain/text.ts';
import { MINUS, readNumber } from '../../domain/written-number.ts';

/** Maximum number of decimals: 0 for whole numbers, 2 for kroner (always shown), 3 for quantities. */
export type Decimals = 0 | 2 | 3;

/** Inclusive limits of a number field. */
interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

let money: Intl.NumberFormat | undefined;

/**
 * 1234.5 → '1 234,50' in kroner; '' for null, undefined and NaN. Only kroner get thousands separators, because
 * other numbers may be identifiers, such as a customer number.
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
  // Not rounded: a fraction in a whole-number field must stay visible, so that the user can correct it.
  const digits = Number.isInteger(value)
    ? BigInt(value).toString()
    : String(value).replace('.', ',');
  return digits.replace('-', '\u2212');
}

export type NumberFault = 'notANumber' | 'notWhole' | 'tooManyDecimals' | 'tooSmall';

interface FieldNumber {
  /** The form's value: null for empty text, NaN for text that is not a number. */
  readonly value: number | null;
  readonly fault: NumberFault | undefined;
}

/**
 * Reads the text of a field. A whole-number field accepts '10,00' as 10. A faulty number is not rounded: the
 * form gets a value that its schema rejects.
 *
 * @param min the field raises a smaller number to `min`, except when that would change the sign or add a
 *   fraction; then the fault is 'tooSmall'
 */
export function fieldNumber(text: string, decimals: Decimals, min = -Infinity): FieldNumber {
  const { value, decimals: written } = readNumber(text);
  if (Number.isNaN(value)) return { value, fault: 'notANumber' };
  if (decimals === 0 && !Number.isInteger(value ?? 0)) return { value, fault: 'notWhole' };
  // '12,500' is ambiguous (it may mean 12 500), and '12,345' is not payable in øre.
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

const CURRENCY = /kr\b\.?|NOK\b\.?|\u20AC|[$\u00A3]/gi;
/** The end of '500,-', also before a closing parenthesis. */
const WITHOUT_ORE = /(?<=\d)[,.]-(?=\s*\)?\s*$)/;
const WRITTEN_NUMBER = /[\d\s,.]*\d[\d\s,.]*/g;
/** Two numbers rather than one: a mark beside a space ('3. 500'), and the cells or lines of a table. */
const APART = /\d\s*[,.]\s+\d|\d\s+[,.]\s*\d|\d[^\S\r\n]*[\t\r\n]\s*\d/;
/** The signs before and after the number. Words around them are allowed: 'Rabatt: -100'. */
const SIGNS_BEFORE = /^(?:[^\d()-]*[^\d()\s,.-])?([\s()-]*)$/;
const SIGNS_AFTER = /^([\s()]*)(?:-\s*|[^\d()\s,.-][^\d()-]*)?$/;
/** The mark for credit in accounting programs. */
const CREDIT = /\bcr\b/i;
/** The sign combinations of negative numbers, with '|' in place of the number. */
const NEGATIVE = new Set(['-|', '|-', '(|)']);

/**
 * Extracts the number from pasted text: 'kr 1 234,50' → '1 234,50', '(100,00)' → '\u2212100,00', 'ca. 500' → '500'.
 * Null when the text has no number or several ('1e5', '2 av 3'), when the sign is uncertain ('100,00 CR'), when a mark
 * after a word may be a decimal one ('ca .50'), and for a percentage.
 */
export function numberIn(text: string): string | null {
  const visible = visibleText(text.replaceAll(MINUS, '-'));
  const plain = visible
    .replaceAll(CURRENCY, (word) => ' '.repeat(word.length))
    .replace(WITHOUT_ORE, '');
  const [found, another] = plain.matchAll(WRITTEN_NUMBER);
  if (!found || another || APART.test(found[0]) || plain.includes('%')) return null;
  const digitsAt = found.index + found[0].search(/\d/);
  const end = found.index + found[0].length;
  const digits = withoutMarkOfWord(plain.slice(digitsAt, end).trim(), visible.slice(0, digitsAt));
  const before = SIGNS_BEFORE.exec(plain.slice(0, found.index))?.[1];
  const after = SIGNS_AFTER.exec(plain.slice(end));
  if (digits === null || before === undefined || !after || CREDIT.test(plain)) return null;
  const isSignedLast = after[0].trimEnd().endsWith('-');
  const signs = `${before}|${after[1]}${isSignedLast ? '-' : ''}`.replaceAll(/\s/g, '');
  if (signs !== '|' && !NEGATIVE.has(signs)) return null;
  return `${signs === '|' ? '' : '\u2212'}${digits}`;
}

/**
 * Takes the end of an abbreviation off a number: in 'ca. 500' and 'pr.stk. 45' the point is no decimal mark.
 *
 * @param before the text up to its first digit
 * @returns null when the mark may belong to either
 */
function withoutMarkOfWord(digits: string, before: string): string | null {
  const mark = /[,.]$/.exec(before)?.[0] ?? '';
  const words = mark ? before.slice(0, -1) : before;
  // '.50' alone, or after a sign or a currency's symbol, is half a krone.
  if (mark !== '' && !/\p{L}/u.test(words)) return `${mark}${digits}`;
  return mark === '' || /\p{L}$/u.test(words) ? digits : null;
}

/** All characters except digits, spaces, points, commas and minus signs. */
const NOT_NUMERIC = /[^\d\s,.\p{Pd}\u00AD\u2212]/gu;

interface Typed {
  readonly text: string;
  readonly caret: number;
}

/**
 * Filters typed or dropped text: keeps numeric characters, and a minus sign when negative numbers are allowed.
 */
export function asTyped({ text, caret }: Typed, { min = -Infinity }: Bounds): Typed {
  const keep = (part: string) => {
    const numeric = part.replaceAll(NOT_NUMERIC, '');
    return min < 0 ? numeric : numeric.replaceAll(MINUS, '');
  };
  const left = keep(text.slice(0, caret));
  return { text: left + keep(text.slice(caret)), caret: left.length };
}

/** Toggles the sign: '100' → '−100', and back. */
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
 * The step of a key: arrow 1, with Shift 10, with Ctrl or Meta 0.1 (0 in whole-number fields). Other keys: 0.
 */
export function stepOf({ key, shiftKey, ctrlKey, metaKey }: Key, decimals: Decimals): number {
  const isTenth = ctrlKey || metaKey;
  if (isTenth && decimals === 0) return 0;
  const size = isTenth ? 0.1 : shiftKey ? 10 : 1;
  if (key === 'ArrowUp') return size;
  return key === 'ArrowDown' ? -size : 0;
}

/** Adds a step to a number (null counts as 0). Stays within the bounds, and never stops at a fractional minimum. */
export function stepped(value: number | null, step: number, bounds: Bounds): number {
  // Tenths have no exact binary form: 0.1 + 0.2 must become 0.3.
  const reached = clamp(Number(((value ?? 0) + step).toFixed(10)), bounds);
  // A step down from 1 stays at 1 when the minimum is 0.001.
  const isOdd = reached === bounds.min && !Number.isInteger(reached);
  return isOdd ? (value ?? 1) : reached;
}

export function clamp(value: number, { min = -Infinity, max = Infinity }: Bounds): number {
  return Math.min(Math.max(value, min), max);
}

/** 1250 → '1 250,00 kr', with non-breaking spaces. */
export function showKroner(kroner: number): string {
  return `${formatKroner(kroner)}\u00A0kr`;
}

/** 5000 → '5 000'. Not by Intl: a browser takes 50 ms for its first number, before the list is drawn. */
export function showCount(count: number): string {
  return groupThousands(String(count)).replace('-', '\u2212');
}

/** '1 kunde', '12 kunder', '10 000 kunder'. */
export function countOf(count: number, one: string, many: string): string {
  return `${showCount(count)} ${count === 1 ? one : many}`;
}

/** 'Kari, Ola og Per'. */
export const NAMES = new Intl.ListFormat('nb');
