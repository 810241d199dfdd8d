import { formatQuantity, thousandthsOf } from '../invoice/invoice-line.schema.ts';
import { formatCounted } from '../invoice/unit-names.ts';
import { lineNet, type TotalsLine, type TreatedLine } from '../invoice/invoice.totals.ts';
import { divideRounded, ore, type Ore } from '../money.ts';
import { DESCRIPTION_LENGTH } from '../text.ts';

/** The part of a quote's line that is on invoices. */
export interface Taken {
  /** The exact share, as a numerator over `wholeOf` the line. */
  readonly share: bigint;
  /** Øre without VAT; the sign is the line's. */
  readonly net: Ore;
}

/** The wanted part of a line, at most one of both; with neither all that is left. */
export interface PartWish {
  /** A percent of the whole line, 0.01 to 100 with at most two decimals. */
  readonly percent?: number | null | undefined;
  /** Positive, with at most three decimals. */
  readonly quantity?: number | null | undefined;
}

/** A hundredth of a percent of a line. */
const HUNDREDTHS = 10_000n;

/** Shares are over this, so that each percent and each quantity of a line is a whole number. */
export function wholeOf({ quantity }: Pick<TreatedLine, 'quantity'>): bigint {
  return thousandthsOf(quantity) * HUNDREDTHS;
}

/** Øre without VAT that are left of a line. */
export function netLeft(line: TotalsLine, taken: Taken): Ore {
  return ore(lineNet(line) - taken.net);
}

/**
 * The part of a line that a wish takes: its share of the net, rounded to øre and never more than is left. The part that
 * empties the line takes the øre that are left (QUO-52).
 *
 * @returns null when the wish is for more than is left, or when nothing is left
 */
export function partOf(line: TotalsLine, taken: Taken, wish: PartWish): Taken | null {
  const whole = wholeOf(line);
  const left = whole - taken.share;
  const share = shareOf(line, wish) ?? left;
  if (share <= 0n || share > left) return null;
  const most = netLeft(line, taken);
  if (share === left) return { share, net: most };
  const rounded = Number(divideRounded(BigInt(lineNet(line)) * share, whole));
  return { share, net: ore(most < 0 ? Math.max(rounded, most) : Math.min(rounded, most)) };
}

function shareOf(line: TotalsLine, { percent, quantity }: PartWish): bigint | null {
  if (typeof percent === 'number')
    return BigInt(Math.round(percent * 100)) * thousandthsOf(line.quantity);
  if (typeof quantity === 'number') return thousandthsOf(quantity) * HUNDREDTHS;
  return null;
}

/**
 * The line of an invoice for a part of a quote's line. The whole line is itself; any other part is one piece with the
 * part as its price (QUO-51).
 *
 * @param hasUnits whether the feature `units` is on
 */
export function lineOfPart(
  line: TreatedLine,
  part: Taken,
  {
    wish,
    quoteNumber,
    hasUnits,
  }: { readonly wish: PartWish; readonly quoteNumber: number; readonly hasUnits: boolean },
): TreatedLine {
  const { quantity, unit, description, netUnitAmount, vatRate, vatTreatment, productNumber } = line;
  const own = { vatRate, vatTreatment, productNumber };
  if (part.share === wholeOf(line)) return { ...own, quantity, unit, description, netUnitAmount };
  const words = ` (${wordsOf(wish, { quantity, unit: hasUnits ? unit : null })}tilbud ${quoteNumber})`;
  return {
    ...own,
    quantity: 1,
    unit: null,
    description: cut(description, DESCRIPTION_LENGTH - words.length) + words,
    netUnitAmount: part.net,
  };
}

/** '30 % av ', '3 av 10 timer, ' or 'rest av ' */
function wordsOf(
  { percent, quantity }: PartWish,
  whole: Pick<TreatedLine, 'quantity' | 'unit'>,
): string {
  if (typeof percent === 'number') return `${formatQuantity(percent)} % av `;
  if (typeof quantity !== 'number') return 'rest av ';
  const all = formatCounted(whole.quantity, whole.unit);
  return `${formatQuantity(quantity)} av ${all}, `.replaceAll('\u00A0', ' ');
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // Half of a character beyond the first 65,536 is no text.
  return `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
