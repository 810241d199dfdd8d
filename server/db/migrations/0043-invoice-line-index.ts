import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/**
 * The lines of an invoice are found by one index that begins with the company. By one on the invoice alone a
 * planner that knows nothing of the table yet put all lines of the company beside it, for each invoice.
 */
export const invoiceLineIndex: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'invoice_line_by_invoice',
    on: sql`invoice_line (company_id, invoice_id, position)`,
    unique: true,
  });
}
