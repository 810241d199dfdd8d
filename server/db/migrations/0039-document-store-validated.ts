import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Reads the rows, not their bytes, while others write. */
export const documentStoreValidated: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE document_file VALIDATE CONSTRAINT document_file_home`.execute(db);
}
