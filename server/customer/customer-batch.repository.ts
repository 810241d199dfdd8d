import { CompiledQuery, sql } from 'kysely';

import { customerSearchText } from '../../domain/search-text.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { insertAll, partsOf, toRecords } from '../platform/db/insert-all.ts';
import { COLUMNS, type CustomerRow, type CustomerValues } from './customer.repository.ts';

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

/** As `findByKeys`, but locked until the transaction ends. */
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
    search_text = saved.search_text
  FROM json_populate_recordset(NULL::customer, $2) AS saved
  WHERE customer.company_id = $1 AND customer.id = saved.id`;

function toRow<Values extends CustomerValues>(customer: Values) {
  return { ...customer, searchText: customerSearchText(customer) };
}
