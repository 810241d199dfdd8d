import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * What companies have agreed on with their banks about KIDs, and by what an invoice got its own. A process
 * of the version before gives KIDs as without an agreement.
 */
export const kidAgreement: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE kid_agreement (
      company_id bigint PRIMARY KEY REFERENCES company ON DELETE CASCADE,
      account text NOT NULL,
      length integer NOT NULL CHECK (length BETWEEN 4 AND 25),
      modulus text NOT NULL CHECK (modulus IN ('MOD10', 'MOD11')),
      version integer NOT NULL DEFAULT 1,
      -- One of the company's own. A profile is saved by writing all its accounts anew, so the end counts.
      FOREIGN KEY (company_id, account) REFERENCES bank_account (company_id, bank_account_number)
        DEFERRABLE INITIALLY DEFERRED
    )`.execute(db);
  await sql`
    CREATE TRIGGER version BEFORE UPDATE ON kid_agreement
    FOR EACH ROW EXECUTE FUNCTION count_version()`.execute(db);
  // Of an invoice that was registered under an agreement. It is frozen with the rest.
  await sql`
    ALTER TABLE invoice ADD COLUMN kid_modulus text,
      ADD CONSTRAINT invoice_agreed_kid CHECK (kid_modulus IS NULL
        OR (kind = 'INVOICE' AND kid_modulus IN ('MOD10', 'MOD11') AND kid ~ '^[0-9]{4,25}$'))
      NOT VALID`.execute(db);
}
