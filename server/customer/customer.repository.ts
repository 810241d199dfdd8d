import { CompiledQuery, sql } from 'kysely';

import { CUSTOMER_NUMBER_MAX } from '../../domain/customer/customer.schema.ts';
import { customerSearchText } from '../../domain/search-text.ts';
import { compiledOnce, insertAll, partsOf, toRecords } from '../platform/db/frequent-statements.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { matches, matchRank } from '../platform/db/search.ts';
import type { Row } from '../platform/db/tables.ts';
import { isStill } from '../platform/db/columns.ts';
import { AppError } from '../errors.ts';

const COLUMNS = [
  'id',
  'customerNumber',
  'name',
  'email',
  'orgNumber',
  'phoneNumber',
  'address1',
  'address2',
  'postalCode',
  'city',
  'country',
  'contactName',
  'invoiceEmails',
  'reference',
  'dueDays',
  'deliveryType',
  'isPrivate',
  'vatNumber',
  'ehfFirst',
  'version',
  'credit',
] as const;

export type CustomerRow = Row<'customer', (typeof COLUMNS)[number]>;

/** The saved fields of a customer. The database maintains the version and the credit. */
export type CustomerValues = Omit<CustomerRow, 'id' | 'version' | 'credit'>;

/** The customers after this number, by number, at most `most`. */
export async function listCustomers(
  db: Db,
  companyId: number,
  after: number,
  most: number,
): Promise<CustomerRow[]> {
  return db
    .selectFrom('customer')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where('customerNumber', '>', after)
    .orderBy('customerNumber')
    .limit(most)
    .execute();
}

/** Best match first: the exact number, names that begin with the query, words that do, the rest. */
export async function searchCustomers(
  db: Db,
  companyId: number,
  { query, size }: { query: string; size: number },
): Promise<CustomerRow[]> {
  return db
    .selectFrom('customer')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where(matches('customer.searchText', query))
    .orderBy(sql`customer_number::text = ${query} DESC`)
    .orderBy(matchRank('customer.searchText', query))
    .orderBy('name')
    .orderBy('customerNumber')
    .limit(size)
    .execute();
}

/** The customer with this number. */
export async function findCustomer(
  db: Db,
  companyId: number,
  customerNumber: number,
): Promise<CustomerRow | null> {
  return (await selectCustomer(db, companyId, customerNumber).executeTakeFirst()) ?? null;
}

/** Like `findCustomer`, but locked: nobody else can change, reference or delete it before the transaction ends. */
export async function lockCustomer(
  trx: Trx,
  companyId: number,
  customerNumber: number,
): Promise<CustomerRow | null> {
  const customer = selectCustomer(trx, companyId, customerNumber).forUpdate();
  return (await customer.executeTakeFirst()) ?? null;
}

function selectCustomer(db: Db, companyId: number, customerNumber: number) {
  return db
    .selectFrom('customer')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where('customerNumber', '=', customerNumber);
}

/**
 * The customers with these numbers, in the same order. Locks them: nobody can delete one before the transaction ends.
 * @throws AppError unknown_customer
 */
export async function lockByNumbers(
  trx: Trx,
  companyId: number,
  numbers: readonly number[],
  field: string,
): Promise<CustomerRow[]> {
  const rows = numbers.length === 0 ? [] : await readLocked(trx, companyId, numbers);
  const byNumber = new Map(rows.map((row) => [row.customerNumber, row]));
  return numbers.map((number) => {
    const row = byNumber.get(number);
    if (!row) throw new AppError('unknown_customer', { field, subject: number });
    return row;
  });
}

const readLocked = compiledOnce((trx, companyId: number, numbers: readonly number[]) =>
  trx
    .selectFrom('customer')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`customer_number = ANY(${numbers}::integer[])`)
    .orderBy('id')
    .forKeyShare(),
);

function selectByIds(db: Db, companyId: number, ids: readonly number[]) {
  return db
    .selectFrom('customer')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`id = ANY(${ids}::bigint[])`)
    .orderBy('customerNumber');
}

const readByIds = compiledOnce(selectByIds);

/** The customers with these ids, by id. */
export async function findCustomersByIds(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, CustomerRow>> {
  const rows = ids.length === 0 ? [] : await readByIds(db, companyId, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The customers with these ids, locked: nobody can delete one before the transaction ends. */
export const lockByIds = compiledOnce((trx, companyId: number, ids: readonly number[]) =>
  selectByIds(trx, companyId, ids).forKeyShare(),
);

/** Adds a customer; null when the number is taken. */
export async function insertCustomer(
  trx: Trx,
  companyId: number,
  customer: CustomerValues,
): Promise<CustomerRow | null> {
  const row = await trx
    .insertInto('customer')
    .values({ companyId, ...toRow(customer) })
    .onConflict((conflict) => conflict.columns(['companyId', 'customerNumber']).doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Saves the customer that had this number; null when there is none, or when it has another version than the caller
 * has read.
 */
export async function saveCustomer(
  trx: Trx,
  companyId: number,
  customerNumber: number,
  customer: CustomerValues,
  version: number | null | undefined,
): Promise<CustomerRow | null> {
  const row = await trx
    .updateTable('customer')
    .set(toRow(customer))
    .where('companyId', '=', companyId)
    .where('customerNumber', '=', customerNumber)
    .where(isStill(version))
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

/** The lowest free numbers, without these, at most `most`. */
export async function findFreeNumbers(
  db: Db,
  companyId: number,
  many: number,
  reserved: readonly number[],
): Promise<number[]> {
  // This range contains as many free numbers as wanted.
  const { rows } = await sql<{ number: number }>`
    SELECT number FROM generate_series(1, LEAST(${CUSTOMER_NUMBER_MAX}::integer,
      ${many + reserved.length}::integer
        + (SELECT count(*)::integer FROM customer WHERE company_id = ${companyId}))) AS number
    WHERE NOT number = ANY(${[...reserved]}::integer[]) AND NOT EXISTS (
      SELECT FROM customer WHERE company_id = ${companyId} AND customer_number = number)
    ORDER BY number LIMIT ${many}`.execute(db);
  return rows.map(({ number }) => number);
}

export async function countCustomers(db: Db, companyId: number): Promise<number> {
  const { count } = await db
    .selectFrom('customer')
    .select((customer) => customer.fn.countAll<number>().as('count'))
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function deleteCustomer(trx: Trx, companyId: number, id: number): Promise<void> {
  await trx
    .deleteFrom('customer')
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** Keys that identify customers. */
export interface CustomerKeys {
  readonly customerNumbers: readonly number[];
  readonly orgNumbers: readonly string[];
  readonly emails: readonly string[];
}

/** A customer to save, with its id. */
export type SavedCustomer = CustomerValues & { readonly id: number };

/** Every customer with one of these keys. */
export async function findByKeys(
  db: Db,
  companyId: number,
  keys: CustomerKeys,
): Promise<CustomerRow[]> {
  return selectByKeys(db, companyId, keys).execute();
}

/** Like `findByKeys`, but locked until the transaction ends. */
export async function lockByKeys(
  trx: Trx,
  companyId: number,
  keys: CustomerKeys,
): Promise<CustomerRow[]> {
  return selectByKeys(trx, companyId, keys).orderBy('id').forNoKeyUpdate().execute();
}

/** Joined as a hash table: with `= ANY`, PostgreSQL would scan each list for every customer. */
function selectByKeys(db: Db, companyId: number, keys: CustomerKeys) {
  return db
    .selectFrom('customer')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where(
      sql<boolean>`(customer_number IN (SELECT unnest(${[...keys.customerNumbers]}::integer[]))
        OR org_number IN (SELECT unnest(${[...keys.orgNumbers]}::text[]))
        OR email IN (SELECT unnest(${[...keys.emails]}::text[])))`,
    );
}

/** Adds customers, and returns their ids in order. @throws when a number is taken */
export async function insertCustomers(
  trx: Trx,
  companyId: number,
  customers: readonly CustomerValues[],
): Promise<number[]> {
  const rows = customers.map(toRow);
  const inserted = await insertAll(trx, { companyId, table: 'customer' }, rows, ['id']);
  return inserted.map(({ id }) => id);
}

/** Saves customers without changing their numbers. */
export async function saveCustomers(
  trx: Trx,
  companyId: number,
  customers: readonly SavedCustomer[],
): Promise<void> {
  for (const part of partsOf(customers)) {
    const rows = part.map(toRow);
    await trx.executeQuery(CompiledQuery.raw(UPDATE, [companyId, toRecords(rows)]));
  }
}

const UPDATE = `UPDATE customer SET name = saved.name, email = saved.email,
    org_number = saved.org_number, phone_number = saved.phone_number, address1 = saved.address1,
    address2 = saved.address2, postal_code = saved.postal_code, city = saved.city,
    country = saved.country, contact_name = saved.contact_name,
    invoice_emails = saved.invoice_emails, reference = saved.reference, due_days = saved.due_days,
    delivery_type = saved.delivery_type, is_private = saved.is_private,
    vat_number = saved.vat_number, ehf_first = saved.ehf_first,
    search_text = saved.search_text
  FROM json_populate_recordset(NULL::customer, $2) AS saved
  WHERE customer.company_id = $1 AND customer.id = saved.id`;

function toRow<Values extends CustomerValues>(customer: Values) {
  return { ...customer, searchText: customerSearchText(customer) };
}

/** The country and VAT number of these customers, by id. */
export async function findVatNumbers(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, Pick<CustomerRow, 'country' | 'orgNumber' | 'vatNumber'>>> {
  const rows = await db
    .selectFrom('customer')
    .select(['id', 'country', 'orgNumber', 'vatNumber'])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`id = ANY(${[...ids]}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
