import type { Db } from '../platform/db/database.ts';
import { findContact } from '../company/profile.service.ts';
import { findOwners } from './account.service.ts';

/** Where a company's owner is told things: its address, or its account's while the profile has none. */
export async function findOwnerAddress(db: Db, companyId: number): Promise<string | null> {
  const { email } = await findContact(db, companyId);
  return email ?? (await findOwners(db, [companyId])).get(companyId)?.email ?? null;
}
