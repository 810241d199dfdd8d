import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** Parts of files that are plain text are stored packed (raw deflate): 250 MB of SAF-T take 20. Their size is that of the text. */
export const packedExports: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE export_part
        ADD COLUMN packed boolean NOT NULL DEFAULT false,
        DROP CONSTRAINT export_part_size,
        ADD CONSTRAINT export_part_size CHECK (packed OR length(content) = size)`.execute(db);
  },
};
