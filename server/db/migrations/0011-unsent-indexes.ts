import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** Finds what is to be mailed in the order of its numbers, and counts as failed what was refused. */
export const unsentIndexes: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE delivery VALIDATE CONSTRAINT delivery_stopped`.execute(db);
  // Drafts need not be registered in the order in which they were made.
  await createIndex(db, {
    name: 'invoice_unmailed',
    on: sql`invoice (company_id, invoice_number)
      WHERE delivery_status = 'PENDING' AND status <> 'DRAFT'`,
  });
  await createIndex(db, {
    name: 'delivery_refused',
    on: sql`delivery (created_at) WHERE status = 'FAILED' AND stopped_by IS NULL`,
  });
  const concurrently = db.isTransaction ? sql`` : sql`CONCURRENTLY`;
  await sql`DROP INDEX ${concurrently} IF EXISTS invoice_undelivered`.execute(db);
  await sql`DROP INDEX ${concurrently} IF EXISTS delivery_failed`.execute(db);
}
