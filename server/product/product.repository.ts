import { CompiledQuery, sql } from 'kysely';

import { productKey } from '../../domain/product/product-number.ts';
import { searchText } from '../../domain/search-text.ts';
import { insertAll, partsOf, toRecords } from '../platform/db/frequent-statements.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { matches, matchRank } from '../platform/db/search.ts';
import type { Row } from '../platform/db/tables.ts';

const COLUMNS = [
  'id',
  'number',
  'name',
  'description',
  'unit',
  'netPrice',
  'vatTreatment',
  'active',
  'version',
] as const;

export type ProductRow = Row<'product', (typeof COLUMNS)[number]>;

/** The saved fields of a product. The database maintains the version. */
export type ProductValues = Omit<ProductRow, 'id' | 'version'>;

/** The products of a list: those with every word of the query, all of them when it is empty. */
interface ProductFilter {
  readonly query: string;
  readonly active: boolean | undefined;
}

function selectListed(db: Db, companyId: number, { query, active }: ProductFilter) {
  const listed = db
    .selectFrom('product')
    .where('companyId', '=', companyId)
    .where(matches('product.searchText', query));
  return active === undefined ? listed : listed.where('active', '=', active);
}

/** A page, by number; of a search the best match first, as customers are found. */
export async function listProducts(
  db: Db,
  companyId: number,
  { page, size, ...filter }: ProductFilter & { readonly page: number; readonly size: number },
): Promise<ProductRow[]> {
  const { query } = filter;
  return selectListed(db, companyId, filter)
    .select(COLUMNS)
    .$if(query !== '', (found) =>
      found
        .orderBy(sql`number_key = ${productKey(query)} DESC`)
        .orderBy(matchRank('product.searchText', query))
        .orderBy(sql`name_order(name)`),
    )
    .orderBy('numberOrder')
    .orderBy('numberKey')
    .limit(size)
    .offset((page - 1) * size)
    .execute();
}

export async function countProducts(
  db: Db,
  companyId: number,
  filter: ProductFilter,
): Promise<number> {
  const { count } = await selectListed(db, companyId, filter)
    .select((product) => product.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The product with this number, in whatever case. */
export async function findProduct(
  db: Db,
  companyId: number,
  number: string,
): Promise<ProductRow | null> {
  const row = await db
    .selectFrom('product')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where('numberKey', '=', productKey(number))
    .executeTakeFirst();
  return row ?? null;
}

/** The highest number of digits alone; null when there is none. */
export async function findHighestNumber(db: Db, companyId: number): Promise<bigint | null> {
  const row = await db
    .selectFrom('product')
    .select('number')
    .where('companyId', '=', companyId)
    .where(sql<boolean>`number ~ '^[0-9]+$'`)
    .orderBy('numberOrder', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? BigInt(row.number) : null;
}

/** Adds a product; null when the number is taken. */
export async function insertProduct(
  trx: Trx,
  companyId: number,
  product: ProductValues,
): Promise<ProductRow | null> {
  const row = await trx
    .insertInto('product')
    .values({ companyId, ...toRow(product) })
    .onConflict((conflict) => conflict.columns(['companyId', 'numberKey']).doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

/** Saves the product with this id. */
export async function saveProduct(
  trx: Trx,
  companyId: number,
  id: number,
  product: ProductValues,
): Promise<ProductRow> {
  return trx
    .updateTable('product')
    .set(toRow(product))
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** A product to save, with its id. */
export type SavedProduct = ProductValues & { readonly id: number };

/** The products with these keys. */
export async function findByKeys(
  db: Db,
  companyId: number,
  keys: readonly string[],
): Promise<ProductRow[]> {
  // Joined as a hash table: with `= ANY`, PostgreSQL would scan the list for every product.
  return db
    .selectFrom('product')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`number_key IN (SELECT unnest(${[...keys]}::text[]))`)
    .execute();
}

/** Adds products. @throws when a number is taken */
export async function insertProducts(
  trx: Trx,
  companyId: number,
  products: readonly ProductValues[],
): Promise<void> {
  await insertAll(trx, { companyId, table: 'product' }, products.map(toRow), []);
}

/** Saves products without changing their numbers. */
export async function saveProducts(
  trx: Trx,
  companyId: number,
  products: readonly SavedProduct[],
): Promise<void> {
  for (const part of partsOf(products)) {
    const rows = part.map(toRow);
    await trx.executeQuery(CompiledQuery.raw(UPDATE, [companyId, toRecords(rows)]));
  }
}

const UPDATE = `UPDATE product SET name = saved.name, description = saved.description,
    unit = saved.unit, net_price = saved.net_price, vat_treatment = saved.vat_treatment,
    active = saved.active, search_text = saved.search_text
  FROM json_populate_recordset(NULL::product, $2) AS saved
  WHERE product.company_id = $1 AND product.id = saved.id`;

/** Deletes a product; false when the company has none with this number. */
export async function deleteProduct(db: Db, companyId: number, number: string): Promise<boolean> {
  const result = await db
    .deleteFrom('product')
    .where('companyId', '=', companyId)
    .where('numberKey', '=', productKey(number))
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

function toRow<Values extends ProductValues>(product: Values) {
  const { number, name, description } = product;
  return {
    ...product,
    numberKey: productKey(number),
    searchText: searchText(name, number, description),
  };
}
