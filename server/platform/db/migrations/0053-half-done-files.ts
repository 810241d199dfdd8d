import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * A job undoes the rest of a large file, in the name of the user who requested it. A process of the previous version
 * undoes a file within its call, and uses neither column.
 */
export const halfDoneFiles: Migration = { up };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE bank_file
      ADD COLUMN undone_by_type text
        CHECK (undone_by_type IN ('ACCOUNT', 'TOKEN', 'STAFF', 'BANK', 'SYSTEM')),
      ADD COLUMN undone_by_name text`.execute(db);
}
