import type { Feature } from '../api/endpoint.ts';
import { divideRounded, kronerToOre, ore, oreToKroner, type Ore } from '../money.ts';
import { type LineForm, exactNet } from './invoice-line.schema.ts';
import {
  presentVat,
  VAT_TREATMENT_NAMES,
  type VatRate,
  type VatTreatment,
} from '../vat-treatment.ts';

/** The fields that the sums depend on. */
export interface TotalsLine {
  /** At most three decimals. */
  readonly quantity: number;
  readonly netUnitAmount: Ore;
  readonly vatRate: VatRate;
  readonly vatTreatment?: VatTreatment | null | undefined;
}

/** A line for computing and printing, in øre. */
export interface InvoiceLine extends TotalsLine {
  /** Null on documents that state rates alone. */
  readonly vatTreatment: VatTreatment | null;
  readonly description: string;
  /**
   * The unit, a code of UN/ECE Recommendation 20. Null on a line made while `units` was off: it counts pieces, and no
   * unit is printed.
   */
  readonly unit: string | null;
  /** The number that its product had when it was chosen. */
  readonly productNumber: string | null;
}

/** A line with its treatment, as every line of a table has one. */
export interface TreatedLine extends InvoiceLine {
  readonly vatTreatment: VatTreatment;
}

/** The part of an invoice that has one VAT treatment and rate (bff § 5-1-5: each summed apart). */
export interface VatSubtotal {
  readonly vatRate: VatRate;
  readonly vatTreatment: VatTreatment | null;
  readonly net: Ore;
  readonly vat: Ore;
}

/** A part with its treatment, as every line of a table has one. */
export interface TreatedSubtotal extends VatSubtotal {
  readonly vatTreatment: VatTreatment;
}

export interface InvoiceTotals {
  readonly net: Ore;
  readonly vat: Ore;
  readonly gross: Ore;
  /** One for every treatment and rate on the lines, the highest rate first. */
  readonly subtotals: readonly VatSubtotal[];
}

/** Converts a line of a form (kroner) to a line for computing and printing (øre), but for its VAT and product. */
export function toInvoiceLine(
  line: LineForm,
): Omit<InvoiceLine, 'vatRate' | 'vatTreatment' | 'productNumber'> {
  return {
    quantity: line.invoicedQuantity,
    unit: line.unit ?? null,
    description: line.description,
    netUnitAmount: kronerToOre(line.netUnitAmount),
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
 * The sums of an invoice in øre, for the form, the API, the PDF and the XML. VAT is computed once per treatment and
 * rate on the sum of their lines (EN 16931 BR-CO-17) and rounded half away from zero.
 * @throws RangeError when a sum exceeds the safe integers
 */
export function invoiceTotals(lines: readonly TotalsLine[]): InvoiceTotals {
  const parts = new Map<number, Omit<VatSubtotal, 'vat'>>();
  for (const line of lines) {
    const { vatRate, vatTreatment = null } = line;
    const place = placeOf(line);
    const net = ore((parts.get(place)?.net ?? 0) + lineNet(line));
    parts.set(place, { vatRate, vatTreatment, net });
  }
  const subtotals = [...parts]
    .toSorted(([left], [right]) => left - right)
    .map(([, { vatRate, vatTreatment, net }]): VatSubtotal => {
      const vat = divideRounded(BigInt(net) * BigInt(vatRate), 100n);
      return { vatRate, vatTreatment, net, vat: ore(Number(vat)) };
    });
  return sumOf(subtotals);
}

/** Totals of these parts. @throws RangeError when a sum exceeds the safe integers */
export function sumOf(subtotals: readonly VatSubtotal[]): InvoiceTotals {
  const net = ore(subtotals.reduce((sum, part) => sum + part.net, 0));
  const vat = ore(subtotals.reduce((sum, part) => sum + part.vat, 0));
  return { net, vat, gross: ore(net + vat), subtotals };
}

/** Orders the parts of an invoice: the highest rate first, and treatments of one rate as they are offered. */
function placeOf({ vatRate, vatTreatment = null }: TotalsLine): number {
  const place = vatTreatment === null ? 0 : VAT_TREATMENT_NAMES.indexOf(vatTreatment);
  return (100 - vatRate) * VAT_TREATMENT_NAMES.length + place;
}

/** Answers of the API show a line like this; most add its sums. */
export function presentLine(line: TreatedLine, features: ReadonlySet<Feature>) {
  const { quantity, unit, productNumber, description, netUnitAmount } = line;
  return {
    invoicedQuantity: quantity,
    ...(unit !== null && { unit }),
    ...(features.has('products') && { productNumber }),
    description,
    netUnitAmount: oreToKroner(netUnitAmount),
    ...presentVat(line, features),
  };
}
