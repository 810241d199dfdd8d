import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/**
 * Owners are told of reminders that failed too. What failed before this was on the screen; nobody is mailed of it now.
 * A process of the version before is served by the wider index as well.
 */
export const failedRemindersIndex: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`UPDATE delivery SET owner_told = true
    WHERE status = 'FAILED' AND stopped_by IS NULL AND reminder_principal IS NOT NULL
      AND NOT owner_told`.execute(db);
  await createIndex(db, {
    name: 'delivery_failed_untold',
    on: sql`delivery (company_id, id)
      WHERE status = 'FAILED' AND stopped_by IS NULL AND NOT owner_told`,
  });
  const concurrently = db.isTransaction ? sql`` : sql`CONCURRENTLY`;
  await sql`DROP INDEX ${concurrently} IF EXISTS delivery_untold`.execute(db);
}
