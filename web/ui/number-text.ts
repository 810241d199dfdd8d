const SMALL_STEP = 0.1;

interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/**
 * How a number is written: money in groups of three, '1 234,50'; whole numbers without, because
 * some of them are names, such as a customer's.
 */
export function numberFormat(decimals: 0 | 2): Intl.NumberFormatOptions {
  return {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: decimals > 0,
  };
}

/** 1234.5 → '1 234,50' with so many decimals; '' for no number. */
export function formatNumber(value: number | null | undefined, decimals: 0 | 2): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '';
  return new Intl.NumberFormat('nb-NO', numberFormat(decimals)).format(value);
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

/**
 * What stands in a field after a comma or a point was typed at its end. Both are the decimal comma:
 * a numeric keypad has only the point. But one with three digits between it and the next was there
 * to part thousands, as in 1.234,50 and 1.234.567, and goes.
 */
export function withMark(text: string, mark: ',' | '.'): string {
  if (!text.includes(',')) return `${text},`;
  if (!/,\d{3}$/.test(text)) return text;
  const digits = text.replace(',', '');
  return mark === ',' ? `${digits},` : digits;
}

/**
 * What an arrow key with Ctrl or Meta makes of a number: a tenth of the ordinary step of 1.
 * Undefined for every other key.
 */
export function steppedByModifier(
  { key, ctrlKey, metaKey }: Key,
  value: number | null,
  { min = -Infinity, max = Infinity }: Bounds,
): number | undefined {
  if (!(ctrlKey || metaKey) || (key !== 'ArrowUp' && key !== 'ArrowDown')) return undefined;
  const stepped = (value ?? 0) + (key === 'ArrowUp' ? SMALL_STEP : -SMALL_STEP);
  // Tenths have no exact binary form: 0.1 + 0.2 must become 0.3.
  return Math.min(Math.max(Number(stepped.toFixed(10)), min), max);
}
