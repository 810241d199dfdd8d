import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** By what a logo finds whether a document was issued with it; none of before was. */
export const logosIndexes: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'document_of_logo',
    on: sql`document (company_id, logo) WHERE logo IS NOT NULL`,
  });
  await sql`ALTER TABLE document VALIDATE CONSTRAINT document_logo`.execute(db);
  await sql`ALTER TABLE document VALIDATE CONSTRAINT document_names_logo`.execute(db);
}
