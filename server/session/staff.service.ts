import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import * as repository from './staff.repository.ts';

/** Somebody who is staff, and what made them so. */
export interface StaffMember {
  readonly email: string;
  readonly byCommand: boolean;
  readonly bySetting: boolean;
  /** STAFF_EMAILS may name somebody who has not signed up. */
  readonly hasAccount: boolean;
}

/** Everybody who is staff, by address. */
export async function listStaff({
  config,
  db,
}: Pick<Context, 'config' | 'db'>): Promise<StaffMember[]> {
  const rows = await repository.findStaff(db, [...config.staffEmails]);
  const accounts = new Map(rows.map((row) => [row.email, row]));
  return [...new Set([...accounts.keys(), ...config.staffEmails])].toSorted().map((email) => ({
    email,
    byCommand: accounts.get(email)?.isStaff ?? false,
    bySetting: config.staffEmails.has(email),
    hasAccount: accounts.has(email),
  }));
}

/** Makes an account staff, from its next request on. False when there is no such account. */
export async function addStaff(db: Db, email: string): Promise<boolean> {
  return repository.setStaff(db, email, true);
}

/** Takes it back. False when there is no such account. */
export async function removeStaff(db: Db, email: string): Promise<boolean> {
  return repository.setStaff(db, email, false);
}
