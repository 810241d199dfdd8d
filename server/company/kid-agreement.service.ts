import { formatBankAccount } from '../../domain/parties.ts';
import type { KidAgreement, KidAgreementForm } from '../../domain/profile/profile.schema.ts';
import type { Config } from '../config.ts';
import type { Actor, Context } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import * as repository from './kid-agreement.repository.ts';
import { findCompany, lockCompany } from './profile.repository.ts';

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
    const changed = await repository.updateKidAgreement(trx, companyId, form);
    if (changed) return changed;
    if (form.version !== null) throw changedMeanwhile();
    return repository.insertKidAgreement(trx, companyId, form);
  });
}

/** Ends the agreement. Invoices registered under it keep their KIDs. */
export async function endKidAgreement(context: Context, { companyId }: Actor): Promise<undefined> {
  await context.db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    await repository.deleteKidAgreement(trx, companyId);
  });
}

/**
 * Keeps the profile's accounts consistent with the agreement: the account of an agreement cannot be removed before the
 * agreement is ended. Where payments are off nobody can end it, so it ends with its account. The caller holds the
 * company.
 *
 * @throws AppError account_has_kid_agreement
 */
export async function releaseAccounts(
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
  await repository.deleteKidAgreement(trx, companyId);
}
