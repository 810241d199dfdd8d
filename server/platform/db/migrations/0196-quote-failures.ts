import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0196: mails of quotes that failed are told to the company together with those of invoices (QUO-15). */
export const quoteFailures: Migration = {
  up: async (db) => {
    await sql`ALTER TABLE failure_notice ADD COLUMN quote_delivery_ids bigint[] NOT NULL DEFAULT '{}'`.execute(
      db,
    );
    // Those that there are have been told.
    await sql`ALTER TABLE quote_delivery ADD COLUMN owner_told boolean NOT NULL DEFAULT true`.execute(
      db,
    );
    await sql`ALTER TABLE quote_delivery ALTER COLUMN owner_told SET DEFAULT false`.execute(db);
    await sql`
      CREATE INDEX quote_delivery_unreported ON quote_delivery (company_id, id)
        WHERE recipients @> '[{"status": "FAILED"}]' AND NOT owner_told`.execute(db);
  },
};
