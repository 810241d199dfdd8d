import type { Db } from '../platform/db/database.ts';
import { findContact } from '../company/profile.service.ts';
import { findOwners } from './account.service.ts';

/** The address for mails to a company's owner: the profile's, or the account's while the profile has none. */
export async function findOwnerAddress(db: Db, companyId: number): Promise<string | null> {
  const { email } = await findContact(db, companyId);
  return email ?? (await findOwners(db, [companyId])).get(companyId)?.email ?? null;
}
