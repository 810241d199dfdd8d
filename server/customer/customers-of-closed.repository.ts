import { sql } from 'kysely';

import type { Db, Trx } from '../platform/db/database.ts';

/** Whether a customer of the company has credit. */
export async function hasCredit(db: Db, companyId: number): Promise<boolean> {
  const row = await db
    .selectFrom('customer')
    .select('id')
    .where('companyId', '=', companyId)
    .where(sql<boolean>`credit > 0`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes what of a company's customers is on no document. @returns how many had something of it */
export async function forgetContacts(trx: Trx, companyId: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('customer')
    .set({ phoneNumber: null, contactName: null, invoiceEmails: [] })
    .where('companyId', '=', companyId)
    .where(
      sql<boolean>`(phone_number IS NOT NULL OR contact_name IS NOT NULL OR invoice_emails <> '{}')`,
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
