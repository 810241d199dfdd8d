import { sql, type Kysely } from 'kysely';

import { keepCounts } from './0051-owed-and-paid.ts';

/** A part of 0074: what is paid, counted and asked for follows what is credited. All functions are as before but for that. */
export async function countCredits(db: Kysely<unknown>): Promise<void> {
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
          '{status,paid_date,paid_amount,credited_amount,credited_on,delivery_status,customer_id,due_date,disputed,disputed_note,reminder_amount,reminder_waived}'::text[])
        IS DISTINCT FROM (to_jsonb(OLD) -
          '{status,paid_date,paid_amount,credited_amount,credited_on,delivery_status,customer_id,due_date,disputed,disputed_note,reminder_amount,reminder_waived}'::text[])
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
  await sql`
    CREATE OR REPLACE FUNCTION settle_invoices(company bigint, invoices bigint[]) RETURNS void LANGUAGE plpgsql AS $$
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
            sum(amount) = claim AND bool_or(in_force) AS is_paid,
            GREATEST(credited_on, COALESCE(
              max(paid_on) FILTER (WHERE in_force AND so_far >= claim AND so_far - amount < claim),
              min(paid_on) FILTER (WHERE in_force))) AS reached_on
          FROM (
            SELECT invoice_id, paid_on, status, claim, credited_on, reminder_waived,
              payment.amount - payment.reminder_amount AS amount, payment.reminder_amount,
              NOT undone AND (undoes_id IS NULL OR payment.kind = 'PAYMENT') AS in_force,
              sum(payment.amount - payment.reminder_amount)
                FILTER (WHERE NOT undone AND (undoes_id IS NULL OR payment.kind = 'PAYMENT'))
                OVER (PARTITION BY invoice_id ORDER BY paid_on, payment.id) AS so_far
            FROM payment JOIN (
              SELECT id, status, gross_amount - credited_amount AS claim, credited_on, reminder_waived
              FROM invoice WHERE company_id = company AND id = ANY(invoices)
            ) settled ON settled.id = invoice_id
            WHERE payment.company_id = company AND invoice_id = ANY(invoices)
          ) part GROUP BY invoice_id, status, claim, credited_on, reminder_waived
        ) row LEFT JOIN (
          SELECT invoice_id, amount FROM asked_by_reminders
          WHERE company_id = company AND invoice_id = ANY(invoices)
        ) asked USING (invoice_id)
      ) paid
      WHERE invoice.company_id = company AND invoice.id = ANY(invoices)
        AND invoice.id = paid.invoice_id;
      IF EXISTS (
        SELECT FROM invoice WHERE company_id = company AND id = ANY(invoices)
          AND paid_amount > gross_amount - credited_amount)
      THEN
        RAISE EXCEPTION 'an invoice takes no more than what is left after crediting'
          USING ERRCODE = 'check_violation';
      END IF;
    END
    $$`.execute(db);
  await sql`
    CREATE OR REPLACE FUNCTION judge_new_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE reminded invoice;
    BEGIN
      -- The lock comes first, so what is read after it includes what others have committed.
      SELECT * INTO reminded FROM invoice
      WHERE company_id = NEW.company_id AND id = NEW.invoice_id FOR NO KEY UPDATE;
      IF reminded.kind <> 'INVOICE' OR reminded.status <> 'REGISTERED' OR reminded.disputed
        OR NEW.principal <> reminded.gross_amount - reminded.credited_amount - reminded.paid_amount
      THEN
        RAISE EXCEPTION 'a reminder asks for what is due of a registered invoice'
          USING ERRCODE = 'check_violation';
      END IF;
      IF NOT EXISTS (
        SELECT FROM document
        WHERE company_id = NEW.company_id AND id = NEW.document_id
          AND kind = 'REMINDER' AND invoice_id = NEW.invoice_id)
      THEN
        RAISE EXCEPTION 'a reminder has a document of its own' USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END
    $$`.execute(db);
  await keepCountsWithCredits(db);
}

/** Replaces the function that counts invoices and what is due of them. */
export async function keepCountsWithCredits(db: Kysely<unknown>): Promise<void> {
  await keepCounts(db, {
    isOwed: sql`gross_amount > credited_amount`,
    // Until the transaction ends, more may be paid than is left.
    amount: sql`GREATEST(0, gross_amount - credited_amount - paid_amount)`,
  });
}
