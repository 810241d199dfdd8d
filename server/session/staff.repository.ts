import { sql } from 'kysely';

import type { Db } from '../db/database.ts';

/** An account, as the operator's commands see it. */
export interface StaffRow {
  readonly email: string;
  readonly isStaff: boolean;
}

/** Who is staff by command, and which of the named addresses have an account. */
export async function findStaff(db: Db, named: readonly string[]): Promise<StaffRow[]> {
  return db
    .selectFrom('account')
    .select(['email', 'isStaff'])
    .where((account) =>
      account.or([account('isStaff', '=', true), sql<boolean>`email = ANY(${[...named]}::text[])`]),
    )
    .orderBy('email')
    .execute();
}

/** Makes an account staff or not; false when there is no such account. */
export async function setStaff(db: Db, email: string, isStaff: boolean): Promise<boolean> {
  const row = await db
    .updateTable('account')
    .set({ isStaff })
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
