import type { VatRate } from '../../../domain/invoice/invoice-line.schema.ts';
import { divideRounded, isKroner, kronerToOre, ore, oreToKroner } from '../../../domain/money.ts';
import type { DraftLine } from '../invoice/draft-lines.ts';
import { draftLineGross } from '../invoice/line-sums.ts';

type Price = DraftLine['netUnitAmount'];

/**
 * The price without VAT that comes nearest to one with VAT, in whole øre, both in kroner. What is no
 * price is given back as it is, for the schema to refuse.
 */
export function netOf(gross: Price, rate: VatRate | null): Price {
  return scaled(gross, 100, 100 + (rate ?? 0));
}

/** What a price without VAT is with it, in whole øre, both in kroner. */
export function grossOf(net: Price, rate: VatRate | null): Price {
  return scaled(net, 100 + (rate ?? 0), 100);
}

function scaled(price: Price, factor: number, divisor: number): Price {
  if (price === null || !isKroner(price)) return price;
  const amount = divideRounded(BigInt(kronerToOre(price)) * BigInt(factor), BigInt(divisor));
  return Number.isSafeInteger(Number(amount)) ? oreToKroner(ore(Number(amount))) : price;
}

/**
 * By how many øre a line's sum with VAT differs from what was typed with VAT, times the quantity: a price
 * without VAT has whole øre. 0 while either is not known.
 */
export function lineDifference(line: DraftLine, typed: Price): number {
  const sum = draftLineGross(line);
  const meant = draftLineGross({ ...line, netUnitAmount: typed, vatRatePercentage: 0 });
  return sum === null || meant === null ? 0 : sum - meant;
}
