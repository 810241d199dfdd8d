import { sql } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/**
 * 0099: one of several addresses is tried again by itself. A process of the previous version leaves it, and
 * housekeeping of this one finds it.
 */
export const addressesTriedAgain: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE delivery
        -- The addresses that the mail has yet to reach; null before one of several got it.
        ADD COLUMN remaining text[],
        -- The addresses that failed for good, here or in an earlier delivery, and were not put right since.
        ADD COLUMN unreached text[] NOT NULL DEFAULT '{}',
        -- Nobody is mailed who is not an address of it, and nothing more once it has failed.
        ADD CONSTRAINT delivery_remaining CHECK (
          remaining <@ (ARRAY[recipient] || copies) AND (status <> 'FAILED' OR remaining IS NULL)) NOT VALID`.execute(
      db,
    );
  },
};

/** 0100: housekeeping finds what is tried again, the list what failed at an address, and the notice what is new of it. */
export const addressesTriedAgainIndexes: Migration = {
  online: true,
  up: async (db) => {
    await sql`ALTER TABLE delivery VALIDATE CONSTRAINT delivery_remaining`.execute(db);
    await createIndex(db, {
      name: 'delivery_remaining_open',
      on: sql`delivery (created_at) WHERE cardinality(remaining) > 0`,
    });
    await createIndex(db, {
      name: 'delivery_unreached',
      on: sql`delivery (company_id, invoice_id) WHERE unreached <> '{}'`,
    });
    await createIndex(db, {
      name: 'delivery_unreached_untold',
      on: sql`delivery (company_id, id) WHERE status <> 'FAILED' AND unreached <> '{}' AND NOT owner_told`,
    });
  },
};
