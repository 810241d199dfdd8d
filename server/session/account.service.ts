import type { Db } from '../db/database.ts';
import * as repository from './account.repository.ts';

/** Which of these companies have an account that is younger than so many days. */
export async function findNewCompanies(
  db: Db,
  companyIds: readonly number[],
  days: number,
): Promise<Set<number>> {
  return repository.findNewCompanies(db, companyIds, days);
}

/** The address of an account; null when there is none. */
export async function findEmailOfAccount(db: Db, accountId: number): Promise<string | null> {
  return repository.findEmailOfAccount(db, accountId);
}

/** The company of the account of an address; null when there is no such account. */
export async function findCompanyOfEmail(db: Db, email: string): Promise<number | null> {
  return repository.findCompanyOfEmail(db, email);
}
