import { sql } from 'kysely';

import type { Db } from '../db/database.ts';

/** Whether an address has bounced or complained: then it gets no mail that it did not request (DEL-17). */
export async function isSuppressed(db: Db, email: string): Promise<boolean> {
  return (await findSuppressed(db, [email])).size > 0;
}

/** The suppressed ones of these addresses, in lower case. */
export async function findSuppressed(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('suppressedAddress')
    .select('email')
    .where(sql<boolean>`email = ANY(${emails.map((email) => email.toLowerCase())}::text[])`)
    .execute();
  return new Set(rows.map((row) => row.email));
}

/** Allows mail to an address again. False when it was not suppressed. */
export async function unsuppress(db: Db, email: string): Promise<boolean> {
  const result = await db
    .deleteFrom('suppressedAddress')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Suppresses an address until an operator allows it again. */
export async function suppress(
  db: Db,
  email: string,
  reason: 'BOUNCE' | 'COMPLAINT',
): Promise<void> {
  await db
    .insertInto('suppressedAddress')
    .values({ email: email.toLowerCase(), reason })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
}
