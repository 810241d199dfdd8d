import type { Seller } from '../../domain/parties.ts';
import type { KidAgreement } from '../../domain/profile/kid-agreement.schema.ts';
import type { Profile, ProfileForm } from '../../domain/profile/profile.schema.ts';
import type { Config } from '../config.ts';
import type { Actor, Context } from '../context.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import { releaseAccounts } from './kid-agreement.service.ts';
import {
  findCompany,
  lockCompany,
  replaceBankAccounts,
  saveCompany,
  type BankAccountRow,
  type WholeCompany,
} from './profile.repository.ts';

export {
  advanceSeries,
  findLastCustomerNumber,
  insertCompany,
  lockCompany,
  noteInvoiceCreated,
  raiseCustomerNumber,
  takeCustomerNumbers,
} from './profile.repository.ts';

/** What an invoice takes from a complete profile. */
export interface Issuer {
  readonly companyId: number;
  readonly seller: Seller;
  /** The primary account's eleven digits. */
  readonly bankAccountNumber: string;
  /** The one that is stored; `kidAgreementInForce` says whether it is followed. */
  readonly kidAgreement: KidAgreement | null;
  /** What its invoices tell their customers unless they say otherwise. */
  readonly defaultMessage: string | null;
  /** SHA-256 of the logo that new documents get, in hex. */
  readonly logo: string | null;
  readonly startInvoiceNumber: number;
  /** Whether the start number is fixed, because there has been an invoice. */
  readonly hasCreatedInvoice: boolean;
  readonly lastInvoiceNumber: number | null;
  /** The end of the chain of documents, which the database keeps. */
  readonly lastDocumentHash: Uint8Array | null;
}

/** The profile as the API shows it. */
export async function getProfile(context: Context, actor: Actor): Promise<Profile> {
  return toProfile(await findCompany(context.db, actor.companyId), actor);
}

/** What a company calls itself and where it is reached, as far as its profile says. */
export async function findContact(
  db: Db,
  companyId: number,
): Promise<{ readonly name: string | null; readonly email: string | null }> {
  const { companyName, email } = await findCompany(db, companyId);
  return { name: companyName, email };
}

/** What invoices tell their customers unless they say otherwise. */
export async function findDefaultMessage(db: Db, companyId: number): Promise<string | null> {
  return (await findCompany(db, companyId)).defaultMessage;
}

/** The company's own accounts, eleven digits each. */
export async function findAccounts(db: Db, companyId: number): Promise<string[]> {
  const { bankAccounts } = await findCompany(db, companyId);
  return bankAccounts.map(({ bankAccountNumber }) => bankAccountNumber);
}

/**
 * Saves the profile.
 * @throws AppError changed_meanwhile, start_number_fixed once an invoice exists,
 * account_has_kid_agreement
 */
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
    const { defaultMessage = before.defaultMessage } = form;
    const stored = { ...form, startInvoiceNumber, defaultMessage };
    const isSaved = await saveCompany(trx, actor.companyId, stored);
    if (!isSaved) throw changedMeanwhile();
    await releaseAccounts(context.config, trx, actor.companyId, form.bankAccounts);
    await replaceBankAccounts(trx, actor.companyId, withOnePrimary(form.bankAccounts));
    return toProfile(await findCompany(trx, actor.companyId), actor);
  });
}

function withOnePrimary(accounts: readonly BankAccountRow[]): BankAccountRow[] {
  const ticked = accounts.findIndex((account) => account.isPrimary);
  const primary = Math.max(ticked, 0);
  return accounts.map((account, index) => ({ ...account, isPrimary: index === primary }));
}

function toProfile(company: WholeCompany, actor: Actor): Profile {
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
    defaultMessage: company.defaultMessage,
    hasCreatedInvoice: company.hasCreatedInvoice,
    isProfileCompleted: toIssuer(company) !== null,
    isStaff: actor.isStaff,
    bankAccounts: company.bankAccounts.map(({ bankAccountNumber, isPrimary }) => ({
      bankAccountNumber,
      isPrimary,
    })),
    logo: company.logo,
    version: company.version,
  };
}

/** Whether every required field is set and there is an account to pay to. */
export async function isProfileCompleted(db: Db, companyId: number): Promise<boolean> {
  return toIssuer(await findCompany(db, companyId)) !== null;
}

/** The seller as it is now. @throws AppError profile_incomplete */
export async function findIssuer(db: Db, companyId: number): Promise<Issuer> {
  const issuer = toIssuer(await findCompany(db, companyId));
  if (!issuer) throw new AppError('profile_incomplete');
  return issuer;
}

/**
 * The seller. Locks its profile and its number series until the transaction ends.
 * @throws AppError profile_incomplete
 */
export async function lockIssuer(trx: Trx, companyId: number): Promise<Issuer> {
  await lockCompany(trx, companyId);
  // What a statement that waits for a lock reads of other tables is of before it waited.
  return findIssuer(trx, companyId);
}

/** The agreement that new invoices follow: none where payments are off. */
export function kidAgreementInForce(
  { features }: Pick<Config, 'features'>,
  { kidAgreement }: Pick<Issuer, 'kidAgreement'>,
): KidAgreement | null {
  return features.has('payments') ? kidAgreement : null;
}

function toIssuer(company: WholeCompany): Issuer | null {
  const account = company.bankAccounts.find(({ isPrimary }) => isPrimary);
  const { companyName: name, orgNumber, email, vatRegistered, foretaksregisteret } = company;
  const { billingAddress1: address1, billingPostalCode: postalCode, billingCity: city } = company;
  if (!account || !name || !orgNumber || !email || !address1 || !postalCode || !city) return null;
  if (vatRegistered === null || foretaksregisteret === null) return null;
  const address = { address1, address2: company.billingAddress2, postalCode, city };
  return {
    companyId: company.id,
    seller: { name, orgNumber, email, vatRegistered, foretaksregisteret, ...address },
    bankAccountNumber: account.bankAccountNumber,
    kidAgreement: company.kidAgreement,
    defaultMessage: company.defaultMessage,
    logo: company.logo,
    startInvoiceNumber: company.startInvoiceNumber,
    hasCreatedInvoice: company.hasCreatedInvoice,
    lastInvoiceNumber: company.lastInvoiceNumber,
    lastDocumentHash: company.lastDocumentHash,
  };
}
