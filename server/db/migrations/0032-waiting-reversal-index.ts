import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** Whether any reversal waits for its payment, which is seldom, and is asked for with all that is booked. */
export const waitingReversalIndex: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'payment_waiting_reversal',
    on: sql`payment (company_id)
      WHERE kind = 'REVERSAL' AND undoes_id IS NULL AND invoice_id IS NULL AND NOT undone`,
  });
}
