import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** A reminder whose mail was held up until its deadline gives too little time is not sent any more. */
export const lateReminders: Migration = { up, runsBeside: '0046-renumbered-customer' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE delivery
      DROP CONSTRAINT delivery_stopped,
      ADD CONSTRAINT delivery_stopped CHECK (stopped_by IS NULL OR status = 'FAILED'
        AND (stopped_by IN ('CANCELLED', 'PAID')
          OR reminder_principal IS NOT NULL
            AND stopped_by IN ('DISPUTED', 'PART_PAID', 'TOO_LATE'))) NOT VALID`.execute(db);
}
