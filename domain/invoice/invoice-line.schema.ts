import { z } from 'zod';

import { needs, wholeNumber } from '../api/validation.ts';
import { divideRounded, kronerAmount, kronerToOre } from '../money.ts';
import { descriptionText } from '../text.ts';
import { decimalQuantity, exactNet } from './quantity.ts';
import { unitOfForm } from './unit.ts';

/** The rates that a line may have, in percent. */
export const VAT_RATES = [0, 15, 25] as const;
export type VatRate = (typeof VAT_RATES)[number];

/** The rate that a new line begins with: a seller outside of the register charges no VAT. */
export function defaultVatRate(vatRegistered: boolean): VatRate {
  return vatRegistered ? 25 : 0;
}

export const DEFAULT_DUE_DAYS = 14;
/** A century: room for every agreement, and every due date a real date. */
const DUE_DAYS_MAX = 36_500;
export const LINES_MAX = 1_000;
/** Lines that one call may make, its recipients times the lines of each. */
export const LINES_OF_CALL_MAX = 100_000;
/** Text of those lines, and the message of each invoice, in bytes of UTF-8. */
export const TEXT_OF_CALL_MAX = 20_000_000;

/** How many days after the issue date the invoice is due. */
export const dueDays = wholeNumber().positive().max(DUE_DAYS_MAX);

/** A line's rate of VAT. */
export const vatRate = z.literal(VAT_RATES);

/** What is answered of each line, whatever it belongs to. */
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

/** One line as filled in while `units` is on. The price is in kroner without VAT. */
export const lineFormWithUnits = z
  .object({
    invoicedQuantity: decimalQuantity(),
    unit: unitOfForm,
    description: descriptionText(),
    netUnitAmount: kronerAmount(),
    vatRatePercentage: vatRate,
  })
  .refine(isCountable, UNCOUNTABLE);

/** One line as filled in: whole numbers, and a unit is not looked at. */
export const lineForm = z
  .object({
    invoicedQuantity: wholeNumber().min(1).max(Number.MAX_SAFE_INTEGER),
    description: descriptionText(),
    netUnitAmount: kronerAmount(),
    vatRatePercentage: vatRate,
  })
  // Forms are made of either, and have one type.
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
