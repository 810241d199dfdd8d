import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/**
 * One delivery of a document by each carrier is under way. What was sent is sent again only when somebody
 * asks for it (`forced`).
 */
export const deliveriesAgainIndexes: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'delivery_under_way',
    on: sql`delivery (company_id, document_id, delivery_type) WHERE status = 'QUEUED'`,
    unique: true,
  });
  await createIndex(db, {
    name: 'delivery_once_unasked',
    on: sql`delivery (company_id, document_id, delivery_type)
      WHERE status <> 'FAILED' AND NOT forced`,
    unique: true,
  });
  const concurrently = db.isTransaction ? sql`` : sql`CONCURRENTLY`;
  await sql`DROP INDEX ${concurrently} IF EXISTS delivery_once_by_carrier`.execute(db);
}
