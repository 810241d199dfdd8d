import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** One mail to several addresses. A process of the previous version mails the first of them alone. */
export const severalAddresses: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE delivery
        -- Further addresses of the same mail (Cc).
        ADD COLUMN copies text[] NOT NULL DEFAULT '{}',
        -- The addresses that did not get a mail that others got, each with the reason.
        ADD COLUMN refused jsonb NOT NULL DEFAULT '[]'`.execute(db);
  },
};
