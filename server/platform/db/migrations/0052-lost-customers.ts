import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Numbers of deleted customers that were recipients of an assignment, until its next run reports them. */
export const lostCustomers: Migration = { up };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE assignment ADD COLUMN lost_customers integer[] NOT NULL DEFAULT '{}'`.execute(
    db,
  );
}
