import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** What happens by itself once a day, for each company that reminds automatically. */
export const reminderDay: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE reminder_day (
      company_id bigint PRIMARY KEY REFERENCES company ON DELETE CASCADE,
      -- Days in Oslo: the last on which all was looked through, and on which the owner was told.
      finished_on date,
      told_on date,
      -- Of how many.
      told_many integer NOT NULL DEFAULT 0 CHECK (told_many >= 0))`.execute(db);
}
