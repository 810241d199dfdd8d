import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Looks at what was there before: none of it is a reminder. */
export const remindersValidated: Migration = { up, online: true, runsBeside: '0005-staff' };

const CONSTRAINTS = {
  invoice: ['invoice_disputed', 'invoice_reminder_amount'],
  document: ['document_kind', 'document_chained'],
  delivery: ['delivery_reminder', 'delivery_stopped'],
} as const;

async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, names] of Object.entries(CONSTRAINTS)) {
    for (const name of names) {
      await sql`ALTER TABLE ${sql.table(table)} VALIDATE CONSTRAINT ${sql.ref(name)}`.execute(db);
    }
  }
}
