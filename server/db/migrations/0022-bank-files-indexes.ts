import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** By what a payment finds its invoice. */
export const bankFilesIndexes: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'invoice_bare_kid',
    on: sql`invoice (company_id, ltrim(kid, '0')) WHERE kid IS NOT NULL`,
  });
  await createIndex(db, {
    name: 'invoice_open',
    on: sql`invoice (company_id, customer_id, id) WHERE status = 'REGISTERED' AND kind = 'INVOICE'`,
  });
  await sql`ALTER TABLE payment VALIDATE CONSTRAINT payment_entry`.execute(db);
}
