import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** By what an invoice that is due again finds what is left of payments with its KID. */
export const remainderIndex: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'payment_remainder',
    on: sql`payment (company_id, kid)
      WHERE kid IS NOT NULL AND invoice_id IS NULL
        AND NOT undone AND (undoes_id IS NULL OR kind = 'PAYMENT')`,
  });
}
