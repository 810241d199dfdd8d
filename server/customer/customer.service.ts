import {
  type Customer,
  type CustomerForm,
  type CustomerUpdate,
  CUSTOMER_NUMBER_MAX,
} from '../../domain/customer/customer.schema.ts';
import { oreToKroner } from '../../domain/money.ts';
import type { Actor, BeforeChange, Context } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { isCheckViolation, isUniqueViolation } from '../platform/db/database-errors.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import {
  lockCompany,
  raiseCustomerNumber,
  takeCustomerNumbers as takeNumbersAfterHighest,
} from '../company/profile.repository.ts';
import { streamList, type Streamed } from '../platform/http/streamed.ts';
import * as repository from './customer.repository.ts';
import type { CustomerRow } from './customer.repository.ts';

/** A customer as in the API; with `payments` on, also its credit. */
export function toCustomer({ config }: Pick<Context, 'config'>, row: CustomerRow): Customer {
  return {
    customerNumber: row.customerNumber,
    name: row.name,
    email: row.email,
    orgNumber: row.orgNumber,
    phoneNumber: row.phoneNumber,
    address1: row.address1,
    address2: row.address2,
    postalCode: row.postalCode,
    city: row.city,
    country: row.country,
    contactName: row.contactName,
    invoiceEmails: row.invoiceEmails,
    reference: row.reference,
    dueDays: row.dueDays,
    deliveryType: row.deliveryType,
    isPrivate: row.isPrivate,
    ...(config.features.has('vat') && { vatNumber: row.vatNumber }),
    ...(config.features.has('einvoice') && { ehfFirst: row.ehfFirst }),
    version: row.version,
    ...(config.features.has('payments') && { credit: oreToKroner(row.credit) }),
  };
}

/** Customers of a list in memory at a time. */
const LISTED_AT_ONCE = 2000;

/** Every customer of the company, by number; a long list is read during the answer. */
export async function listCustomers(
  context: Context,
  { companyId }: Actor,
): Promise<Customer[] | Streamed<Customer[]>> {
  const readAfter = async (number: number) => {
    const rows = await repository.listCustomers(context.db, companyId, number, LISTED_AT_ONCE);
    return rows.map((row) => toCustomer(context, row));
  };
  const first = await readAfter(0);
  if (first.length < LISTED_AT_ONCE) return first;
  return streamList(first, async (last) => readAfter(last.customerNumber));
}

/** The customers that match a query, best match first. */
export async function searchCustomers(
  context: Context,
  actor: Actor,
  search: { query: string; size: number },
): Promise<Customer[]> {
  const rows = await repository.searchCustomers(context.db, actor.companyId, search);
  return rows.map((row) => toCustomer(context, row));
}

/** One customer. @throws AppError not_found */
export async function getCustomer(
  context: Context,
  actor: Actor,
  customerNumber: number,
): Promise<Customer> {
  const row = await repository.findCustomer(context.db, actor.companyId, customerNumber);
  if (!row) throw new AppError('not_found');
  return toCustomer(context, row);
}

/**
 * Adds a customer, with the given number or the one after the highest so far.
 * @throws AppError customer_number_taken, customer_numbers_used_up
 */
export async function createCustomer(
  context: Context,
  actor: Actor,
  form: CustomerForm,
): Promise<Customer> {
  return context.db.transaction().execute(async (trx) => {
    const customerNumber = await chooseNumber(trx, actor.companyId, form.customerNumber ?? null);
    const { features } = context.config;
    const vatNumber = features.has('vat') ? (form.vatNumber ?? null) : null;
    const ehfFirst = (features.has('einvoice') ? form.ehfFirst : null) ?? true;
    const customer = { ...form, customerNumber, vatNumber, ehfFirst };
    const row = await repository.insertCustomer(trx, actor.companyId, customer);
    if (!row) throw numberTaken(customerNumber);
    return toCustomer(context, row);
  });
}

/** Both ways lock the company's row, so that an explicit number and an automatic one cannot collide. */
async function chooseNumber(trx: Trx, companyId: number, byHand: number | null): Promise<number> {
  if (byHand !== null) {
    await raiseCustomerNumber(trx, companyId, byHand);
    return byHand;
  }
  const [next] = await takeCustomerNumbers(trx, companyId, 1, []);
  if (next === undefined) throw new AppError('customer_numbers_used_up');
  return next;
}

/**
 * Takes numbers for new customers: those after the highest so far or, when these are used up, the lowest free ones.
 * The company stays locked.
 * @param reserved numbers that the same transaction gives to other customers
 * @throws AppError customer_numbers_used_up
 */
export async function takeCustomerNumbers(
  trx: Trx,
  companyId: number,
  many: number,
  reserved: readonly number[],
): Promise<number[]> {
  const wish = { many, highest: CUSTOMER_NUMBER_MAX };
  const after = await takeNumbersAfterHighest(trx, companyId, wish);
  const lacking = many - after.length;
  if (lacking === 0) return after;
  const free = await repository.findFreeNumbers(trx, companyId, lacking, reserved);
  if (free.length < lacking) throw new AppError('customer_numbers_used_up');
  return [...after, ...free];
}

/** Whether this many new customers can get a number. */
export async function requireCustomerNumbers(
  db: Db,
  companyId: number,
  many: number,
): Promise<void> {
  const taken = await repository.countCustomers(db, companyId);
  if (taken + many > CUSTOMER_NUMBER_MAX) throw new AppError('customer_numbers_used_up');
}

function numberTaken(number: number): AppError {
  return new AppError('customer_number_taken', { field: 'customerNumber', subject: number });
}

/**
 * Saves a customer; a number in the input renumbers it.
 * @throws AppError not_found, changed_meanwhile, customer_number_taken
 */
export async function updateCustomer(
  context: Context,
  actor: Actor,
  customerNumber: number,
  { version, ...form }: CustomerUpdate,
): Promise<Customer> {
  const { companyId } = actor;
  const number = form.customerNumber ?? customerNumber;
  try {
    return await context.db.transaction().execute(async (trx) => {
      if (number !== customerNumber) {
        // A new number changes the version of the groups and assignments that name the customer. Saving those locks
        // the company before customers: keep that order.
        await lockCompany(trx, companyId);
        await raiseCustomerNumber(trx, companyId, number);
      }
      const { features } = context.config;
      const stored = await repository.findCustomer(trx, companyId, customerNumber);
      const vatNumber = (features.has('vat') ? form.vatNumber : stored?.vatNumber) ?? null;
      const ehfFirst =
        (features.has('einvoice') ? form.ehfFirst : null) ?? stored?.ehfFirst ?? true;
      const customer = { ...form, customerNumber: number, vatNumber, ehfFirst };
      const row = await repository.saveCustomer(trx, companyId, customerNumber, customer, version);
      if (!row) {
        const isThere = await repository.findCustomer(trx, companyId, customerNumber);
        throw isThere ? changedMeanwhile() : new AppError('not_found');
      }
      return toCustomer(context, row);
    });
  } catch (error) {
    throw isUniqueViolation(error) ? numberTaken(number) : error;
  }
}

/** Takes a locked customer out of what names it, or refuses its deletion. */
export type BeforeDeletion = BeforeChange<CustomerRow>;

/**
 * Deletes a customer and removes it from its groups.
 * @throws AppError not_found, customer_is_owed, customer_has_drafts, and as `beforeDeletion`
 */
export async function deleteCustomer(
  context: Context,
  actor: Actor,
  customerNumber: number,
  beforeDeletion: BeforeDeletion,
): Promise<void> {
  const { companyId } = actor;
  try {
    await context.db.transaction().execute(async (trx) => {
      // Its invoices lose their customer: lock what crediting an invoice locks, in the same order.
      await lockCompany(trx, companyId);
      const customer = await repository.lockCustomer(trx, companyId, customerNumber);
      if (!customer) throw new AppError('not_found');
      // Afterwards the owner of the credit would be unknown.
      if (context.config.features.has('payments') && customer.credit !== 0) {
        throw new AppError('customer_is_owed', { subject: oreToKroner(customer.credit) });
      }
      await beforeDeletion(context, trx, actor, customer);
      await repository.deleteCustomer(trx, companyId, customer.id);
    });
  } catch (error) {
    // Deleting would leave a draft without its customer, which a constraint forbids.
    throw isCheckViolation(error) ? new AppError('customer_has_drafts') : error;
  }
}
