import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { treatmentOfNew, type VatTreatment } from '../../domain/vat-treatment.ts';
import { formatBankAccount } from '../../domain/parties.ts';
import type { KidAgreement, KidAgreementForm } from '../../domain/profile/kid-agreement.schema.ts';
import type { Profile, ProfileForm } from '../../domain/profile/profile.schema.ts';
import type { Config } from '../config.ts';
import type { Actor, Context } from '../context.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import { demandProof } from '../proof.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { memberMailJob } from '../platform/jobs/jobs.ts';
import {
  type BankAccountRow,
  findCompany,
  findIssuer,
  type Issuer,
  lockCompany,
  replaceBankAccounts,
  saveCompany,
  toIssuer,
  type WholeCompany,
  updateKidAgreement,
  insertKidAgreement,
  deleteKidAgreement,
} from './profile.repository.ts';

/** The profile as the API shows it. */
export async function getProfile(context: Context, actor: Actor): Promise<Profile> {
  return toProfile(await findCompany(context.db, actor.companyId), actor, context.config);
}

/** The company's name and address, as far as its profile has them. */
export async function findContact(
  db: Db,
  companyId: number,
): Promise<{ readonly name: string | null; readonly email: string | null }> {
  const { companyName, email } = await findCompany(db, companyId);
  return { name: companyName, email };
}

/**
 * The address of a company's screen, for a mail. With `members` it names the company (MEM-18): the reader's session may
 * be in another one.
 */
export async function findScreenUrl(
  { config, db }: Pick<Context, 'config' | 'db'>,
  companyId: number,
  path: string,
): Promise<string> {
  const url = new URL(`${config.publicUrl}${path}`);
  if (config.features.has('members')) {
    url.searchParams.set('company', await findCompanyUuid(db, companyId));
  }
  return url.href;
}

/** The uuid of a company. */
export async function findCompanyUuid(db: Db, companyId: number): Promise<string> {
  return (await findCompany(db, companyId)).uuid;
}

/** The message on invoices that have none of their own. */
export async function findDefaultMessage(db: Db, companyId: number): Promise<string | null> {
  return (await findCompany(db, companyId)).defaultMessage;
}

/** Whether the company charges VAT; a company that has not said so does not. */
export async function isVatRegistered(db: Db, companyId: number): Promise<boolean> {
  return (await findCompany(db, companyId)).vatRegistered ?? false;
}

/** The VAT treatment of new lines (VAT-10). */
export async function findDefaultTreatment(db: Db, companyId: number): Promise<VatTreatment> {
  const { defaultVatTreatment, vatRegistered } = await findCompany(db, companyId);
  return treatmentOfNew(defaultVatTreatment, vatRegistered ?? true);
}

/** The company's own accounts, eleven digits each. */
export async function findAccounts(db: Db, companyId: number): Promise<string[]> {
  const { bankAccounts } = await findCompany(db, companyId);
  return bankAccounts.map(({ bankAccountNumber }) => bankAccountNumber);
}

/**
 * Saves the profile.
 * @throws AppError proof_needed, changed_meanwhile, start_number_fixed once an invoice exists,
 * account_has_kid_agreement
 */
export async function updateProfile(
  context: Context,
  actor: Actor,
  form: ProfileForm,
): Promise<Profile> {
  return context.db.transaction().execute(async (trx) => {
    await lockCompany(trx, actor.companyId);
    const before = await findCompany(trx, actor.companyId);
    const saved = withOnePrimary(form.bankAccounts);
    const changesAccounts =
      before.bankAccounts.length > 0 && !isDeepStrictEqual(before.bankAccounts, saved);
    if (changesAccounts || changesIdentity(before, form)) demandProof(context, actor);
    // Nobody is told where there are no members.
    const isTold = changesAccounts && context.config.features.has('members');
    const startInvoiceNumber = form.startInvoiceNumber ?? before.startInvoiceNumber;
    if (before.hasCreatedInvoice && startInvoiceNumber !== before.startInvoiceNumber) {
      throw new AppError('start_number_fixed', { field: 'startInvoiceNumber' });
    }
    const { defaultMessage = before.defaultMessage } = form;
    const { defaultQuoteTerms: terms } = context.config.features.has('quotes') ? form : {};
    const defaultQuoteTerms = terms === undefined ? before.defaultQuoteTerms : terms;
    const defaultVatTreatment = form.defaultVatTreatment ?? before.defaultVatTreatment;
    const kept = { defaultMessage, defaultQuoteTerms, defaultVatTreatment };
    const stored = { ...form, startInvoiceNumber, ...kept };
    const isSaved = await saveCompany(trx, actor.companyId, stored);
    if (!isSaved) throw changedMeanwhile();
    await releaseAccounts(context.config, trx, actor.companyId, form.bankAccounts);
    await replaceBankAccounts(trx, actor.companyId, saved);
    if (isTold) await tellOwners(context, trx, actor);
    return toProfile(await findCompany(trx, actor.companyId), actor, context.config);
  });
}

/** Whether a company that has accounts gets another address or number (SEC-8). */
function changesIdentity(
  { bankAccounts, email, orgNumber }: WholeCompany,
  form: Pick<ProfileForm, 'email' | 'orgNumber'>,
): boolean {
  return bankAccounts.length > 0 && (email !== form.email || orgNumber !== form.orgNumber);
}

/** Mails every owner that the bank accounts were changed, and by whom (MEM-13). */
async function tellOwners(
  { jobs }: Pick<Context, 'jobs'>,
  trx: Trx,
  { accountId, companyId }: Actor,
): Promise<void> {
  const messageUuid = randomUUID();
  await jobs.enqueue(trx, memberMailJob, {
    mail: 'BANK_ACCOUNT',
    companyId,
    accountId,
    messageUuid,
  });
}

function withOnePrimary(accounts: readonly BankAccountRow[]): BankAccountRow[] {
  const ticked = accounts.findIndex((account) => account.isPrimary);
  const primary = Math.max(ticked, 0);
  return accounts.map((account, index) => ({ ...account, isPrimary: index === primary }));
}

function toProfile(
  company: WholeCompany,
  actor: Actor,
  { features }: Pick<Config, 'features'>,
): Profile {
  const { defaultVatTreatment: chosen, vatRegistered } = company;
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
    ...(features.has('quotes') && { defaultQuoteTerms: company.defaultQuoteTerms }),
    ...(features.has('vat') && {
      defaultVatTreatment: treatmentOfNew(chosen, vatRegistered ?? true),
    }),
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
  return (await findIssuer(db, companyId)) !== null;
}

/** The agreement that new invoices follow: none where payments are off. */
export function kidAgreementInForce(
  { features }: Pick<Config, 'features'>,
  { kidAgreement }: Pick<Issuer, 'kidAgreement'>,
): KidAgreement | null {
  return features.has('payments') ? kidAgreement : null;
}

/** The company's KID agreement with its bank, or null. */
export async function findKidAgreement(db: Db, companyId: number): Promise<KidAgreement | null> {
  return (await findCompany(db, companyId)).kidAgreement;
}

/** Adds or changes the agreement. @throws AppError unknown_account, changed_meanwhile */
export async function saveKidAgreement(
  context: Context,
  { companyId }: Actor,
  form: KidAgreementForm,
): Promise<KidAgreement> {
  return context.db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    const { bankAccounts } = await findCompany(trx, companyId);
    if (!bankAccounts.some(({ bankAccountNumber }) => bankAccountNumber === form.account)) {
      throw new AppError('unknown_account', { field: 'account' });
    }
    const changed = await updateKidAgreement(trx, companyId, form);
    if (changed) return changed;
    if (form.version !== null) throw changedMeanwhile();
    return insertKidAgreement(trx, companyId, form);
  });
}

/** Ends the agreement. Invoices registered under it keep their KIDs. */
export async function endKidAgreement(context: Context, { companyId }: Actor): Promise<undefined> {
  await context.db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    await deleteKidAgreement(trx, companyId);
  });
}

/**
 * Keeps the profile's accounts consistent with the agreement: the account of an agreement cannot be removed before the
 * agreement is ended. Where payments are off nobody can end it, so it ends with its account. The caller holds the
 * company.
 *
 * @throws AppError account_has_kid_agreement
 */
async function releaseAccounts(
  { features }: Pick<Config, 'features'>,
  trx: Trx,
  companyId: number,
  accounts: readonly { readonly bankAccountNumber: string }[],
): Promise<void> {
  const { kidAgreement } = await findCompany(trx, companyId);
  if (!kidAgreement) return;
  const { account } = kidAgreement;
  if (accounts.some(({ bankAccountNumber }) => bankAccountNumber === account)) return;
  if (features.has('payments')) {
    const subject = formatBankAccount(account);
    throw new AppError('account_has_kid_agreement', { field: 'bankAccounts', subject });
  }
  await deleteKidAgreement(trx, companyId);
}
