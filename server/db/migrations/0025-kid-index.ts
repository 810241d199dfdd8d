import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** What a payment is known by leads to one invoice. */
export const kidIndex: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'invoice_kid',
    on: sql`invoice (company_id, kid, bank_account_number) WHERE kid IS NOT NULL`,
    unique: true,
  });
  await sql`ALTER TABLE invoice VALIDATE CONSTRAINT invoice_agreed_kid`.execute(db);
}
