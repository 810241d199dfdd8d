import {
  invoiceTotals,
  lineGross,
  lineNet,
  type InvoiceTotals,
  type TotalsLine,
} from '../../../domain/invoice/invoice.totals.ts';
import { isQuantity, type LineForm } from '../../../domain/invoice/invoice-line.schema.ts';
import { isKroner, kronerToOre, type Ore } from '../../../domain/money.ts';
import type { Draft } from '../../forms/Form.tsx';

/** The parts of a line that its sum is computed from. */
type Summable = Draft<Omit<LineForm, 'description'>>;

/** A line's sum with VAT; null while the line is incomplete or the sum exceeds the range of money. */
export function draftLineGross(line: Summable): Ore | null {
  const complete = toTotalsLine(line);
  return complete === null ? null : withinMoney(() => lineGross(complete));
}

/** A line's sum without VAT; null as in `draftLineGross`. */
export function draftLineNet(line: Summable): Ore | null {
  const complete = toTotalsLine(line);
  return complete === null ? null : withinMoney(() => lineNet(complete));
}

/** The sums of the complete lines; null when they exceed the range of money. */
export function draftTotals(lines: readonly Summable[]): InvoiceTotals | null {
  const complete = lines.map(toTotalsLine).filter((line) => line !== null);
  return withinMoney(() => invoiceTotals(complete));
}

function toTotalsLine(line: Summable): TotalsLine | null {
  const { invoicedQuantity: quantity, netUnitAmount: price, vatRatePercentage: rate } = line;
  if (quantity === null || price === null || rate === null) return null;
  if (!isQuantity(quantity) || !isKroner(price)) return null;
  const { vatTreatment } = line;
  return { quantity, netUnitAmount: kronerToOre(price), vatRate: rate, vatTreatment };
}

function withinMoney<T>(sum: () => T): T | null {
  try {
    return sum();
  } catch (error) {
    // Such amounts have no sum here; the schema refuses them on submit.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
