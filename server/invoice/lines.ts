import { quantityParts, type LineForm } from '../../domain/invoice/invoice-line.schema.ts';
import type { IsoDate } from '../../domain/date.ts';
import { toInvoiceLine, type TreatedLine } from '../../domain/invoice/invoice.totals.ts';
import {
  treatmentOfRate,
  vatRateOn,
  type VatRate,
  type VatTreatment,
} from '../../domain/vat-treatment.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { productKey } from '../../domain/product/product-number.ts';
import { requireUnit } from '../product/units.ts';
import type { KnownProducts } from './line-products.service.ts';

/** Lines of a form, and what they depend on beside it. */
interface GivenLines {
  readonly forms: readonly LineForm[];
  /** The form's field that has them. */
  readonly field: 'invoiceLines' | 'lines';
  /** The lines that they replace. */
  readonly before?: readonly TreatedLine[];
  readonly products: KnownProducts;
  /** The day of delivery; today for lines that are kept for later. */
  readonly date: IsoDate;
  readonly vatRegistered: boolean;
}

/**
 * The lines of a form. While `units`, `vat` or `products` is off, forms have no units, treatments or product numbers: a
 * line then keeps those of the line before it with the same description.
 * @throws AppError unknown_unit, unknown_product, vat_rate_unknown, vat_registered
 */
export function readLines(
  { features }: Pick<Config, 'features'>,
  { forms, field, before = [], products, date, vatRegistered }: GivenLines,
): TreatedLine[] {
  const unclaimed = [...before];
  const lines = forms.map((form, index) => {
    requireUnit(form.unit, `${field}[${index}].unit`);
    const line = toInvoiceLine(form);
    const place = unclaimed.findIndex(({ description }) => description === line.description);
    const [old] = place < 0 ? [] : unclaimed.splice(place, 1);
    const { vatTreatment = null, vatRatePercentage: rate } = form;
    const treatment =
      vatTreatment ??
      (!features.has('vat') && old?.vatRate === rate
        ? old.vatTreatment
        : treatmentOfRate(rate, vatRegistered));
    if (vatRegistered && vatTreatment === 'NOT_REGISTERED') {
      throw new AppError('vat_registered', { field: `${field}[${index}].vatTreatment` });
    }
    const unit = form.unit ?? old?.unit ?? null;
    const productNumber =
      form.productNumber === undefined
        ? (old?.productNumber ?? null)
        : readProduct(form.productNumber, products, `${field}[${index}].productNumber`);
    return { ...line, unit, vatRate: rate, vatTreatment: treatment, productNumber };
  });
  return ratedOn({ features }, lines, date);
}

function readProduct(number: string | null, products: KnownProducts, field: string): string | null {
  if (number === null) return null;
  const known = products.get(productKey(number));
  if (known === undefined) throw new AppError('unknown_product', { field, subject: number });
  return known;
}

/**
 * Lines with the rates that their treatments have on the day of delivery (VAT-3). While `vat` is off, with those that
 * they have. @throws AppError vat_rate_unknown
 */
export function ratedOn<Line extends { readonly vatRate: VatRate; vatTreatment: VatTreatment }>(
  { features }: Pick<Config, 'features'>,
  lines: readonly Line[],
  date: IsoDate,
): Line[] {
  if (!features.has('vat')) return [...lines];
  return lines.map((line) => {
    const vatRate = vatRateOn(line.vatTreatment, date);
    if (vatRate === null) {
      throw new AppError('vat_rate_unknown', { field: 'deliveryDate', subject: date });
    }
    return { ...line, vatRate };
  });
}

/** Converts a line to the columns of its table. */
export function toStoredLine<Line extends { readonly quantity: number }>(line: Line) {
  const { whole, thousandths } = quantityParts(line.quantity);
  return { ...line, quantity: whole, thousandths };
}
