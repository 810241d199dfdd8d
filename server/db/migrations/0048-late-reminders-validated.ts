import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Looks at what was there before: all of it was stopped for a reason of before. */
export const lateRemindersValidated: Migration = {
  up,
  online: true,
  runsBeside: '0046-renumbered-customer',
};

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE delivery VALIDATE CONSTRAINT delivery_stopped`.execute(db);
}
