import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Staff made by `npm run staff`, beside those whom STAFF_EMAILS names. */
export const staff: Migration = { up, runsBeside: null };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE account ADD COLUMN is_staff boolean NOT NULL DEFAULT false`.execute(db);
}
