import { sql } from 'kysely';

import type { Db } from '../db/database.ts';

/** Whether an address has bounced or complained: then it gets no more mail that nobody asked for. */
export async function isSuppressed(db: Db, email: string): Promise<boolean> {
  return (await findSuppressed(db, [email])).size > 0;
}

/** Which of these addresses get no more mail, in lower case. */
export async function findSuppressed(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('suppressedAddress')
    .select('email')
    .where(sql<boolean>`email = ANY(${emails.map((email) => email.toLowerCase())}::text[])`)
    .execute();
  return new Set(rows.map((row) => row.email));
}

/** Lets an address have mail again. False when nothing kept it from that. */
export async function unsuppress(db: Db, email: string): Promise<boolean> {
  const result = await db
    .deleteFrom('suppressedAddress')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Takes an address off every list of recipients, for good. */
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
