import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Nobody is owed less than nothing. Until all was counted, what was paid of an older invoice was. */
export const outstandingKept: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE invoice_count ADD CONSTRAINT invoice_count_outstanding
      CHECK (outstanding >= 0 AND outstanding_amount >= 0)`.execute(db);
}
