import { toSnakeKey } from '../../domain/api/case.ts';
import type { RowFault } from '../../domain/api/error.ts';
import { HOME_COUNTRY } from '../../domain/country.ts';
import {
  importedCustomer,
  IMPORTED_FIELDS,
  type CustomerImport,
  type CustomerImportResult,
  type ImportedCustomer,
} from '../../domain/customer/customer-import.schema.ts';
import type { Actor, BeforeChange, Context } from '../context.ts';
import {
  addToGroup,
  requireGroup,
  type ChangedGroup,
  type Receiving,
} from './customer-group.service.ts';
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
import {
  countSound,
  faultsOf,
  readRows,
  refuseFaults,
  type ReadRow,
} from '../platform/http/imported-rows.ts';
import { changedMeanwhile, type Language } from '../errors.ts';
import { judgeRows, type CustomerVerdict } from './import-judging.ts';

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
  const rows = await readRows(importedCustomer(context.config.features), wish.rows);
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
  actor: Actor,
  wish: CustomerImport,
  language: Language,
  beforeGroupChange: BeforeChange<ChangedGroup>,
): Promise<CustomerImportResult> {
  const { companyId } = actor;
  const rows = await readRows(importedCustomer(context.config.features), wish.rows);
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
      const groupUuid =
        group &&
        (await addToGroup(trx, companyId, group, members, async (changed) =>
          beforeGroupChange(context, trx, actor, changed),
        ));
      return { ...present(verdict, wish, []), groupUuid };
    });
    await analyzeAfterImport(context, 'customer', result.created);
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

function keysOf(rows: readonly ReadRow<ImportedCustomer>[]): CustomerKeys {
  const numbered = rows.filter(({ values }) => values.customerNumber !== null);
  const others = rows.filter(({ values }) => values.customerNumber === null);
  return {
    customerNumbers: valuesOf(numbered, 'customerNumber'),
    orgNumbers: valuesOf(others, 'orgNumber'),
    emails: valuesOf(others, 'email'),
  };
}

function valuesOf<Field extends 'customerNumber' | 'orgNumber' | 'email'>(
  rows: readonly ReadRow<ImportedCustomer>[],
  field: Field,
) {
  return [...new Set(rows.flatMap(({ values }) => values[field] ?? []))] as NonNullable<
    ImportedCustomer[Field]
  >[];
}

/** Adds new customers with their own numbers, or with automatic ones in the order of their rows. */
async function addAll(
  trx: Trx,
  companyId: number,
  added: readonly ReadRow<ImportedCustomer>[],
): Promise<readonly number[]> {
  // Explicit numbers first, so that no other customer gets one of them automatically.
  const byHand = added.flatMap(({ values }) => values.customerNumber ?? []);
  const highest = byHand.reduce((most, number) => Math.max(most, number), 0);
  await raiseCustomerNumber(trx, companyId, highest);
  const unnumbered = added.length - byHand.length;
  const numbers = (await takeCustomerNumbers(trx, companyId, unnumbered, byHand)).values();
  const customers = added.map(({ values }): CustomerValues => ({
    ...values,
    customerNumber: values.customerNumber ?? numbers.next().value ?? 0,
    name: values.name ?? '',
    country: values.country ?? HOME_COUNTRY,
    invoiceEmails: values.invoiceEmails ?? [],
    isPrivate: values.isPrivate ?? false,
    vatNumber: values.vatNumber ?? null,
    ehfFirst: values.ehfFirst ?? true,
  }));
  return insertCustomers(trx, companyId, customers);
}

function changedOf({ known }: CustomerVerdict): SavedCustomer[] {
  return known
    .filter(({ read, before }) => changesOf(read.values, before).length > 0)
    .map(({ read, before }) => merge(read.values, before));
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
  verdict: CustomerVerdict,
  wish: CustomerImport,
  faults: RowFault[],
): CustomerImportResult {
  return {
    ...countSound(verdict, wish.updateKnown, faults),
    faults,
    known: verdict.known.map(({ read, before }) => ({
      row: read.row,
      customerNumber: before.customerNumber,
      name: before.name,
      changes: changesOf(read.values, before).map(toSnakeKey),
    })),
    groupUuid: wish.groupUuid,
  };
}
