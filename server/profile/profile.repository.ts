import type { ProfileForm } from '../../domain/profile/profile.schema.ts';
import type { Db, Trx } from '../db/database.ts';
import { isStill } from '../db/version.ts';

/** A company with its accounts, as stored. */
export interface CompanyRow {
  readonly id: number;
  readonly companyName: string | null;
  readonly orgNumber: string | null;
  readonly vatRegistered: boolean | null;
  readonly foretaksregisteret: boolean | null;
  readonly email: string | null;
  readonly billingAddress1: string | null;
  readonly billingAddress2: string | null;
  readonly billingPostalCode: string | null;
  readonly billingCity: string | null;
  readonly startInvoiceNumber: number;
  readonly hasCreatedInvoice: boolean;
  readonly lastInvoiceNumber: number | null;
  readonly lastDocumentHash: Uint8Array | null;
  /** Of the profile; the counters beside it do not count. */
  readonly version: number;
}

export interface BankAccountRow {
  readonly bankAccountNumber: string;
  readonly isPrimary: boolean;
}

const COLUMNS = [
  'id',
  'companyName',
  'orgNumber',
  'vatRegistered',
  'foretaksregisteret',
  'email',
  'billingAddress1',
  'billingAddress2',
  'billingPostalCode',
  'billingCity',
  'startInvoiceNumber',
  'hasCreatedInvoice',
  'lastInvoiceNumber',
  'lastDocumentHash',
  'version',
] as const;

export async function findCompany(db: Db, companyId: number): Promise<CompanyRow> {
  return db
    .selectFrom('company')
    .select(COLUMNS)
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow();
}

/** The company, held until the transaction ends: numbers, drafts and profile change one at a time. */
export async function lockCompany(trx: Trx, companyId: number): Promise<CompanyRow> {
  return trx
    .selectFrom('company')
    .select(COLUMNS)
    .where('id', '=', companyId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export async function findBankAccounts(db: Db, companyId: number): Promise<BankAccountRow[]> {
  return db
    .selectFrom('bankAccount')
    .select(['bankAccountNumber', 'isPrimary'])
    .where('companyId', '=', companyId)
    .orderBy('position')
    .execute();
}

/** Saves the profile; false when it is no longer the version that the caller has read. */
export async function saveCompany(
  trx: Trx,
  companyId: number,
  form: Omit<ProfileForm, 'bankAccounts' | 'startInvoiceNumber'> & { startInvoiceNumber: number },
): Promise<boolean> {
  const result = await trx
    .updateTable('company')
    .set({
      companyName: form.companyName,
      orgNumber: form.orgNumber,
      vatRegistered: form.vatRegistered,
      foretaksregisteret: form.foretaksregisteret,
      email: form.email,
      billingAddress1: form.billingAddress1,
      billingAddress2: form.billingAddress2,
      billingPostalCode: form.billingPostalCode,
      billingCity: form.billingCity,
      startInvoiceNumber: form.startInvoiceNumber,
    })
    .where('id', '=', companyId)
    .where(isStill(form.version))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function replaceBankAccounts(
  trx: Trx,
  companyId: number,
  accounts: readonly BankAccountRow[],
): Promise<void> {
  await trx.deleteFrom('bankAccount').where('companyId', '=', companyId).execute();
  await trx
    .insertInto('bankAccount')
    .values(accounts.map((account, position) => ({ companyId, position, ...account })))
    .execute();
}

export async function markInvoiceCreated(trx: Trx, companyId: number): Promise<void> {
  await trx
    .updateTable('company')
    .set({ hasCreatedInvoice: true })
    .where('id', '=', companyId)
    .where('hasCreatedInvoice', '=', false)
    .execute();
}

export async function saveSeries(
  trx: Trx,
  companyId: number,
  series: { lastInvoiceNumber: number; lastDocumentHash: Uint8Array },
): Promise<void> {
  await trx.updateTable('company').set(series).where('id', '=', companyId).execute();
}

/** Raises the highest customer number so far to at least this one. */
export async function raiseCustomerNumber(
  trx: Trx,
  companyId: number,
  number: number,
): Promise<void> {
  await trx
    .updateTable('company')
    .set({ lastCustomerNumber: number })
    .where('id', '=', companyId)
    .where('lastCustomerNumber', '<', number)
    .execute();
}

/** Takes the number after the highest so far. */
export async function takeCustomerNumber(trx: Trx, companyId: number): Promise<number> {
  const row = await trx
    .updateTable('company')
    .set((company) => ({ lastCustomerNumber: company('lastCustomerNumber', '+', 1) }))
    .where('id', '=', companyId)
    .returning('lastCustomerNumber')
    .executeTakeFirstOrThrow();
  return row.lastCustomerNumber;
}
