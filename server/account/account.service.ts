import type { Context } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import { findContact } from '../company/profile.service.ts';
import { findOwners, findStaff } from './account.repository.ts';

/** A staff member, and what makes the account staff. */
export interface StaffMember {
  readonly email: string;
  readonly byCommand: boolean;
  readonly bySetting: boolean;
  /** STAFF_EMAILS may name somebody who has not signed up. */
  readonly hasAccount: boolean;
}

/** All staff members, by address. */
export async function listStaff({
  config,
  db,
}: Pick<Context, 'config' | 'db'>): Promise<StaffMember[]> {
  const rows = await findStaff(db, [...config.staffEmails]);
  const accounts = new Map(rows.map((row) => [row.email, row]));
  return [...new Set([...accounts.keys(), ...config.staffEmails])].toSorted().map((email) => ({
    email,
    byCommand: accounts.get(email)?.isStaff ?? false,
    bySetting: config.staffEmails.has(email),
    hasAccount: accounts.has(email),
  }));
}

/** The address for mails to a company's owner: the profile's, or the account's while the profile has none. */
export async function findOwnerAddress(db: Db, companyId: number): Promise<string | null> {
  const { email } = await findContact(db, companyId);
  return email ?? (await findOwners(db, [companyId])).get(companyId)?.email ?? null;
}
