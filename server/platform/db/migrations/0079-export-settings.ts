import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0079: the accounts that exports book on, and the accountant. A company that uses the defaults has no row. */
export const exportSettings: Migration = {
  up: async (db) => {
    await sql`
      CREATE TABLE export_settings (
        company_id bigint PRIMARY KEY REFERENCES company (id) ON DELETE CASCADE,
        -- The accounts that differ from the defaults.
        accounts jsonb NOT NULL CONSTRAINT export_settings_accounts
          CHECK (jsonb_typeof(accounts) = 'object'),
        -- Added to customer numbers in files for Uni.
        customer_offset integer NOT NULL CONSTRAINT export_settings_customer_offset
          CHECK (customer_offset BETWEEN 0 AND 100000000),
        accountant_email text CONSTRAINT export_settings_accountant_email
          CHECK (length(accountant_email) BETWEEN 1 AND 255)
      )`.execute(db);
  },
};
