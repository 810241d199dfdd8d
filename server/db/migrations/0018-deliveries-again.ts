import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * An invoice shows what its latest delivery says: what becomes of one before it, such as a bounce that
 * comes late, changes that delivery alone.
 */
export const deliveriesAgain: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION show_delivery_status() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- A lease changes no status, and is taken for every delivery.
      IF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (
          SELECT FROM after_rows JOIN before_rows USING (id)
          WHERE after_rows.status <> before_rows.status)
        THEN RETURN NULL; END IF;
      END IF;
      UPDATE invoice SET delivery_status = changed.status
      FROM (
        SELECT DISTINCT ON (invoice_id) id, company_id, invoice_id, status FROM after_rows
        ORDER BY invoice_id, id DESC
      ) changed
      WHERE invoice.id = changed.invoice_id
        AND invoice.delivery_status IS DISTINCT FROM changed.status
        -- Not as NOT EXISTS: a planner makes a join of that, and reads all deliveries.
        AND (
          SELECT count(*) FROM delivery later
          WHERE later.company_id = changed.company_id
            AND later.invoice_id = changed.invoice_id AND later.id > changed.id) = 0;
      RETURN NULL;
    END $$`.execute(db);
}
