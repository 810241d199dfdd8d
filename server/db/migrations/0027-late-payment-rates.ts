import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** The rates of late payment that the operator has added to those that are built in. */
export const latePaymentRates: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE late_payment_rate (
      kind text NOT NULL CHECK (kind IN ('INTEREST', 'COMPENSATION', 'DEBT_COLLECTION')),
      valid_from date NOT NULL,
      -- Hundredths of a per cent of INTEREST, øre of the others.
      value integer NOT NULL CHECK (value >= 0),
      added_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (kind, valid_from),
      CHECK (kind = 'DEBT_COLLECTION' OR to_char(valid_from, 'MMDD') IN ('0101', '0701'))
    )`.execute(db);
}
