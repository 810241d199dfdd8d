import { once } from '../../domain/once.ts';

/** The least and the greatest that a field takes. */
export interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

const money = once(
  () => new Intl.NumberFormat('nb-NO', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);

/**
 * 1234.5 → '1 234,50' with so many decimals; '' for no number. Money is in groups of three; whole
 * numbers are not, because some of them are names, such as a customer's.
 */
export function formatNumber(value: number | null | undefined, decimals: 0 | 2): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '';
  if (decimals > 0) return money().format(value);
  return BigInt(Math.round(value)).toString().replace('-', '\u2212');
}

/** '1 234,50' or '-1234.5' → the number; null for what is not one. */
export function parseNumber(text: string): number | null {
  const plain = text
    .replaceAll(/\s/g, '')
    .replaceAll(/[\u2212\u2013]/g, '-')
    .replace(',', '.');
  if (!/^-?(\d+\.?\d*|\.\d+)$/.test(plain)) return null;
  return Number(plain);
}

/**
 * A number as other programs write it: '1.234,50', '1,234.50', '1234.5' and 'kr 1 234,50'. The last
 * mark parts the decimals. Null for what is not a number.
 */
export function parseForeignNumber(text: string): number | null {
  const bare = text.replaceAll(/kr\.?|NOK|,-\s*$/gi, '');
  const grouping = bare.lastIndexOf(',') > bare.lastIndexOf('.') ? '.' : ',';
  return parseNumber(bare.replaceAll(grouping, ''));
}

/** What a number is written with, beside its digits. */
const NOT_NUMERIC = /[^\d\s,.\u2212\u2013-]/g;
const MARK = /[,.]/;
const MINUS = /[\u2212\u2013-]/g;

/** What is in a field, and where its caret is. */
interface Typed {
  readonly text: string;
  readonly caret: number;
}

/**
 * What somebody typed, pasted or dropped into a field, as the field takes it: numeric characters alone,
 * a minus only where less than nothing may stand, one comma and only where there are decimals.
 *
 * @param before what stood in the field
 */
export function asTyped(
  before: string,
  { text, caret }: Typed,
  { min = -Infinity, decimals }: Bounds & { readonly decimals: 0 | 2 },
): Typed {
  const keep = (part: string) => {
    const numeric = part.replaceAll(NOT_NUMERIC, '');
    const signed = min < 0 ? numeric : numeric.replaceAll(MINUS, '');
    return decimals > 0 ? signed : signed.replaceAll(/[,.]/g, '');
  };
  const left = keep(text.slice(0, caret));
  const right = keep(text.slice(caret));
  const mark = left.at(-1);
  const isMark =
    mark !== undefined && MARK.test(mark) && left.length + right.length > before.length;
  if (!isMark) return { text: left + right, caret: left.length };
  const rest = left.slice(0, -1);
  if (right === '') return atEnd(withMark(rest, mark as ',' | '.'));
  // Inside the text, where it cannot have parted thousands.
  if (MARK.test(rest + right)) return { text: rest + right, caret: rest.length };
  return { text: `${rest},${right}`, caret: left.length };
}

function atEnd(text: string): Typed {
  return { text, caret: text.length };
}

/**
 * What stands in a field after a comma or a point was typed at its end. Both are the decimal comma:
 * a numeric keypad has only the point. But one with three digits between it and the next was there
 * to part thousands, as in 1.234,50 and 1.234.567, and goes.
 */
function withMark(text: string, mark: ',' | '.'): string {
  if (!text.includes(',')) return `${text},`;
  if (!/,\d{3}$/.test(text)) return text;
  const digits = text.replace(',', '');
  return mark === ',' ? `${digits},` : digits;
}

interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** How far a key steps: an arrow by 1, with Shift by 10, with Ctrl or Meta by 0.1; others not at all. */
export function stepOf({ key, shiftKey, ctrlKey, metaKey }: Key): number {
  const size = ctrlKey || metaKey ? 0.1 : shiftKey ? 10 : 1;
  if (key === 'ArrowUp') return size;
  return key === 'ArrowDown' ? -size : 0;
}

/** A number, or nothing, one step further; never beyond the bounds. */
export function stepped(value: number | null, step: number, bounds: Bounds): number {
  // Tenths have no exact binary form: 0.1 + 0.2 must become 0.3.
  return clamp(Number(((value ?? 0) + step).toFixed(10)), bounds);
}

/** The nearest number within the bounds. */
export function clamp(value: number, { min = -Infinity, max = Infinity }: Bounds): number {
  return Math.min(Math.max(value, min), max);
}
