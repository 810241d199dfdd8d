import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** Finds deliveries by their whole name, and what carriers are to be asked about. */
export const carriersIndexes: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'delivery_company',
    on: sql`delivery (company_id, id)`,
    unique: true,
  });
  await createIndex(db, {
    name: 'delivery_to_ask',
    on: sql`delivery (ask_again_at) WHERE status = 'SENT' AND ask_again_at IS NOT NULL`,
  });
}
