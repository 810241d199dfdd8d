import { sql } from 'kysely';

import { compiledOnce } from '../platform/db/compiled-once.ts';
import type { Db } from '../platform/db/database.ts';
import { IS_UNCONFIRMED, LISTED } from './delivery.rows.ts';

/** The deliveries of these invoices themselves, oldest first; not of their reminders. */
export const findByInvoices = compiledOnce((db, companyId: number, invoiceIds: readonly number[]) =>
  db
    .selectFrom('delivery')
    .select(LISTED)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${invoiceIds}::bigint[])`)
    .where('reminderPrincipal', 'is', null)
    .orderBy('id'),
);

/** The deliveries of the reminders of these invoices, oldest first. */
export const findOfReminders = compiledOnce(
  (db, companyId: number, invoiceIds: readonly number[]) =>
    db
      .selectFrom('delivery')
      .select(LISTED)
      .select('documentId')
      .where('companyId', '=', companyId)
      .where(sql<boolean>`invoice_id = ANY(${invoiceIds}::bigint[])`)
      .where('reminderPrincipal', 'is not', null)
      .orderBy('id'),
);

/** Which of these invoices may have arrived as an EHF that has had no end for days. */
export async function findUnconfirmedAmong(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('delivery')
    .select('invoiceId')
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${invoiceIds}::bigint[])`)
    .where(IS_UNCONFIRMED)
    .where('mayHaveArrived', '=', true)
    .execute();
  return rows.map(({ invoiceId }) => invoiceId);
}
