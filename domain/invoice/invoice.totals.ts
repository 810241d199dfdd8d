import { divideRounded, kronerToOre, ore, type Ore } from '../money.ts';
import { type LineForm, type VatRate, exactNet } from './invoice-line.schema.ts';

/** The fields that the sums depend on. */
export interface TotalsLine {
  /** At most three decimals. */
  readonly quantity: number;
  readonly netUnitAmount: Ore;
  readonly vatRate: VatRate;
}

/** A line for computing and printing, in øre. */
export interface InvoiceLine extends TotalsLine {
  readonly description: string;
  /**
   * The unit, a code of UN/ECE Recommendation 20. Null on a line made while `units` was off: it counts pieces, and no
   * unit is printed.
   */
  readonly unit: string | null;
}

/** The part of an invoice that has one VAT rate (bff § 5-1-5: each rate summed apart). */
interface VatSubtotal {
  readonly vatRate: VatRate;
  readonly net: Ore;
  readonly vat: Ore;
}

export interface InvoiceTotals {
  readonly net: Ore;
  readonly vat: Ore;
  readonly gross: Ore;
  /** One for every rate on the lines, the highest rate first. */
  readonly subtotals: readonly VatSubtotal[];
}

/** Converts a line of a form (kroner) to a line for computing and printing (øre). */
export function toInvoiceLine(line: LineForm): InvoiceLine {
  return {
    quantity: line.invoicedQuantity,
    unit: line.unit ?? null,
    description: line.description,
    netUnitAmount: kronerToOre(line.netUnitAmount),
    vatRate: line.vatRatePercentage,
  };
}

/**
 * A line's net in øre: quantity × unit price, rounded once (INV-9).
 * @throws RangeError when it exceeds the safe integers
 */
export function lineNet({ quantity, netUnitAmount }: TotalsLine): Ore {
  // `ore` throws for a product beyond the safe integers, exact or not.
  if (Number.isInteger(quantity)) return ore(quantity * netUnitAmount);
  return ore(Number(exactNet(quantity, netUnitAmount)));
}

/**
 * A line's own sum with VAT, shown on screen (INV-11). The invoice's total is not the sum of these: its VAT is
 * rounded once per rate.
 */
export function lineGross(line: TotalsLine): Ore {
  const hundredfold = BigInt(lineNet(line)) * BigInt(100 + line.vatRate);
  return ore(Number(divideRounded(hundredfold, 100n)));
}

/**
 * The sums of an invoice in øre, for the form, the API, the PDF and the XML. VAT is computed once per rate on the sum
 * of that rate's lines (EN 16931 BR-CO-17) and rounded half away from zero.
 * @throws RangeError when a sum exceeds the safe integers
 */
export function invoiceTotals(lines: readonly TotalsLine[]): InvoiceTotals {
  const nets = new Map<VatRate, number>();
  for (const line of lines) {
    nets.set(line.vatRate, ore((nets.get(line.vatRate) ?? 0) + lineNet(line)));
  }
  const subtotals = [...nets]
    .toSorted(([left], [right]) => right - left)
    .map(([vatRate, net]): VatSubtotal => {
      const vat = divideRounded(BigInt(net) * BigInt(vatRate), 100n);
      return { vatRate, net: ore(net), vat: ore(Number(vat)) };
    });
  const net = ore(subtotals.reduce((sum, part) => sum + part.net, 0));
  const vat = ore(subtotals.reduce((sum, part) => sum + part.vat, 0));
  return { net, vat, gross: ore(net + vat), subtotals };
}

/** A line's quantity and unit in an answer of the API. */
export function presentQuantity({ quantity, unit }: Pick<InvoiceLine, 'quantity' | 'unit'>) {
  return { invoicedQuantity: quantity, ...(unit !== null && { unit }) };
}
