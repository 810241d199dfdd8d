import { toSnakeKey } from '../../domain/api/case.ts';
import type { RowFault } from '../../domain/api/error.ts';
import { inEnglish } from '../../domain/api/rules.ts';
import { HOME_COUNTRY } from '../../domain/country.ts';
import {
  IMPORTED_FIELDS,
  type CustomerImport,
  type CustomerImportResult,
  type ImportedCustomer,
} from '../../domain/customer/customer-import.schema.ts';
import type { Actor, Context } from '../context.ts';
import { addToGroup, requireGroup, type Receiving } from './customer-group.service.ts';
import { requireCustomerNumbers, takeCustomerNumbers } from './customer.service.ts';
import {
  findByKeys,
  insertCustomers,
  lockByKeys,
  saveCustomers,
  type CustomerKeys,
  type CustomerRow,
  type CustomerValues,
  type SavedCustomer,
} from './customer.repository.ts';
import { lockCompany, raiseCustomerNumber } from '../company/profile.repository.ts';
import type { Trx } from '../platform/db/database.ts';
import { isUniqueViolation } from '../platform/db/database-errors.ts';
import { analyzeAfterImport } from '../platform/db/upkeep.ts';
import { AppError, changedMeanwhile, type Language, sentenceOf } from '../errors.ts';
import { judgeRows, readRows, type Clash, type ReadRow, type Verdict } from './import-judging.ts';

/**
 * Returns what an import would do, and the faults of its rows.
 * @throws AppError unknown_group, customer_numbers_used_up
 */
export async function tryImport(
  context: Context,
  { companyId }: Actor,
  wish: CustomerImport,
  language: Language,
): Promise<CustomerImportResult> {
  const rows = await readRows(wish.rows);
  const { db } = context;
  const group = receivingOf(wish);
  if (group) await requireGroup(db, companyId, group);
  const found = await findByKeys(db, companyId, keysOf(rows));
  const verdict = judgeRows(rows, found, wish.updateKnown);
  await requireCustomerNumbers(db, companyId, verdict.added.length);
  return present(verdict, wish, faultsOf(rows, verdict.clashes, language));
}

/**
 * Adds and updates customers, all or none. An empty field of a row keeps the customer's value.
 * @throws AppError import_faulty, unknown_group, group_too_large, customer_numbers_used_up, changed_meanwhile
 */
export async function importCustomers(
  context: Context,
  { companyId }: Actor,
  wish: CustomerImport,
  language: Language,
): Promise<CustomerImportResult> {
  const rows = await readRows(wish.rows);
  try {
    const result = await context.db.transaction().execute(async (trx) => {
      // The lock lets one import at a time take numbers, and prevents the deletion of customers.
      await lockCompany(trx, companyId);
      const found = await lockByKeys(trx, companyId, keysOf(rows));
      const verdict = judgeRows(rows, found, wish.updateKnown);
      refuseFaults(faultsOf(rows, verdict.clashes, language));
      const ids = await addAll(trx, companyId, verdict.added);
      if (wish.updateKnown) await saveCustomers(trx, companyId, changedOf(verdict));
      const group = receivingOf(wish);
      const members = [...ids, ...verdict.known.map(({ before }) => before.id)];
      const groupUuid = group && (await addToGroup(trx, companyId, group, members));
      return { ...present(verdict, wish, []), groupUuid };
    });
    await analyzeAfterImport(context, result.created);
    return result;
  } catch (error) {
    // A customer has got one of the numbers since they were looked up.
    throw isUniqueViolation(error) ? changedMeanwhile() : error;
  }
}

function receivingOf({ groupUuid, groupName }: CustomerImport): Receiving | null {
  if (groupUuid !== null) return { uuid: groupUuid };
  return groupName === null ? null : { name: groupName };
}

function keysOf(rows: readonly ReadRow[]): CustomerKeys {
  const numbered = rows.filter(({ customer }) => customer.customerNumber !== null);
  const others = rows.filter(({ customer }) => customer.customerNumber === null);
  return {
    customerNumbers: valuesOf(numbered, 'customerNumber'),
    orgNumbers: valuesOf(others, 'orgNumber'),
    emails: valuesOf(others, 'email'),
  };
}

function valuesOf<Field extends 'customerNumber' | 'orgNumber' | 'email'>(
  rows: readonly ReadRow[],
  field: Field,
) {
  return [...new Set(rows.flatMap(({ customer }) => customer[field] ?? []))] as NonNullable<
    ImportedCustomer[Field]
  >[];
}

/** Faults by row. */
function faultsOf(
  rows: readonly ReadRow[],
  clashes: readonly Clash[],
  language: Language,
): RowFault[] {
  const own = rows.flatMap(({ row, faults }) =>
    faults.map((fault) => ({ row, ...fault, repeats: null })),
  );
  const others = clashes.map(({ row, field, code, repeats }) => ({
    row,
    field: toSnakeKey(field),
    message: code
      ? sentenceOf(new AppError(code), language)
      : inEnglish(field, '{0} is a required field'),
    repeats,
  }));
  return [...own, ...others].toSorted((left, right) => left.row - right.row);
}

function refuseFaults(faults: readonly RowFault[]): void {
  if (faults.length === 0) return;
  const rows = new Set(faults.map(({ row }) => row)).size;
  throw new AppError('import_faulty', { field: 'rows', subject: rows, faults });
}

/** Adds new customers with their own numbers, or with automatic ones in the order of their rows. */
async function addAll(
  trx: Trx,
  companyId: number,
  added: readonly ReadRow[],
): Promise<readonly number[]> {
  // Explicit numbers first, so that no other customer gets one of them automatically.
  const byHand = added.flatMap(({ customer }) => customer.customerNumber ?? []);
  const highest = byHand.reduce((most, number) => Math.max(most, number), 0);
  await raiseCustomerNumber(trx, companyId, highest);
  const unnumbered = added.length - byHand.length;
  const numbers = (await takeCustomerNumbers(trx, companyId, unnumbered, byHand)).values();
  const customers = added.map(({ customer }): CustomerValues => ({
    ...customer,
    customerNumber: customer.customerNumber ?? numbers.next().value ?? 0,
    name: customer.name ?? '',
    country: customer.country ?? HOME_COUNTRY,
    invoiceEmails: customer.invoiceEmails ?? [],
    isPrivate: customer.isPrivate ?? false,
    vatNumber: null,
  }));
  return insertCustomers(trx, companyId, customers);
}

function changedOf({ known }: Verdict): SavedCustomer[] {
  return known
    .filter(({ read, before }) => changesOf(read.customer, before).length > 0)
    .map(({ read, before }) => merge(read.customer, before));
}

/** The fields that a row changes. */
function changesOf(customer: ImportedCustomer, before: CustomerRow) {
  return IMPORTED_FIELDS.filter(
    (field) => JSON.stringify(customer[field] ?? before[field]) !== JSON.stringify(before[field]),
  );
}

function merge(customer: ImportedCustomer, before: CustomerRow): SavedCustomer {
  const values = IMPORTED_FIELDS.map((field) => [field, customer[field] ?? before[field]] as const);
  return { ...(Object.fromEntries(values) as CustomerValues), id: before.id };
}

function present(
  { added, known }: Verdict,
  wish: CustomerImport,
  faults: RowFault[],
): CustomerImportResult {
  const faulty = new Set(faults.map(({ row }) => row));
  return {
    created: added.filter(({ row }) => !faulty.has(row)).length,
    updated: wish.updateKnown ? known.filter(({ read }) => !faulty.has(read.row)).length : 0,
    faults,
    known: known.map(({ read, before }) => ({
      row: read.row,
      customerNumber: before.customerNumber,
      name: before.name,
      changes: changesOf(read.customer, before).map(toSnakeKey),
    })),
    groupUuid: wish.groupUuid,
  };
}
