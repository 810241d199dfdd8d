import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/**
 * Housekeeping looks for half-booked files every minute and for old previews every hour; reminders look for each
 * invoice.
 */
export const halfDoneFilesIndexes: Migration = {
  up,
  online: true,
};

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'bank_file_half_done',
    on: sql`bank_file (company_id) WHERE state IN ('BOOKING', 'UNDOING')`,
  });
  await createIndex(db, {
    name: 'bank_file_preview',
    on: sql`bank_file (company_id, id) WHERE state = 'PREVIEW'`,
  });
}
