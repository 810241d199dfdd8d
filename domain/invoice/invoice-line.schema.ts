import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import type { Feature } from '../api/endpoint.ts';
import { rule } from '../api/rules.ts';
import { needs, wholeNumber, optional } from '../api/validation.ts';
import { divideRounded, kronerAmount, kronerToOre, type Ore } from '../money.ts';
import { productNumber } from '../product/product-number.ts';
import { descriptionText } from '../text.ts';
import { unitOfForm } from '../unit.ts';
import { VAT_RATES, vatTreatment, type VatRate } from '../vat-treatment.ts';

/** Rates that forms offer while `vat` is off, in percent (INV-4). */
export const OFFERED_VAT_RATES = [0, 15, 25] as const satisfies readonly VatRate[];

/** The VAT rate of a new line. A seller outside the VAT register charges no VAT (INV-7). */
export function defaultVatRate(vatRegistered: boolean): VatRate {
  return vatRegistered ? 25 : 0;
}

export const LINES_MAX = 1_000;
/** Most lines that one call may make: its recipients times the lines of each (WIRE-17). */
export const LINES_OF_CALL_MAX = 100_000;
/** Largest text of those lines and the message of each invoice together, in bytes of UTF-8. */
export const TEXT_OF_CALL_MAX = 20_000_000;

/** Fields of a line in every answer. */
export const countedLine = {
  invoicedQuantity: described(
    z.number(),
    'Whole but of lines that were made with units, which have three decimals',
  ),
  unit: described(
    z.optional(z.string()),
    'Of lines that were made with units: a code of UN/ECE Recommendation 20',
  ),
  productNumber: described(z.nullish(z.string()), 'With the feature products'),
};

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
  return described(
    z.number().check(
      z.minimum(QUANTITY_MIN),
      z.maximum(Number.MAX_SAFE_INTEGER),
      z.refine(
        (quantity) =>
          quantity < QUANTITY_MIN || quantity > Number.MAX_SAFE_INTEGER || isQuantity(quantity),
        rule('{0} must have at most three decimals'),
      ),
    ),
    { multipleOf: 0.001 },
  );
}

const UNCOUNTABLE = {
  ...rule('{0} times the quantity is too large'),
  path: ['netUnitAmount'],
  when: needs('invoicedQuantity', 'netUnitAmount', 'vatRatePercentage'),
};

/** The rate as it is typed: forms of the browser have one, and the wire may leave it to the treatment (VAT-1). */
const rateOfTreatment = described(
  optional(z.literal(VAT_RATES)),
  'Follows from vat_treatment and the day of delivery; what is sent must agree with it',
) as unknown as z.ZodMiniLiteral<VatRate>;

const VAT_MISSING = {
  ...rule('{0} is a required field'),
  path: ['vatRatePercentage'],
  when: needs('vatRatePercentage', 'vatTreatment'),
};

function hasVat(line: { vatRatePercentage?: unknown; vatTreatment?: unknown }): boolean {
  return typeof line.vatRatePercentage === 'number' || typeof line.vatTreatment === 'string';
}

const quantityOfUnits = { invoicedQuantity: decimalQuantity(), unit: unitOfForm };
const quantityOfPieces = {
  invoicedQuantity: wholeNumber().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)),
} as typeof quantityOfUnits;

const treatment = {
  vatRatePercentage: rateOfTreatment,
  vatTreatment: described(
    z.pipe(
      optional(vatTreatment),
      z.transform((name) => name ?? undefined),
    ),
    'When absent, that of vat_rate_percentage',
  ) as unknown as z.ZodMiniOptional<typeof vatTreatment>,
};
const rateAlone = {
  vatRatePercentage: z.literal(OFFERED_VAT_RATES),
} as unknown as typeof treatment;

const product = {
  productNumber: described(
    optional(productNumber),
    'That of a product, or of an earlier line whose product was deleted',
  ) as unknown as z.ZodMiniOptional<z.ZodMiniNullable<typeof productNumber>>,
};
const noProduct = {} as typeof product;

/** The features that change lines. */
const FEATURES_OF_LINES = ['units', 'vat', 'products'] as const satisfies readonly Feature[];

/**
 * Input of a line. The price is in kroner without VAT. Without `units` quantities are whole, and a unit is ignored;
 * without `vat` a treatment is, and without `products` a product number. Forms use any of the schemas and have one type.
 */
function lineOf(features: ReadonlySet<Feature>) {
  return z
    .object({
      ...(features.has('units') ? quantityOfUnits : quantityOfPieces),
      description: descriptionText(),
      netUnitAmount: kronerAmount(),
      ...(features.has('vat') ? treatment : rateAlone),
      ...(features.has('products') ? product : noProduct),
    })
    .check(z.refine(isCountable, UNCOUNTABLE), z.refine(hasVat, VAT_MISSING));
}

export type LineSchema = ReturnType<typeof lineOf>;
export type LineForm = z.output<LineSchema>;

/** Makes the schema of a form with lines for each combination of the features that change lines, once. */
export function forFeatures<S>(
  make: (line: LineSchema, vat: boolean) => S,
): (features: ReadonlySet<Feature>) => S {
  const made = new Map<string, S>();
  return (features) => {
    const key = FEATURES_OF_LINES.filter((feature) => features.has(feature)).join();
    const schema = made.get(key) ?? make(lineOf(features), features.has('vat'));
    made.set(key, schema);
    return schema;
  };
}

/** The lines of an invoice or template: at least one. */
export function listOf<Line extends z.ZodMiniType>(line: Line) {
  return z.array(line).check(z.minLength(1), z.maxLength(LINES_MAX));
}

const HIGHEST_RATE = Math.max(...VAT_RATES);

/** Whether the line's sum with VAT is a safe integer of øre. */
function isCountable(line: {
  invoicedQuantity: number;
  netUnitAmount: number;
  vatRatePercentage: number | null;
}): boolean {
  const net = exactNet(line.invoicedQuantity, kronerToOre(line.netUnitAmount));
  const gross = divideRounded(net * BigInt(100 + (line.vatRatePercentage ?? HIGHEST_RATE)), 100n);
  return Number.isSafeInteger(Number(net)) && Number.isSafeInteger(Number(gross));
}
