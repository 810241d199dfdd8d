import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * Payments cover what reminders ask for beside the invoice. A process of the version before goes on beside
 * it: what it pays covers the invoice alone, and is right.
 */
export const reminderPayments: Migration = { up, runsBeside: '0005-staff' };

/** Money that is there: neither taken back, nor what takes another row back. */
const IN_FORCE = sql`NOT undone AND (undoes_id IS NULL OR payment.kind = 'PAYMENT')`;

async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db);
  await freezePayments(db);
  await freezeInvoices(db);
  await settle(db);
  await takeBackWhole(db);
}

async function addColumns(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE invoice
      -- What reminders asked for, and was not paid with the invoice, is let go.
      ADD COLUMN reminder_waived boolean NOT NULL DEFAULT false,
      ADD CONSTRAINT invoice_reminder_waived CHECK (
        NOT reminder_waived OR (status = 'PAID' AND reminder_amount = 0)) NOT VALID`.execute(db);
  await sql`
    ALTER TABLE payment
      -- Øre: so much of the amount is for what reminders ask for, the rest for the invoice.
      ADD COLUMN reminder_amount bigint NOT NULL DEFAULT 0,
      ADD CONSTRAINT payment_reminder_amount CHECK (reminder_amount = 0 OR (
        invoice_id IS NOT NULL
        AND reminder_amount BETWEEN LEAST(amount, 0) AND GREATEST(amount, 0))) NOT VALID
  `.execute(db);
}

/** As before, and who places a payment says what of it is for reminders. */
async function freezePayments(db: Kysely<unknown>): Promise<void> {
  const open = sql`'{invoice_id,customer_id,undone,reminder_amount}'::text[]`;
  await sql`
    CREATE OR REPLACE FUNCTION freeze_payment() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        IF (to_jsonb(NEW) - ${open}) IS NOT DISTINCT FROM (to_jsonb(OLD) - ${open})
          AND (NEW.invoice_id IS NOT DISTINCT FROM OLD.invoice_id OR (OLD.invoice_id IS NULL
            AND NOT OLD.undone AND (OLD.undoes_id IS NULL OR OLD.kind = 'PAYMENT')))
          AND (NEW.reminder_amount = OLD.reminder_amount
            OR (OLD.invoice_id IS NULL AND NEW.invoice_id IS NOT NULL))
          -- Only the row that takes it back says so.
          AND (NEW.undone = OLD.undone OR (NEW.undone AND pg_trigger_depth() > 1))
        THEN RETURN NEW; END IF;
      END IF;
      RAISE EXCEPTION 'a payment never changes' USING ERRCODE = 'check_violation';
    END $$`.execute(db);
}

/** As before, and that what reminders ask for was let go follows from payments, too. */
async function freezeInvoices(db: Kysely<unknown>): Promise<void> {
  const open = sql`'{status,paid_date,paid_amount,delivery_status,customer_id,due_date,disputed,disputed_note,reminder_amount,reminder_waived}'::text[]`;
  await sql`
    CREATE OR REPLACE FUNCTION freeze_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.status = 'DRAFT' THEN
        IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
        IF NEW.status NOT IN ('DRAFT', 'REGISTERED') OR NEW.company_id <> OLD.company_id
          OR NEW.paid_amount <> 0 OR NEW.reminder_amount <> 0
        THEN
          RAISE EXCEPTION 'a draft can only be registered' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
      END IF;
      IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'a registered invoice is never deleted' USING ERRCODE = 'check_violation';
      END IF;
      -- Losing the link to a deleted customer, payment, dispute, reminders and delivery are all that may
      -- change; due_date is generated from columns that may not, and is not yet known here.
      IF (to_jsonb(NEW) - ${open}) IS DISTINCT FROM (to_jsonb(OLD) - ${open})
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
      -- An update by the trigger of payments is one trigger deeper than anybody's own.
      IF (NEW.paid_amount, NEW.paid_date, NEW.status = 'PAID')
          IS DISTINCT FROM (OLD.paid_amount, OLD.paid_date, OLD.status = 'PAID')
        AND pg_trigger_depth() < 2
      THEN
        RAISE EXCEPTION 'what is paid of an invoice is said by its payments'
          USING ERRCODE = 'check_violation';
      END IF;
      -- So is one by the trigger of reminders.
      IF (NEW.reminder_amount, NEW.reminder_waived) <> (OLD.reminder_amount, OLD.reminder_waived)
        AND pg_trigger_depth() < 2
      THEN
        RAISE EXCEPTION 'what reminders of an invoice ask for is said by them'
          USING ERRCODE = 'check_violation';
      END IF;
      -- Nothing is owed of what was credited.
      IF NEW.status = 'CANCELLED' THEN NEW.reminder_amount := 0; END IF;
      RETURN NEW;
    END $$`.execute(db);
}

/**
 * As before, of what payments are not for reminders; and what these ask for, less what was paid of it. When
 * an invoice becomes paid its company's settings say whether the rest of that is let go.
 */
async function settle(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Fees and compensation add up, and interest that is asked for anew is in place of that before.
    CREATE VIEW asked_by_reminders AS
    SELECT company_id, invoice_id,
      (COALESCE(sum(fee + compensation) FILTER (WHERE waived_at IS NULL), 0)
        + CASE WHEN (array_agg(waived_at ORDER BY step DESC))[1] IS NULL
          THEN (array_agg(interest ORDER BY step DESC))[1] ELSE 0 END)::bigint AS amount
    FROM reminder GROUP BY company_id, invoice_id`.execute(db);
  await sql`
    CREATE OR REPLACE FUNCTION settle_invoices(company bigint, invoices bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (
        SELECT FROM (
          SELECT kind, status FROM invoice
          WHERE company_id = company AND id = ANY(invoices) ORDER BY id FOR NO KEY UPDATE
        ) held
        WHERE held.kind <> 'INVOICE' OR held.status NOT IN ('REGISTERED', 'PAID'))
      THEN
        RAISE EXCEPTION 'only a registered invoice is paid' USING ERRCODE = 'check_violation';
      END IF;
      UPDATE invoice SET
        paid_amount = paid.amount,
        status = CASE WHEN paid.is_paid THEN 'PAID' ELSE 'REGISTERED' END,
        paid_date = CASE WHEN paid.is_paid THEN paid.reached_on END,
        reminder_waived = paid.is_waived,
        reminder_amount = CASE WHEN paid.is_waived THEN 0
          ELSE GREATEST(0, paid.asked - paid.for_reminders) END
      FROM (
        SELECT row.*, COALESCE(asked.amount, 0) AS asked,
          CASE WHEN NOT is_paid OR asked.amount IS NULL THEN false
            WHEN row.status = 'PAID' THEN row.reminder_waived
            ELSE COALESCE((SELECT waive_rest FROM reminder_settings WHERE company_id = company), true)
          END AS is_waived
        FROM (
          SELECT invoice_id, status, reminder_waived, sum(amount) AS amount,
            sum(reminder_amount) AS for_reminders,
            sum(amount) = gross_amount AND bool_or(in_force) AS is_paid,
            COALESCE(
              max(paid_on) FILTER (WHERE in_force
                AND so_far >= gross_amount AND so_far - amount < gross_amount),
              min(paid_on) FILTER (WHERE in_force)) AS reached_on
          FROM (
            SELECT invoice_id, paid_on, status, gross_amount, reminder_waived,
              payment.amount - payment.reminder_amount AS amount, payment.reminder_amount,
              ${IN_FORCE} AS in_force,
              sum(payment.amount - payment.reminder_amount) FILTER (WHERE ${IN_FORCE})
                OVER (PARTITION BY invoice_id ORDER BY paid_on, payment.id) AS so_far
            FROM payment JOIN (
              SELECT id, status, gross_amount, reminder_waived
              FROM invoice WHERE company_id = company AND id = ANY(invoices)
            ) settled ON settled.id = invoice_id
            WHERE payment.company_id = company AND invoice_id = ANY(invoices)
          ) part GROUP BY invoice_id, status, gross_amount, reminder_waived
        ) row LEFT JOIN (
          SELECT invoice_id, amount FROM asked_by_reminders
          WHERE company_id = company AND invoice_id = ANY(invoices)
        ) asked USING (invoice_id)
      ) paid
      WHERE invoice.company_id = company AND invoice.id = ANY(invoices)
        AND invoice.id = paid.invoice_id;
    END $$`.execute(db);
  await sql`
    CREATE OR REPLACE FUNCTION follow_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM invoice JOIN after_rows
        ON after_rows.company_id = invoice.company_id AND after_rows.invoice_id = invoice.id
      ORDER BY invoice.id FOR NO KEY UPDATE OF invoice;
      UPDATE invoice SET reminder_amount = owed.amount
      FROM (
        SELECT company_id, invoice_id, GREATEST(0, asked.amount - COALESCE((
          SELECT sum(payment.reminder_amount) FROM payment
          WHERE payment.company_id = asked.company_id
            AND payment.invoice_id = asked.invoice_id), 0)) AS amount
        FROM asked_by_reminders asked
        WHERE (company_id, invoice_id) IN (SELECT company_id, invoice_id FROM after_rows)
      ) owed
      WHERE invoice.company_id = owed.company_id AND invoice.id = owed.invoice_id
        AND invoice.status <> 'CANCELLED' AND NOT invoice.reminder_waived
        AND invoice.reminder_amount <> owed.amount;
      RETURN NULL;
    END $$`.execute(db);
}

/** As before, and with what of it was for reminders. */
async function takeBackWhole(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION follow_new_payments() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      taken_back bigint;
    BEGIN
      SELECT count(*) INTO taken_back FROM after_rows WHERE undoes_id IS NOT NULL;
      IF taken_back > 0 THEN
        -- A row is taken back once, whole, and where it lies.
        UPDATE payment original SET undone = true FROM after_rows opposite
        WHERE original.company_id = opposite.company_id AND original.id = opposite.undoes_id
          AND NOT original.undone AND original.amount = -opposite.amount
          AND original.reminder_amount = -opposite.reminder_amount
          AND original.invoice_id IS NOT DISTINCT FROM opposite.invoice_id
          AND original.customer_id IS NOT DISTINCT FROM opposite.customer_id
          AND original.possible_copy = opposite.possible_copy;
        GET DIAGNOSTICS taken_back = ROW_COUNT;
        IF taken_back <> (SELECT count(*) FROM after_rows WHERE undoes_id IS NOT NULL) THEN
          RAISE EXCEPTION 'a payment is taken back once, by its opposite'
            USING ERRCODE = 'check_violation';
        END IF;
      END IF;
      PERFORM settle_invoices(company_id, array_agg(DISTINCT invoice_id)) FROM after_rows
      WHERE invoice_id IS NOT NULL GROUP BY company_id;
      UPDATE customer SET credit = credit + changed.amount
      FROM (
        SELECT company_id, customer_id, sum(amount) AS amount FROM after_rows
        WHERE invoice_id IS NULL AND customer_id IS NOT NULL AND NOT possible_copy
        GROUP BY company_id, customer_id HAVING sum(amount) <> 0
      ) changed
      WHERE customer.company_id = changed.company_id AND customer.id = changed.customer_id;
      RETURN NULL;
    END $$`.execute(db);
}
