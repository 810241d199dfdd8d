import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Which version of the hash a document was registered with; all so far with the first. */
export const documentVersion: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  // A version of Faktur that does not know the column registers with version 1, and says so thereby.
  await sql`ALTER TABLE invoice ADD COLUMN document_version smallint NOT NULL DEFAULT 1`.execute(
    db,
  );
}
