import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * When a carrier is to be asked again what became of a delivery. A process of the version before has
 * none that can be asked.
 */
export const carriers: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE delivery ADD COLUMN ask_again_at timestamptz`.execute(db);
}
