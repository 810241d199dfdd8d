import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** The numbers of customers that were deleted as recipients of an assignment, until its next run tells of them. */
export const lostCustomers: Migration = { up };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE assignment ADD COLUMN lost_customers integer[] NOT NULL DEFAULT '{}'`.execute(
    db,
  );
}
