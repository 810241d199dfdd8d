import { z } from 'zod/mini';

import { described } from './api/described.ts';
import { rule } from './api/rules.ts';

declare const unit: unique symbol;

/** An amount in integer øre (1/100 krone), exact within ±2^53. The server computes only in øre (WIRE-4). */
export type Ore = number & { readonly [unit]: 'ore' };

/** Declares that a number is a whole amount of øre. @throws RangeError when it is not a safe integer. */
export function ore(amount: number): Ore {
  if (!Number.isSafeInteger(amount))
    throw new RangeError(`Not a whole, safe amount of øre: ${amount}`);
  return (amount === 0 ? 0 : amount) as Ore;
}

/** Whether a number of kroner has at most two decimals and fits in safe integer øre. */
export function isKroner(kroner: number): boolean {
  return Number.isSafeInteger(Math.round(kroner * 100)) && Number(kroner.toFixed(2)) === kroner;
}

/** Converts kroner with at most two decimals to øre. @throws RangeError for anything else. */
export function kronerToOre(kroner: number): Ore {
  if (!isKroner(kroner)) throw new RangeError(`Not an amount in kroner and øre: ${kroner}`);
  return ore(Math.round(kroner * 100));
}

/** Øre as kroner, for the wire and the screen. */
export function oreToKroner(amount: Ore): number {
  return amount / 100;
}

/** Sum of amounts in kroner, computed in øre: 0.1 + 0.2 must be 0.3. */
export function sumKroner(amounts: readonly number[]): number {
  return amounts.reduce((sum, kroner) => sum + Math.round(kroner * 100), 0) / 100;
}

/** One amount minus another in kroner, computed in øre as `sumKroner` does. */
export function differenceKroner(one: number, other: number): number {
  return sumKroner([one, -other]);
}

/** Øre as a plain decimal string with two decimals and a point: '-1234.50', for XML. */
export function oreToDecimal(amount: Ore): string {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Øre in Norwegian notation: '1 234,50' with no-break spaces and a true minus sign. */
export function formatOre(amount: Ore): string {
  const [kroner = '', fraction = ''] = oreToDecimal(ore(Math.abs(amount))).split('.');
  return `${amount < 0 ? '\u2212' : ''}${groupThousands(kroner)},${fraction}`;
}

/** Digits in groups of three with no-break spaces: '1234567' → '1 234 567'. */
export function groupThousands(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, '\u00A0');
}

/** Kroner with at most two decimals in Norwegian notation: '1 234,50'. @throws RangeError for others */
export function formatKroner(kroner: number): string {
  return formatOre(kronerToOre(kroner));
}

/** 1250 → '1 250,00'; whole kroner where the sum is too large for øre. */
export function formatSum(kroner: number): string {
  if (isKroner(kroner)) return formatKroner(kroner);
  return groupThousands(String(Math.round(kroner))).replace('-', '\u2212');
}

/** numerator / denominator, exact, rounded half away from zero (INV-9). The denominator is positive. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (magnitude * 2n + denominator) / (denominator * 2n);
  return numerator < 0n ? -rounded : rounded;
}

/** The largest amount in kroner whose øre are a safe integer. */
const KRONER_MAX = 90_071_992_547_409.91;

/** An amount on the wire: a JSON number of kroner with at most two decimals. Parses to kroner. */
export function kronerAmount() {
  return described(
    z.number().check(
      z.refine(isCountable, rule('{0} is too large')),
      z.refine(
        (kroner) => !isCountable(kroner) || isKroner(kroner),
        rule('{0} must have at most two decimals'),
      ),
    ),
    { minimum: -KRONER_MAX, maximum: KRONER_MAX, multipleOf: 0.01 },
  );
}

/** Whether its øre are a safe integer. */
function isCountable(kroner: number): boolean {
  return Number.isSafeInteger(Math.round(kroner * 100));
}
