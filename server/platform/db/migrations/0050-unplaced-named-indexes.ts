import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** By what a reminder finds unplaced money that may be for its invoice. */
export const unplacedNamedIndexes: Migration = { up, online: true };

const UNPLACED = sql`invoice_id IS NULL AND NOT undone AND (undoes_id IS NULL OR kind = 'PAYMENT')`;

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'payment_unplaced_kid',
    on: sql`payment (company_id, ltrim(regexp_replace(kid, '[^0-9-]', '', 'g'), '0'))
      WHERE kid IS NOT NULL AND ${UNPLACED}`,
  });
  await createIndex(db, {
    name: 'payment_unplaced_suggestion',
    on: sql`payment USING gin (company_id, (suggestion -> 'invoiceIds'))
      WHERE suggestion IS NOT NULL AND ${UNPLACED}`,
  });
}
