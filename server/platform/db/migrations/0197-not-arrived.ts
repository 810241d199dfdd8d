import { sql } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** 0197: an invoice says itself that it did not arrive (DEL-25). The list counted it from the deliveries at each look. */
export const notArrived: Migration = {
  up: async (db) => {
    await sql`ALTER TABLE invoice ADD COLUMN not_arrived boolean NOT NULL DEFAULT false`.execute(
      db,
    );
    await sql`
      -- Whether the latest delivery of an invoice's own document failed, and was not stopped because the invoice needed
      -- none, or did not reach one of its addresses.
      CREATE FUNCTION has_not_arrived(company bigint, invoice bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
        SELECT COALESCE((
          SELECT status = 'FAILED' AND stopped_by IS NULL OR unreached <> '{}' FROM delivery
          WHERE company_id = company AND invoice_id = invoice AND reminder_principal IS NULL
          ORDER BY id DESC LIMIT 1), false)
      $$`.execute(db);
    await sql`
      CREATE OR REPLACE FUNCTION show_delivery_status() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- Taking a lease changes none of these, and happens for every delivery.
        IF TG_OP = 'UPDATE' THEN
          IF NOT EXISTS (
            SELECT company_id, id, status, stopped_by, unreached FROM after_rows
            EXCEPT SELECT company_id, id, status, stopped_by, unreached FROM before_rows)
          THEN RETURN NULL; END IF;
        END IF;
        UPDATE invoice SET delivery_status = changed.status, not_arrived = changed.not_arrived
        FROM (
          SELECT DISTINCT ON (invoice_id) id, company_id, invoice_id, status,
            status = 'FAILED' AND stopped_by IS NULL OR unreached <> '{}' AS not_arrived
          FROM after_rows
          WHERE reminder_principal IS NULL
          ORDER BY invoice_id, id DESC
        ) changed
        WHERE invoice.company_id = changed.company_id AND invoice.id = changed.invoice_id
          AND (invoice.delivery_status, invoice.not_arrived) IS DISTINCT FROM (changed.status, changed.not_arrived)
          -- NOT EXISTS would be planned as a join that reads all deliveries.
          AND (
            SELECT count(*) FROM delivery later
            WHERE later.company_id = changed.company_id AND later.invoice_id = changed.invoice_id
              AND later.reminder_principal IS NULL AND later.id > changed.id) = 0;
        RETURN NULL;
      END
      $$`.execute(db);
    await sql`
      CREATE OR REPLACE FUNCTION freeze_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.status = 'DRAFT' THEN
          IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
          IF NEW.status NOT IN ('DRAFT', 'REGISTERED') OR NEW.company_id <> OLD.company_id
            OR NEW.paid_amount <> 0 OR NEW.reminder_amount <> 0 OR NEW.credited_amount <> 0
          THEN
            RAISE EXCEPTION 'a draft can only be registered' USING ERRCODE = 'check_violation';
          END IF;
          RETURN NEW;
        END IF;
        IF TG_OP = 'DELETE' THEN
          RAISE EXCEPTION 'a registered invoice is never deleted' USING ERRCODE = 'check_violation';
        END IF;
        -- due_date is generated from columns that may not change, and is not yet known here.
        IF (to_jsonb(NEW) -
            '{status,paid_date,paid_amount,credited_amount,credited_on,delivery_status,not_arrived,customer_id,due_date,disputed,disputed_note,reminder_amount,reminder_waived}'::text[])
          IS DISTINCT FROM (to_jsonb(OLD) -
            '{status,paid_date,paid_amount,credited_amount,credited_on,delivery_status,not_arrived,customer_id,due_date,disputed,disputed_note,reminder_amount,reminder_waived}'::text[])
          OR (NEW.customer_id IS NOT NULL AND NEW.customer_id IS DISTINCT FROM OLD.customer_id)
        THEN
          RAISE EXCEPTION 'a registered invoice never changes' USING ERRCODE = 'check_violation';
        END IF;
        IF NEW.status <> OLD.status AND (OLD.status, NEW.status) NOT IN (
          ('REGISTERED', 'PAID'), ('PAID', 'REGISTERED'), ('REGISTERED', 'CANCELLED'))
        THEN
          RAISE EXCEPTION 'an invoice cannot go from % to %', OLD.status, NEW.status
            USING ERRCODE = 'check_violation';
        END IF;
        -- Only the triggers of payments and reminders may write these columns: their updates are one trigger deeper.
        IF (NEW.paid_amount, NEW.paid_date, NEW.status = 'PAID')
            IS DISTINCT FROM (OLD.paid_amount, OLD.paid_date, OLD.status = 'PAID')
          AND pg_trigger_depth() < 2
        THEN
          RAISE EXCEPTION 'what is paid of an invoice is said by its payments'
            USING ERRCODE = 'check_violation';
        END IF;
        IF (NEW.reminder_amount, NEW.reminder_waived) <> (OLD.reminder_amount, OLD.reminder_waived)
          AND pg_trigger_depth() < 2
        THEN
          RAISE EXCEPTION 'what reminders of an invoice ask for is said by them'
            USING ERRCODE = 'check_violation';
        END IF;
        IF (NEW.credited_amount, NEW.credited_on) IS DISTINCT FROM (OLD.credited_amount, OLD.credited_on)
          AND pg_trigger_depth() < 2
        THEN
          RAISE EXCEPTION 'what is credited of an invoice is said by its credit notes'
            USING ERRCODE = 'check_violation';
        END IF;
        -- A credited invoice owes nothing.
        IF NEW.status = 'CANCELLED' THEN NEW.reminder_amount := 0; END IF;
        RETURN NEW;
      END
      $$`.execute(db);
  },
};

/** 0198: the invoices that have not arrived so far, and their index instead of two. */
export const notArrivedFilled: Migration = {
  online: true,
  up: async (db) => {
    await sql`
      UPDATE invoice SET not_arrived = true
      WHERE NOT not_arrived AND has_not_arrived(company_id, id) AND id IN (
        SELECT id FROM invoice WHERE delivery_status = 'FAILED' AND status = 'REGISTERED'
        UNION SELECT invoice_id FROM delivery WHERE unreached <> '{}')`.execute(db);
    await createIndex(db, {
      name: 'invoice_not_arrived',
      on: sql`invoice (company_id, invoice_number) WHERE not_arrived AND status = 'REGISTERED'`,
    });
    await sql`DROP INDEX IF EXISTS invoice_failed`.execute(db);
    await sql`DROP INDEX IF EXISTS delivery_unreached`.execute(db);
  },
};
