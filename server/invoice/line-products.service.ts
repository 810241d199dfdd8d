import type { LineForm } from '../../domain/invoice/invoice-line.schema.ts';
import { productKey } from '../../domain/product/product-number.ts';
import type { Db } from '../platform/db/database.ts';
import { findNumbers } from '../product/product.service.ts';
import { findInvoicedNumbers } from './earlier-lines.repository.ts';

/** The product numbers that lines may have, by their keys. */
export type KnownProducts = ReadonlyMap<string, string>;

/**
 * Those of the lines' product numbers that are known (PRD-13): a product has it, or a line of an invoice or one that is
 * replaced has had it since before its product was deleted.
 *
 * @param before the lines that they replace
 */
export async function findLineProducts(
  db: Db,
  companyId: number,
  lines: readonly Pick<LineForm, 'productNumber'>[],
  before: readonly { readonly productNumber: string | null }[],
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
