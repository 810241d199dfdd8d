import { toSnakeKey } from '../../domain/api/case.ts';
import type { RowFault } from '../../domain/api/error.ts';
import { todayInOslo } from '../../domain/date.ts';
import { defaultVatRate } from '../../domain/invoice/invoice-line.schema.ts';
import { kronerToOre, ore } from '../../domain/money.ts';
import {
  IMPORTED_FIELDS,
  importedProduct,
  type ImportedProduct,
  type ProductImport,
  type ProductImportResult,
} from '../../domain/product/product-import.schema.ts';
import { productKey } from '../../domain/product/product-number.ts';
import { DEFAULT_UNIT } from '../../domain/unit.ts';
import { netOf, vatRateOn, type VatTreatment } from '../../domain/vat-treatment.ts';
import { lockCompany } from '../company/profile.repository.ts';
import { findDefaultTreatment, isVatRegistered } from '../company/profile.service.ts';
import type { Actor, Context } from '../context.ts';
import type { ErrorCode, Language } from '../errors.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { analyzeAfterImport } from '../platform/db/upkeep.ts';
import {
  countSound,
  earlierRow,
  faultsOf,
  readRows,
  refuseFaults,
  type Clash,
  type ReadRow,
  type Verdict,
} from '../platform/http/imported-rows.ts';
import {
  findByKeys,
  insertProducts,
  saveProducts,
  type ProductRow,
  type ProductValues,
  type SavedProduct,
} from './product.repository.ts';
import { nextNumbers } from './product.service.ts';
import { UNIT_CODES } from './units.ts';

type Read = ReadRow<ImportedProduct>;
type ProductVerdict = Verdict<ImportedProduct, ProductRow>;

/** Returns what an import would do, and the faults of its rows. @throws AppError product_numbers_used_up */
export async function tryImport(
  context: Context,
  { companyId }: Actor,
  wish: ProductImport,
  language: Language,
): Promise<ProductImportResult> {
  const { db } = context;
  const rows = await readRows(importedProduct(context.config.features), wish.rows);
  const verdict = await judgeRows(context, companyId, rows);
  await numbersFor(db, companyId, verdict);
  return present(verdict, wish, faultsOf(rows, verdict.clashes, language));
}

/**
 * Adds and updates products, all or none. An empty field of a row keeps the product's value.
 * @throws AppError import_faulty, product_numbers_used_up
 */
export async function importProducts(
  context: Context,
  { companyId }: Actor,
  wish: ProductImport,
  language: Language,
): Promise<ProductImportResult> {
  const rows = await readRows(importedProduct(context.config.features), wish.rows);
  const result = await context.db.transaction().execute(async (trx) => {
    // Every change of products takes this lock first.
    await lockCompany(trx, companyId);
    const verdict = await judgeRows({ ...context, db: trx }, companyId, rows);
    refuseFaults(faultsOf(rows, verdict.clashes, language));
    await addAll({ ...context, db: trx }, companyId, verdict);
    if (wish.updateKnown) await saveProducts(trx, companyId, changedOf(verdict));
    return present(verdict, wish, []);
  });
  await analyzeAfterImport(context, 'product', result.created);
  return result;
}

/** Matches rows with existing products by number, and finds what rows alone do not show (PRD-9). */
async function judgeRows(
  { config, db }: Pick<Context, 'config' | 'db'>,
  companyId: number,
  rows: readonly Read[],
): Promise<ProductVerdict> {
  const seller: Seller = {
    isRegistered: await isVatRegistered(db, companyId),
    treatment: config.features.has('vat') ? await findDefaultTreatment(db, companyId) : null,
  };
  const keys = rows.flatMap(({ values }) => keyOf(values) ?? []);
  const found = await findByKeys(db, companyId, [...new Set(keys)]);
  const byKey = new Map(found.map((product) => [productKey(product.number), product]));
  const rowOfKey = new Map<string, number>();
  const added: Read[] = [];
  const known: { read: Read; before: ProductRow }[] = [];
  const clashes = rows.flatMap((read): Clash[] => {
    const key = keyOf(read.values);
    const repeats = earlierRow(rowOfKey, key, read.row);
    if (repeats !== null) return [clash(read, 'number', 'import_product_twice', { repeats })];
    const before = key === null ? undefined : byKey.get(key);
    const priced = withNetPrice(read, before, seller);
    if (before) known.push({ read: priced, before });
    else added.push(priced);
    return clashesOf(priced, before !== undefined, seller.isRegistered);
  });
  return { added, known, clashes };
}

/** The seller's VAT: the treatment of new lines, null while `vat` is off. */
interface Seller {
  readonly isRegistered: boolean;
  readonly treatment: VatTreatment | null;
}

/** Reckons a price with VAT back by the treatment that the product has after the import (PRD-12). */
function withNetPrice(read: Read, before: ProductRow | undefined, seller: Seller): Read {
  const { netPrice, grossPrice, vatTreatment } = read.values;
  if (netPrice !== null || grossPrice === null) return read;
  const rate =
    seller.treatment === null
      ? defaultVatRate(seller.isRegistered)
      : vatRateOn(vatTreatment ?? before?.vatTreatment ?? seller.treatment, todayInOslo());
  return { ...read, values: { ...read.values, netPrice: netOf(grossPrice, rate) } };
}

function keyOf({ number }: ImportedProduct): string | null {
  return number === null ? null : productKey(number);
}

function clashesOf(read: Read, isKnown: boolean, isRegistered: boolean): Clash[] {
  const { unit, vatTreatment } = read.values;
  const missing = isKnown
    ? []
    : (['name', 'netPrice'] as const).filter((field) => isMissing(read, field));
  const clashes = missing.map((field) => clash(read, field, null));
  if (unit && !UNIT_CODES.has(unit)) {
    clashes.push(clash(read, 'unit', 'unknown_unit', { subject: unit }));
  }
  if (isRegistered && vatTreatment === 'NOT_REGISTERED') {
    clashes.push(clash(read, 'vatTreatment', 'vat_registered'));
  }
  return clashes;
}

/** Whether a field is empty. A faulty one is read as empty, and has its own fault. */
function isMissing({ values, faults }: Read, field: 'name' | 'netPrice'): boolean {
  const names = field === 'netPrice' ? ['net_price', 'gross_price'] : [field];
  return values[field] === null && faults.every((fault) => !names.includes(fault.field));
}

function clash(
  { row }: Read,
  field: keyof ImportedProduct,
  code: ErrorCode | null,
  more: Partial<Pick<Clash, 'subject' | 'repeats'>> = {},
): Clash {
  return { row, field, code, repeats: null, ...more };
}

/** The numbers of the new products that have none, after those that have. */
async function numbersFor(
  db: Db,
  companyId: number,
  { added }: ProductVerdict,
): Promise<readonly string[]> {
  const byHand = added.flatMap(({ values }) => values.number ?? []);
  return nextNumbers(db, companyId, added.length - byHand.length, byHand);
}

async function addAll(
  { config: { features }, db: trx }: Pick<Context, 'config'> & { readonly db: Trx },
  companyId: number,
  verdict: ProductVerdict,
): Promise<void> {
  const numbers = (await numbersFor(trx, companyId, verdict)).values();
  const unit = features.has('units') ? DEFAULT_UNIT : null;
  const vatTreatment = features.has('vat') ? await findDefaultTreatment(trx, companyId) : null;
  const products = verdict.added.map(({ values }): ProductValues => ({
    number: values.number ?? numbers.next().value ?? '',
    name: values.name ?? '',
    description: values.description,
    unit: values.unit ?? unit,
    netPrice: kronerToOre(values.netPrice ?? 0),
    vatTreatment: values.vatTreatment ?? vatTreatment,
    active: values.active ?? true,
  }));
  await insertProducts(trx, companyId, products);
}

function changedOf({ known }: ProductVerdict): SavedProduct[] {
  return known
    .map(({ read, before }) => ({ before, after: merge(read.values, before) }))
    .filter(({ before, after }) => changesOf(before, after).length > 0)
    .map(({ after }) => after);
}

/** An empty field leaves what is known as it is. */
function merge(values: ImportedProduct, before: ProductRow): SavedProduct {
  return {
    id: before.id,
    number: before.number,
    name: values.name ?? before.name,
    description: values.description ?? before.description,
    unit: values.unit ?? before.unit,
    netPrice: values.netPrice === null ? ore(before.netPrice) : kronerToOre(values.netPrice),
    vatTreatment: values.vatTreatment ?? before.vatTreatment,
    active: values.active ?? before.active,
  };
}

function changesOf(before: ProductRow, after: SavedProduct) {
  return IMPORTED_FIELDS.filter((field) => after[field] !== before[field]);
}

function present(
  verdict: ProductVerdict,
  { updateKnown }: ProductImport,
  faults: RowFault[],
): ProductImportResult {
  return {
    ...countSound(verdict, updateKnown, faults),
    faults,
    known: verdict.known.map(({ read, before }) => ({
      row: read.row,
      number: before.number,
      name: before.name,
      ...(read.values.grossPrice !== null && { netPrice: read.values.netPrice ?? undefined }),
      changes: changesOf(before, merge(read.values, before)).map(toSnakeKey),
    })),
  };
}
