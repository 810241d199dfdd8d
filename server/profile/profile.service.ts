import type { Seller } from '../../domain/parties.ts';
import type { Profile, ProfileForm } from '../../domain/profile/profile.schema.ts';
import type { Actor, Context } from '../context.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import {
  findBankAccounts,
  findCompany,
  lockCompany,
  replaceBankAccounts,
  saveCompany,
  type BankAccountRow,
  type CompanyRow,
} from './profile.repository.ts';

export {
  advanceSeries,
  insertCompany,
  lockCompany,
  noteInvoiceCreated,
  raiseCustomerNumber,
  takeCustomerNumber,
} from './profile.repository.ts';

/** What an invoice takes from a complete profile. */
export interface Issuer {
  readonly companyId: number;
  readonly seller: Seller;
  /** The primary account's eleven digits. */
  readonly bankAccountNumber: string;
  readonly startInvoiceNumber: number;
  readonly lastInvoiceNumber: number | null;
  /** The end of the chain of documents, which the database keeps. */
  readonly lastDocumentHash: Uint8Array | null;
}

/** The profile as the API shows it. */
export async function getProfile(context: Context, actor: Actor): Promise<Profile> {
  const company = await findCompany(context.db, actor.companyId);
  return toProfile(company, await findBankAccounts(context.db, actor.companyId), actor);
}

/** Saves the profile. @throws AppError changed_meanwhile, start_number_fixed once an invoice exists */
export async function updateProfile(
  context: Context,
  actor: Actor,
  form: ProfileForm,
): Promise<Profile> {
  return context.db.transaction().execute(async (trx) => {
    const before = await lockCompany(trx, actor.companyId);
    const startInvoiceNumber = form.startInvoiceNumber ?? before.startInvoiceNumber;
    if (before.hasCreatedInvoice && startInvoiceNumber !== before.startInvoiceNumber) {
      throw new AppError('start_number_fixed', { field: 'startInvoiceNumber' });
    }
    const isSaved = await saveCompany(trx, actor.companyId, { ...form, startInvoiceNumber });
    if (!isSaved) throw changedMeanwhile();
    await replaceBankAccounts(trx, actor.companyId, withOnePrimary(form.bankAccounts));
    const company = await findCompany(trx, actor.companyId);
    return toProfile(company, await findBankAccounts(trx, actor.companyId), actor);
  });
}

function withOnePrimary(accounts: readonly BankAccountRow[]): BankAccountRow[] {
  const ticked = accounts.findIndex((account) => account.isPrimary);
  const primary = Math.max(ticked, 0);
  return accounts.map((account, index) => ({ ...account, isPrimary: index === primary }));
}

function toProfile(company: CompanyRow, accounts: BankAccountRow[], actor: Actor): Profile {
  return {
    companyName: company.companyName,
    orgNumber: company.orgNumber,
    vatRegistered: company.vatRegistered,
    foretaksregisteret: company.foretaksregisteret,
    email: company.email,
    billingAddress1: company.billingAddress1,
    billingAddress2: company.billingAddress2,
    billingPostalCode: company.billingPostalCode,
    billingCity: company.billingCity,
    startInvoiceNumber: company.startInvoiceNumber,
    hasCreatedInvoice: company.hasCreatedInvoice,
    isProfileCompleted: toIssuer(company, accounts) !== null,
    isStaff: actor.isStaff,
    bankAccounts: accounts.map(({ bankAccountNumber, isPrimary }) => ({
      bankAccountNumber,
      isPrimary,
    })),
    version: company.version,
  };
}

/** Whether every required field is set and there is an account to pay to. */
export async function isProfileCompleted(db: Db, companyId: number): Promise<boolean> {
  const company = await findCompany(db, companyId);
  return toIssuer(company, await findBankAccounts(db, companyId)) !== null;
}

/** The seller as it is now, for a draft's preview. @throws AppError profile_incomplete */
export async function findIssuer(db: Db, companyId: number): Promise<Issuer> {
  return requireIssuer(await findCompany(db, companyId), await findBankAccounts(db, companyId));
}

/**
 * The seller. Locks its profile and its number series until the transaction ends.
 * @throws AppError profile_incomplete
 */
export async function lockIssuer(trx: Trx, companyId: number): Promise<Issuer> {
  const company = await lockCompany(trx, companyId);
  return requireIssuer(company, await findBankAccounts(trx, companyId));
}

function requireIssuer(company: CompanyRow, accounts: BankAccountRow[]): Issuer {
  const issuer = toIssuer(company, accounts);
  if (!issuer) throw new AppError('profile_incomplete');
  return issuer;
}

function toIssuer(company: CompanyRow, accounts: readonly BankAccountRow[]): Issuer | null {
  const account = accounts.find(({ isPrimary }) => isPrimary);
  const { companyName: name, orgNumber, email, vatRegistered, foretaksregisteret } = company;
  const { billingAddress1: address1, billingPostalCode: postalCode, billingCity: city } = company;
  if (!account || !name || !orgNumber || !email || !address1 || !postalCode || !city) return null;
  if (vatRegistered === null || foretaksregisteret === null) return null;
  const address = { address1, address2: company.billingAddress2, postalCode, city };
  return {
    companyId: company.id,
    seller: { name, orgNumber, email, vatRegistered, foretaksregisteret, ...address },
    bankAccountNumber: account.bankAccountNumber,
    startInvoiceNumber: company.startInvoiceNumber,
    lastInvoiceNumber: company.lastInvoiceNumber,
    lastDocumentHash: company.lastDocumentHash,
  };
}
