import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Looks at what was there before: none of it was paid for reminders. */
export const reminderPaymentsValidated: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE invoice VALIDATE CONSTRAINT invoice_reminder_waived`.execute(db);
  await sql`ALTER TABLE payment VALIDATE CONSTRAINT payment_reminder_amount`.execute(db);
}
