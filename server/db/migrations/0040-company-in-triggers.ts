import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** What triggers read and write is found by its company too, as in every statement. */
export const companyInTriggers: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION freeze_invoice_line() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      parents bigint[] := CASE TG_OP
        WHEN 'INSERT' THEN ARRAY[NEW.invoice_id]
        WHEN 'DELETE' THEN ARRAY[OLD.invoice_id]
        -- A line can be neither taken from a registered invoice nor moved to one.
        ELSE ARRAY[OLD.invoice_id, NEW.invoice_id] END;
      companies bigint[] := CASE TG_OP
        WHEN 'INSERT' THEN ARRAY[NEW.company_id]
        WHEN 'DELETE' THEN ARRAY[OLD.company_id]
        ELSE ARRAY[OLD.company_id, NEW.company_id] END;
    BEGIN
      IF EXISTS (
        SELECT FROM invoice
        WHERE company_id = ANY(companies) AND id = ANY(parents) AND status <> 'DRAFT')
      THEN
        RAISE EXCEPTION 'the lines of a registered invoice never change'
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END $$`.execute(db);
  await sql`
    CREATE OR REPLACE FUNCTION show_delivery_status() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- A lease changes no status, and is taken for every delivery.
      IF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (
          SELECT FROM after_rows JOIN before_rows USING (company_id, id)
          WHERE after_rows.status <> before_rows.status)
        THEN RETURN NULL; END IF;
      END IF;
      UPDATE invoice SET delivery_status = changed.status
      FROM (
        SELECT DISTINCT ON (invoice_id) id, company_id, invoice_id, status FROM after_rows
        WHERE reminder_principal IS NULL
        ORDER BY invoice_id, id DESC
      ) changed
      WHERE invoice.company_id = changed.company_id AND invoice.id = changed.invoice_id
        AND invoice.delivery_status IS DISTINCT FROM changed.status
        -- Not as NOT EXISTS: a planner makes a join of that, and reads all deliveries.
        AND (
          SELECT count(*) FROM delivery later
          WHERE later.company_id = changed.company_id AND later.invoice_id = changed.invoice_id
            AND later.reminder_principal IS NULL AND later.id > changed.id) = 0;
      RETURN NULL;
    END $$`.execute(db);
}
