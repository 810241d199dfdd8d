import {
  invoiceTotals,
  lineGross,
  lineNet,
  type InvoiceTotals,
  type TotalsLine,
} from '../../../domain/invoice/invoice.totals.ts';
import { isQuantity } from '../../../domain/invoice/invoice-line.schema.ts';
import { isKroner, kronerToOre, type Ore } from '../../../domain/money.ts';
import type { DraftLine } from './draft-lines.ts';

/** What a line's sum is made of. */
type Summable = Omit<DraftLine, 'description'>;

/** A line's sum with VAT, or null while it is not filled in. */
export function draftLineGross(line: Summable): Ore | null {
  const complete = toTotalsLine(line);
  return complete === null ? null : withinMoney(() => lineGross(complete));
}

/** A line's sum without VAT, or null while it is not filled in. */
export function draftLineNet(line: Summable): Ore | null {
  const complete = toTotalsLine(line);
  return complete === null ? null : withinMoney(() => lineNet(complete));
}

/** The sums of those lines that are filled in; null where they are beyond what can be counted. */
export function draftTotals(lines: readonly Summable[]): InvoiceTotals | null {
  const complete = lines.map(toTotalsLine).filter((line) => line !== null);
  return withinMoney(() => invoiceTotals(complete));
}

function toTotalsLine(line: Summable): TotalsLine | null {
  const { invoicedQuantity: quantity, netUnitAmount: price, vatRatePercentage: rate } = line;
  if (quantity === null || price === null || rate === null) return null;
  if (!isQuantity(quantity) || !isKroner(price)) return null;
  return { quantity, netUnitAmount: kronerToOre(price), vatRate: rate };
}

function withinMoney<T>(sum: () => T): T | null {
  try {
    return sum();
  } catch (error) {
    // The schema refuses such amounts; here they have no sum.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
