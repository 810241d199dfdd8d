import { VAT_RATES, type VatRate } from '../../domain/invoice/invoice-line.schema.ts';
import {
  invoiceTotals,
  lineGross,
  lineNet,
  type InvoiceTotals,
  type TotalsLine,
} from '../../domain/invoice/invoice.totals.ts';
import { isKroner, kronerToOre, type Ore } from '../../domain/money.ts';

/** A line as it stands in a form: perhaps half typed. */
export interface DraftLine {
  readonly invoicedQuantity?: number | null | undefined;
  readonly netUnitAmount?: number | null | undefined;
  readonly vatRatePercentage?: number | null | undefined;
}

/** A line's sum with VAT, or null while it is not filled in. */
export function draftLineGross(line: DraftLine): Ore | null {
  const complete = toTotalsLine(line);
  return complete === null ? null : withinMoney(() => lineGross(complete));
}

/** A line's sum without VAT, or null while it is not filled in. */
export function draftLineNet(line: DraftLine): Ore | null {
  const complete = toTotalsLine(line);
  return complete === null ? null : withinMoney(() => lineNet(complete));
}

/** The sums of those lines that are filled in; null where they are beyond what can be counted. */
export function draftTotals(lines: readonly DraftLine[]): InvoiceTotals | null {
  const complete = lines.map(toTotalsLine).filter((line) => line !== null);
  return withinMoney(() => invoiceTotals(complete));
}

function toTotalsLine(line: DraftLine): TotalsLine | null {
  const { invoicedQuantity: quantity, netUnitAmount: price, vatRatePercentage: rate } = line;
  if (!Number.isSafeInteger(quantity) || typeof price !== 'number' || !isKroner(price)) return null;
  if (!isVatRate(rate)) return null;
  return { quantity: quantity as number, netUnitAmount: kronerToOre(price), vatRate: rate };
}

function isVatRate(rate: unknown): rate is VatRate {
  return (VAT_RATES as readonly unknown[]).includes(rate);
}

function withinMoney<T>(sum: () => T): T | null {
  try {
    return sum();
  } catch (error) {
    // Absurd amounts are the schema's to refuse; here they just have no sum to show.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
