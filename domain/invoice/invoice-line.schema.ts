import { z } from 'zod';

import { needs, wholeNumber } from '../api/validation.ts';
import { divideRounded, kronerAmount, kronerToOre } from '../money.ts';
import { descriptionText } from '../text.ts';
import { decimalQuantity, exactNet } from './quantity.ts';
import { unitOfForm } from './unit.ts';

/** VAT rates of a line, in percent (INV-4). */
export const VAT_RATES = [0, 15, 25] as const;
export type VatRate = (typeof VAT_RATES)[number];

/** The VAT rate of a new line. A seller outside the VAT register charges no VAT (INV-7). */
export function defaultVatRate(vatRegistered: boolean): VatRate {
  return vatRegistered ? 25 : 0;
}

export const DEFAULT_DUE_DAYS = 14;
/** A century: long enough for any agreement, and every due date is a valid date. */
export const DUE_DAYS_MAX = 36_500;
export const LINES_MAX = 1_000;
/** Most lines that one call may make: its recipients times the lines of each (WIRE-17). */
export const LINES_OF_CALL_MAX = 100_000;
/** Largest text of those lines and the message of each invoice together, in bytes of UTF-8. */
export const TEXT_OF_CALL_MAX = 20_000_000;

/** Days from the issue date to the due date. */
export const dueDays = wholeNumber().positive().max(DUE_DAYS_MAX);

/** A line's rate of VAT. */
export const vatRate = z.literal(VAT_RATES);

/** Fields of a line in every answer. */
export const countedLine = {
  invoicedQuantity: z.number().meta({
    description: 'Whole but of lines that were made with units, which have three decimals',
  }),
  unit: z.string().optional().meta({
    description: 'Of lines that were made with units: a code of UN/ECE Recommendation 20',
  }),
};

const UNCOUNTABLE = {
  path: ['netUnitAmount'],
  message: 'times the quantity is too large',
  when: needs('invoicedQuantity', 'netUnitAmount', 'vatRatePercentage'),
};

/** Input of a line while `units` is on. The price is in kroner without VAT. */
export const lineFormWithUnits = z
  .object({
    invoicedQuantity: decimalQuantity(),
    unit: unitOfForm,
    description: descriptionText(),
    netUnitAmount: kronerAmount(),
    vatRatePercentage: vatRate,
  })
  .refine(isCountable, UNCOUNTABLE);

/** Input of a line while `units` is off: whole numbers; a unit is ignored. */
export const lineForm = z
  .object({
    invoicedQuantity: wholeNumber().min(1).max(Number.MAX_SAFE_INTEGER),
    description: descriptionText(),
    netUnitAmount: kronerAmount(),
    vatRatePercentage: vatRate,
  })
  // Forms use either schema and have one type.
  .refine(isCountable, UNCOUNTABLE) as unknown as typeof lineFormWithUnits;

/** Whether the line's sum with VAT is a safe integer of øre. */
function isCountable(line: {
  invoicedQuantity: number;
  netUnitAmount: number;
  vatRatePercentage: number;
}): boolean {
  const net = exactNet(line.invoicedQuantity, kronerToOre(line.netUnitAmount));
  const gross = divideRounded(net * BigInt(100 + line.vatRatePercentage), 100n);
  return Number.isSafeInteger(Number(net)) && Number.isSafeInteger(Number(gross));
}

/** The lines of an invoice or template: at least one. */
export const lineForms = z.array(lineForm).min(1).max(LINES_MAX);
export const lineFormsWithUnits: typeof lineForms = z
  .array(lineFormWithUnits)
  .min(1)
  .max(LINES_MAX);

export type LineForm = z.output<typeof lineForm>;
