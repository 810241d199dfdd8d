import type { KidAgreement, Profile, ProfileForm } from '../../domain/profile/profile.schema.ts';
import type { Config } from '../config.ts';
import type { Actor, Context } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import { releaseAccounts } from './kid-agreement.service.ts';
import {
  findCompany,
  lockCompany,
  replaceBankAccounts,
  saveCompany,
  toIssuer,
  type BankAccountRow,
  type Issuer,
  type WholeCompany,
} from './profile.repository.ts';

export {
  advanceSeries,
  insertCompany,
  lockCompany,
  lockIssuer,
  noteInvoiceCreated,
  raiseCustomerNumber,
  requireIssuer,
  takeCustomerNumbers,
  type Issuer,
} from './profile.repository.ts';

/** The profile as the API shows it. */
export async function getProfile(context: Context, actor: Actor): Promise<Profile> {
  return toProfile(await findCompany(context.db, actor.companyId), actor);
}

/** The company's name and address, as far as its profile has them. */
export async function findContact(
  db: Db,
  companyId: number,
): Promise<{ readonly name: string | null; readonly email: string | null }> {
  const { companyName, email } = await findCompany(db, companyId);
  return { name: companyName, email };
}

/** The message on invoices that have none of their own. */
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

/** The agreement that new invoices follow: none where payments are off. */
export function kidAgreementInForce(
  { features }: Pick<Config, 'features'>,
  { kidAgreement }: Pick<Issuer, 'kidAgreement'>,
): KidAgreement | null {
  return features.has('payments') ? kidAgreement : null;
}
