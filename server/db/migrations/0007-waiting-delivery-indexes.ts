import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** Finds what waits, by company and by when it is looked at again. */
export const waitingDeliveryIndexes: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'delivery_queued_company',
    on: sql`delivery (company_id) WHERE status = 'QUEUED'`,
  });
  await createIndex(db, {
    name: 'delivery_deferred',
    on: sql`delivery (deferred_until) WHERE deferred_until IS NOT NULL`,
  });
  await createIndex(db, {
    name: 'delivery_counted',
    on: sql`delivery (company_id, counted_at) WHERE counted_at IS NOT NULL`,
  });
}
