import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * What owners are told of deliveries that failed. A process of the version before tells nobody; what fails in
 * it is told by those of this version.
 */
export const failureNotices: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  // What failed before this was on the screen; nobody is mailed of it now. Neither statement writes rows.
  await sql`ALTER TABLE delivery ADD COLUMN owner_told boolean NOT NULL DEFAULT true`.execute(db);
  await sql`ALTER TABLE delivery ALTER COLUMN owner_told SET DEFAULT false`.execute(db);
  await sql`
    CREATE TABLE failure_notice (
      company_id bigint PRIMARY KEY REFERENCES company ON DELETE CASCADE,
      -- When the last mail left.
      sent_at timestamptz,
      -- The mail that is to leave now, and the deliveries that it names.
      uuid uuid,
      delivery_ids bigint[],
      CHECK ((uuid IS NULL) = (delivery_ids IS NULL)))`.execute(db);
  await sql`
    CREATE INDEX failure_notice_unsent ON failure_notice (company_id) WHERE uuid IS NOT NULL
  `.execute(db);
}
