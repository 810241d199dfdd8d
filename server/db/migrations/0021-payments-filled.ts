import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * What was marked as paid before there were payments was paid by hand, on that day. Who did it is in
 * the history, if anywhere.
 */
export const paymentsFilled: Migration = { up, online: true, runsBeside: '0005-staff' };

/** Invoices of one statement, which holds them while it runs. */
const AT_ONCE = 2000;

async function up(db: Kysely<unknown>): Promise<void> {
  for (let after = '0'; ;) {
    const { rows } = await sql<{ last: string | null }>`
      SELECT max(id)::text AS last FROM (
        SELECT id FROM invoice WHERE id > ${after}::bigint AND status = 'PAID'
        ORDER BY id LIMIT ${AT_ONCE}) paid`.execute(db);
    const last = rows[0]?.last ?? null;
    if (last === null) break;
    await sql`
      INSERT INTO payment
        (company_id, invoice_id, amount, paid_on, source, kind, by_type, by_name)
      SELECT company_id, id, gross_amount, paid_date, 'MANUAL', 'PAYMENT', 'SYSTEM', 'Faktur'
      FROM invoice
      WHERE id > ${after}::bigint AND id <= ${last}::bigint AND status = 'PAID'
        AND NOT EXISTS (
          SELECT FROM payment
          WHERE payment.company_id = invoice.company_id AND payment.invoice_id = invoice.id)
      ORDER BY id`.execute(db);
    after = last;
  }
  await sql`ANALYZE payment`.execute(db);
  await sql`ALTER TABLE invoice VALIDATE CONSTRAINT invoice_paid_amount`.execute(db);
}
