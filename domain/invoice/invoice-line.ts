import { kronerToOre } from '../money.ts';
import type { LineForm } from './invoice-line.schema.ts';
import type { TotalsLine } from './invoice.totals.ts';

/** A line as it is counted and printed. */
export interface InvoiceLine extends TotalsLine {
  readonly description: string;
}

/** A line as filled in (kroner) as it is counted and printed (øre). */
export function toInvoiceLine(line: LineForm): InvoiceLine {
  return {
    quantity: line.invoicedQuantity,
    description: line.description,
    netUnitAmount: kronerToOre(line.netUnitAmount),
    vatRate: line.vatRatePercentage,
  };
}
