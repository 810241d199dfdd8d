import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0107: a member may have a name, and an invitation says who sent it (MEM-20). */
export const memberNames: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE member ADD COLUMN name text CHECK (length(name) BETWEEN 1 AND 255),
        -- The account of a member; null when that one was removed.
        ADD COLUMN invited_by bigint,
        ADD CONSTRAINT member_invited_by FOREIGN KEY (company_id, invited_by)
          REFERENCES member (company_id, account_id) ON DELETE SET NULL (invited_by)`.execute(db);
  },
};
