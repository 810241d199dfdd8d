import { z } from 'zod';

import { divideRounded, type Ore } from '../money.ts';

/** Smallest quantity while `units` is on (INV-5). */
const QUANTITY_MIN = 0.001;
const THOUSANDTHS = 1000n;
/** From here on a number cannot hold every thousandth; a whole quantity may be larger. */
const DECIMALS_BELOW = 1e12;

/** Whether a number has at most three decimals and is exact in thousandths. */
export function isQuantity(quantity: number): boolean {
  if (Number.isSafeInteger(quantity)) return true;
  return Math.abs(quantity) < DECIMALS_BELOW && Number(quantity.toFixed(3)) === quantity;
}

/** A quantity in thousandths, exactly. @throws RangeError when it has more than three decimals */
export function thousandthsOf(quantity: number): bigint {
  if (!isQuantity(quantity)) throw new RangeError(`Not a quantity in thousandths: ${quantity}`);
  return Number.isSafeInteger(quantity)
    ? BigInt(quantity) * THOUSANDTHS
    : BigInt(Math.round(quantity * 1000));
}

/** Quantity × unit price, rounded once to whole øre, half away from zero (EN 16931, BT-131). */
export function exactNet(quantity: number, netUnitAmount: Ore): bigint {
  return divideRounded(thousandthsOf(quantity) * BigInt(netUnitAmount), THOUSANDTHS);
}

/** A positive quantity as stored: its whole part and its thousandths (0–999). */
export function quantityParts(quantity: number): { whole: number; thousandths: number } {
  const thousandths = thousandthsOf(quantity);
  return {
    whole: Number(thousandths / THOUSANDTHS),
    thousandths: Number(thousandths % THOUSANDTHS),
  };
}

/** A quantity in Norwegian notation: '1 234,5' with no-break spaces, without trailing zeros. */
export function formatQuantity(quantity: number): string {
  const [whole = '', decimals] = String(quantity).split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, '\u00A0');
  return decimals === undefined ? grouped : `${grouped},${decimals}`;
}

/** A quantity on the wire while `units` is on: a positive JSON number with at most three decimals. */
export function decimalQuantity() {
  return z
    .number()
    .min(QUANTITY_MIN)
    .max(Number.MAX_SAFE_INTEGER)
    .refine(
      (quantity) =>
        quantity < QUANTITY_MIN || quantity > Number.MAX_SAFE_INTEGER || isQuantity(quantity),
      'must have at most three decimals',
    )
    .meta({ multipleOf: 0.001 });
}
