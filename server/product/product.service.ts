import { PAGE_SIZE } from '../../domain/api/pages.ts';
import { kronerToOre, oreToKroner } from '../../domain/money.ts';
import { PRODUCT_NUMBER_LENGTH, productKey } from '../../domain/product/product-number.ts';
import type {
  Product,
  ProductForm,
  ProductListQuery,
  ProductPage,
  ProductUpdate,
} from '../../domain/product/product.schema.ts';
import { DEFAULT_UNIT } from '../../domain/unit.ts';
import type { VatTreatment } from '../../domain/vat-treatment.ts';
import type { Actor, Context } from '../context.ts';
import { lockCompany } from '../company/profile.repository.ts';
import { findDefaultTreatment, isVatRegistered } from '../company/profile.service.ts';
import type { Db } from '../platform/db/database.ts';
import { isUniqueViolation } from '../platform/db/database-errors.ts';
import { pagesBeside } from '../platform/http/paging.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import * as repository from './product.repository.ts';
import type { ProductRow, ProductValues } from './product.repository.ts';
import { requireUnit } from './units.ts';

type Reading = Pick<Context, 'config' | 'db'>;

/** Products as in the API, with the fields of the features that are on (PRD-4). */
async function present(
  { config: { features }, db }: Reading,
  companyId: number,
  rows: readonly ProductRow[],
): Promise<Product[]> {
  const usual = features.has('vat') ? await findDefaultTreatment(db, companyId) : undefined;
  return rows.map((row) => ({
    number: row.number,
    name: row.name,
    description: row.description,
    ...(features.has('units') && { unit: row.unit ?? DEFAULT_UNIT }),
    netPrice: oreToKroner(row.netPrice),
    ...(usual && { vatTreatment: row.vatTreatment ?? usual }),
    active: row.active,
    version: row.version,
  }));
}

async function presentOne(context: Reading, companyId: number, row: ProductRow): Promise<Product> {
  const [shown] = await present(context, companyId, [row]);
  if (!shown) throw new Error('One product gives one answer');
  return shown;
}

/** A page of products. */
export async function listProducts(
  context: Context,
  { companyId }: Actor,
  query: ProductListQuery,
): Promise<ProductPage> {
  const { db } = context;
  const { size, active, ...asked } = query;
  const [rows, count] = await Promise.all([
    repository.listProducts(db, companyId, { ...asked, size, active }),
    repository.countProducts(db, companyId, { query: asked.query, active }),
  ]);
  const filter = { ...asked, ...(size !== PAGE_SIZE && { size }), active };
  return {
    count,
    ...pagesBeside('/api/products/', filter, { count, size }),
    results: await present(context, companyId, rows),
  };
}

/** One product. @throws AppError not_found */
export async function getProduct(
  context: Context,
  { companyId }: Actor,
  number: string,
): Promise<Product> {
  const row = await repository.findProduct(context.db, companyId, number);
  if (!row) throw new AppError('not_found');
  return presentOne(context, companyId, row);
}

/**
 * Adds a product, with the given number or the one after the highest.
 * @throws AppError product_number_taken, product_numbers_used_up, unknown_unit, vat_registered
 */
export async function createProduct(
  context: Context,
  { companyId }: Actor,
  form: ProductForm,
): Promise<Product> {
  return context.db.transaction().execute(async (trx) => {
    // The lock lets one call at a time take numbers.
    await lockCompany(trx, companyId);
    const number = form.number ?? (await nextNumbers(trx, companyId, 1, []))[0];
    if (number === undefined) throw new Error('One number was asked for');
    const values = { ...(await readForm(trx, companyId, form)), number };
    const row = await repository.insertProduct(trx, companyId, values);
    if (!row) throw numberTaken(number);
    return presentOne({ ...context, db: trx }, companyId, row);
  });
}

/**
 * So many numbers after the highest of digits alone (PRD-3). The caller has locked the company.
 * @param given numbers that the same transaction gives to other products
 * @throws AppError product_numbers_used_up
 */
export async function nextNumbers(
  db: Db,
  companyId: number,
  many: number,
  given: readonly string[],
): Promise<string[]> {
  const stored = await repository.findHighestNumber(db, companyId);
  const counted = given.filter((number) => /^\d+$/.test(number)).map(BigInt);
  const highest = counted.reduce((most, number) => (number > most ? number : most), stored ?? 0n);
  const numbers = Array.from({ length: many }, (_, index) => String(highest + BigInt(index + 1)));
  const isTooLong = numbers.some((number) => number.length > PRODUCT_NUMBER_LENGTH);
  if (isTooLong) throw new AppError('product_numbers_used_up');
  return numbers;
}

/** The numbers of the products that are meant by these, each as its product has it. */
export async function findNumbers(
  db: Db,
  companyId: number,
  numbers: readonly string[],
): Promise<string[]> {
  const found = await repository.findByKeys(db, companyId, numbers.map(productKey));
  return found.map(({ number }) => number);
}

function numberTaken(number: string): AppError {
  return new AppError('product_number_taken', { field: 'number', subject: number });
}

/** The values of a form. Fields of features that are off keep what is stored (PRD-4). */
async function readForm(
  db: Db,
  companyId: number,
  form: ProductForm,
  stored: ProductRow | null = null,
): Promise<Omit<ProductValues, 'number'>> {
  requireUnit(form.unit, 'unit');
  return {
    name: form.name,
    description: form.description ?? null,
    unit: form.unit ?? stored?.unit ?? null,
    netPrice: kronerToOre(form.netPrice),
    vatTreatment: await readTreatment(db, companyId, form, stored),
    active: form.active,
  };
}

/** @throws AppError vat_registered */
async function readTreatment(
  db: Db,
  companyId: number,
  { vatTreatment }: Pick<ProductForm, 'vatTreatment'>,
  stored: ProductRow | null,
): Promise<VatTreatment | null> {
  if (vatTreatment === undefined) return stored?.vatTreatment ?? null;
  if (vatTreatment === null) return findDefaultTreatment(db, companyId);
  if (vatTreatment === 'NOT_REGISTERED' && (await isVatRegistered(db, companyId))) {
    throw new AppError('vat_registered', { field: 'vatTreatment' });
  }
  return vatTreatment;
}

/**
 * Saves a product; a number in the form renumbers it.
 * @throws AppError not_found, changed_meanwhile, product_number_taken, unknown_unit, vat_registered
 */
export async function updateProduct(
  context: Context,
  { companyId }: Actor,
  number: string,
  { version, ...form }: ProductUpdate,
): Promise<Product> {
  const wanted = form.number ?? null;
  try {
    return await context.db.transaction().execute(async (trx) => {
      await lockCompany(trx, companyId);
      const stored = await repository.findProduct(trx, companyId, number);
      if (!stored) throw new AppError('not_found');
      if (typeof version === 'number' && version !== stored.version) throw changedMeanwhile();
      const read = await readForm(trx, companyId, form, stored);
      const values = { ...read, number: wanted ?? stored.number };
      const row = await repository.saveProduct(trx, companyId, stored.id, values);
      return presentOne({ ...context, db: trx }, companyId, row);
    });
  } catch (error) {
    throw wanted !== null && isUniqueViolation(error) ? numberTaken(wanted) : error;
  }
}

/** Deletes a product; lines keep their copies (PRD-8). @throws AppError not_found */
export async function deleteProduct(
  context: Context,
  { companyId }: Actor,
  number: string,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    const isDeleted = await repository.deleteProduct(trx, companyId, number);
    if (!isDeleted) throw new AppError('not_found');
  });
}
