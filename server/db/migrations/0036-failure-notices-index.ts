import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** What failed and the owner has not been told of, which is little and soon told. */
export const failureNoticesIndex: Migration = { up, online: true, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'delivery_untold',
    on: sql`delivery (company_id, id)
      WHERE status = 'FAILED' AND stopped_by IS NULL AND reminder_principal IS NULL
        AND NOT owner_told`,
  });
}
