import type { LineForm } from '../../domain/invoice/invoice-line.schema.ts';
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
import type { Db } from '../platform/db/database.ts';
import { findNumbers } from '../product/product.service.ts';
import { requireUnit } from '../product/units.ts';
import { findInvoicedNumbers } from './earlier-lines.repository.ts';

/** The product numbers that lines may have, by their keys. */
type KnownProducts = ReadonlyMap<string, string>;

/** Lines of a form, and what they depend on beside it. */
interface GivenLines {
  readonly forms: readonly LineForm[];
  /** The form's field that has them. */
  readonly field: 'invoiceLines' | 'lines';
  /** The lines that they replace. */
  readonly before?: readonly TreatedLine[];
  /** The day of delivery; today for lines that are kept for later. */
  readonly date: IsoDate;
  readonly vatRegistered: boolean;
}

/**
 * The lines of a form. While `units`, `vat` or `products` is off, forms have no units, treatments or product numbers: a
 * line then keeps those of the line before it with the same description.
 * @throws AppError unknown_unit, unknown_product, vat_rate_unknown, vat_registered
 */
export async function readLines(
  { features }: Pick<Config, 'features'>,
  db: Db,
  companyId: number,
  { forms, field, before = [], date, vatRegistered }: GivenLines,
): Promise<TreatedLine[]> {
  const products = await findProducts(db, companyId, forms, before);
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

/**
 * Those of the lines' product numbers that are known (PRD-13): a product has it, or a line of an invoice or one that is
 * replaced has had it since before its product was deleted.
 */
async function findProducts(
  db: Db,
  companyId: number,
  lines: readonly Pick<LineForm, 'productNumber'>[],
  before: readonly Pick<TreatedLine, 'productNumber'>[],
): Promise<KnownProducts> {
  const given = [...new Set(lines.flatMap(({ productNumber }) => productNumber ?? []))];
  if (given.length === 0) return new Map();
  const numbers = await findNumbers(db, companyId, given);
  const keys = new Set(numbers.map(productKey));
  const others = given.filter((number) => !keys.has(productKey(number)));
  const invoiced = others.length === 0 ? [] : await findInvoicedNumbers(db, companyId, others);
  const replaced = before.flatMap(({ productNumber }) => productNumber ?? []);
  // The last one wins: a product's own spelling.
  const all = [...invoiced, ...replaced, ...numbers];
  return new Map(all.map((number) => [productKey(number), number]));
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
