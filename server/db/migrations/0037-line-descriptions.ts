import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** A company's lines by what they begin with, the last first: for what is proposed while a line is written. */
export const lineDescriptions: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'invoice_line_by_description',
    on: sql`invoice_line (company_id, (name_order(description) COLLATE "C"), id DESC)`,
  });
}
