import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** By what a reversal and the payment that it takes back find each other. */
export const bankEntryIndexes: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'bank_entry_reference',
    on: sql`bank_entry (company_id, reference, amount)
      WHERE booked_key IS NOT NULL AND reference IS NOT NULL`,
  });
  await createIndex(db, {
    name: 'bank_entry_reversal',
    on: sql`bank_entry (company_id, account, amount)
      WHERE booked_key IS NOT NULL AND kind = 'REVERSAL'`,
  });
}
