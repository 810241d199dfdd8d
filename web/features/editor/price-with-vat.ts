import type { VatRate } from '../../../domain/vat-treatment.ts';
import { divideRounded, isKroner, kronerToOre, ore, oreToKroner } from '../../../domain/money.ts';
import type { DraftLine } from './draft-values.ts';
import { draftLineGross } from '../invoice/line-sums.ts';

type Price = DraftLine['netUnitAmount'];

/**
 * Converts a price with VAT to the nearest price without VAT. Both are in kroner, rounded to whole øre. Returns an
 * invalid price unchanged, for the schema to refuse.
 */
export function netOf(gross: Price, rate: VatRate | null): Price {
  return scaled(gross, 100, 100 + (rate ?? 0));
}

/** Converts a price without VAT to one with VAT. Both are in kroner, rounded to whole øre. */
export function grossOf(net: Price, rate: VatRate | null): Price {
  return scaled(net, 100 + (rate ?? 0), 100);
}

function scaled(price: Price, factor: number, divisor: number): Price {
  if (price === null || !isKroner(price)) return price;
  const amount = divideRounded(BigInt(kronerToOre(price)) * BigInt(factor), BigInt(divisor));
  return Number.isSafeInteger(Number(amount)) ? oreToKroner(ore(Number(amount))) : price;
}

/**
 * The difference in øre between a line's sum with VAT and the typed price with VAT times the quantity. It arises
 * because the price without VAT is rounded to whole øre. 0 while either is unknown.
 */
export function lineDifference(line: DraftLine, typed: Price): number {
  const sum = draftLineGross(line);
  const meant = draftLineGross({ ...line, netUnitAmount: typed, vatRatePercentage: 0 });
  return sum === null || meant === null ? 0 : sum - meant;
}
