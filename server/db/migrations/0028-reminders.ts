import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * Reminders, and what they ask for beside the invoice. A process of the version before knows none: it
 * would mail the invoice in place of a reminder, so the feature is turned on when all are replaced.
 */
export const reminders: Migration = { up, runsBeside: '0005-staff' };

/** Øre that JavaScript counts exactly. */
const MOST = sql.lit(Number.MAX_SAFE_INTEGER);

async function up(db: Kysely<unknown>): Promise<void> {
  await createSettings(db);
  await changeInvoices(db);
  await changeDocuments(db);
  await createReminders(db);
  await countReminders(db);
  await changeDeliveries(db);
}

/** What a company lets happen by itself. */
async function createSettings(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE reminder_settings (
      company_id bigint PRIMARY KEY REFERENCES company ON DELETE CASCADE,
      automatic boolean NOT NULL,
      approve boolean NOT NULL,
      steps jsonb NOT NULL CHECK (jsonb_typeof(steps) = 'array'),
      minimum_amount bigint NOT NULL CHECK (minimum_amount BETWEEN 0 AND ${MOST}),
      waive_rest boolean NOT NULL,
      version integer NOT NULL DEFAULT 1)`.execute(db);
  await sql`
    CREATE TRIGGER version BEFORE UPDATE ON reminder_settings
    FOR EACH ROW EXECUTE FUNCTION count_version()`.execute(db);
}

/** As before, and of what is registered a dispute may change, and what reminders ask for. */
async function changeInvoices(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE invoice
      ADD COLUMN disputed boolean NOT NULL DEFAULT false,
      ADD COLUMN disputed_note text,
      -- Øre: fees, interest and compensation that were asked for, neither paid nor waived.
      ADD COLUMN reminder_amount bigint NOT NULL DEFAULT 0,
      ADD CONSTRAINT invoice_disputed CHECK (CASE WHEN disputed
        THEN kind = 'INVOICE' AND status <> 'DRAFT' ELSE disputed_note IS NULL END) NOT VALID,
      ADD CONSTRAINT invoice_reminder_amount CHECK (reminder_amount = 0 OR (
        kind = 'INVOICE' AND status IN ('REGISTERED', 'PAID')
        AND reminder_amount BETWEEN 0 AND ${MOST})) NOT VALID`.execute(db);
  const open = sql`'{status,paid_date,paid_amount,delivery_status,customer_id,due_date,disputed,disputed_note,reminder_amount}'::text[]`;
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
      IF NEW.reminder_amount <> OLD.reminder_amount AND pg_trigger_depth() < 2 THEN
        RAISE EXCEPTION 'what reminders of an invoice ask for is said by them'
          USING ERRCODE = 'check_violation';
      END IF;
      -- Nothing is owed of what was credited.
      IF NEW.status = 'CANCELLED' THEN NEW.reminder_amount := 0; END IF;
      RETURN NEW;
    END $$`.execute(db);
}

/** A reminder is a document that is neither numbered nor part of the chain. */
async function changeDocuments(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE document
      DROP CONSTRAINT document_kind_check,
      ADD CONSTRAINT document_kind CHECK (
        kind IN ('INVOICE', 'CREDIT_NOTE', 'REMINDER')) NOT VALID,
      ALTER COLUMN hash DROP NOT NULL,
      ADD CONSTRAINT document_chained CHECK (CASE kind WHEN 'REMINDER'
        THEN hash IS NULL AND previous_hash IS NULL ELSE hash IS NOT NULL END) NOT VALID
  `.execute(db);
  await sql`
    CREATE OR REPLACE FUNCTION extend_chain() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE broken bigint;
    BEGIN
      SELECT linked.company_id INTO broken
      FROM (
        SELECT added.company_id, added.previous_hash, added.hash, added.content, added.kind,
          invoice.kind AS invoice_kind, invoice.invoice_number AS number,
          lag(added.hash) OVER series AS before, row_number() OVER series AS place,
          lead(added.hash) OVER series IS NULL AS is_last
        FROM added
        JOIN invoice ON invoice.company_id = added.company_id AND invoice.id = added.invoice_id
        WHERE added.kind <> 'REMINDER'
        WINDOW series AS (PARTITION BY added.company_id ORDER BY invoice.invoice_number)
      ) linked
      JOIN company ON company.id = linked.company_id
      WHERE linked.number IS NULL OR linked.kind <> linked.invoice_kind
        OR linked.hash <> sha256(
          COALESCE(linked.previous_hash, '') || convert_to(linked.content, 'UTF8'))
        OR linked.previous_hash IS DISTINCT FROM
          CASE linked.place WHEN 1 THEN company.last_document_hash ELSE linked.before END
        OR linked.is_last AND linked.number IS DISTINCT FROM company.last_invoice_number
      LIMIT 1;
      IF broken IS NOT NULL THEN
        RAISE EXCEPTION 'the chain of documents of company % would be broken', broken
          USING ERRCODE = 'check_violation';
      END IF;
      UPDATE company SET last_document_hash = added.hash
      FROM added
      JOIN invoice ON invoice.company_id = added.company_id AND invoice.id = added.invoice_id
      WHERE company.id = added.company_id AND added.kind <> 'REMINDER'
        AND invoice.invoice_number = company.last_invoice_number;
      RETURN NULL;
    END $$`.execute(db);
}

async function createReminders(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE reminder (
      company_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
      invoice_id bigint NOT NULL,
      document_id bigint NOT NULL,
      step smallint NOT NULL CHECK (step > 0),
      kind text NOT NULL CHECK (kind IN ('REMINDER', 'NOTICE', 'DEBT_COLLECTION_NOTICE')),
      -- The day in Oslo.
      sent_on date NOT NULL,
      due_date date NOT NULL,
      -- Øre: what was due of the invoice, and what is asked for beside it.
      principal bigint NOT NULL CHECK (principal BETWEEN 1 AND ${MOST}),
      fee bigint NOT NULL CHECK (fee BETWEEN 0 AND ${MOST}),
      interest bigint NOT NULL CHECK (interest BETWEEN 0 AND ${MOST}),
      compensation bigint NOT NULL CHECK (compensation BETWEEN 0 AND ${MOST}),
      -- What was asked for before and is still owed, less what was paid of it.
      earlier bigint NOT NULL DEFAULT 0 CHECK (earlier BETWEEN -${MOST} AND ${MOST}),
      waived_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      by_type text NOT NULL CHECK (by_type IN ('ACCOUNT', 'TOKEN', 'STAFF', 'BANK', 'SYSTEM')),
      by_name text NOT NULL,
      PRIMARY KEY (company_id, id),
      UNIQUE (company_id, invoice_id, step),
      UNIQUE (company_id, document_id),
      UNIQUE (company_id, invoice_id, document_id, principal),
      FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id),
      FOREIGN KEY (company_id, document_id) REFERENCES document (company_id, id),
      CHECK (due_date >= sent_on),
      CHECK (kind <> 'REMINDER' OR fee = 0),
      CHECK (fee = 0 OR compensation = 0)
    )`.execute(db);
  await sql`
    CREATE FUNCTION freeze_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        IF OLD.waived_at IS NULL AND NEW.waived_at IS NOT NULL
          AND (to_jsonb(NEW) - 'waived_at') IS NOT DISTINCT FROM (to_jsonb(OLD) - 'waived_at')
        THEN RETURN NEW; END IF;
      END IF;
      RAISE EXCEPTION 'a reminder never changes' USING ERRCODE = 'check_violation';
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER reminder_frozen BEFORE UPDATE OR DELETE ON reminder
    FOR EACH ROW EXECUTE FUNCTION freeze_reminder()`.execute(db);
  await sql`
    CREATE TRIGGER reminder_not_emptied BEFORE TRUNCATE ON reminder
    FOR EACH STATEMENT EXECUTE FUNCTION freeze_reminder()`.execute(db);
  await sql`
    CREATE FUNCTION judge_new_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE reminded invoice;
    BEGIN
      -- Held first: what is read after that is what others have written, too.
      SELECT * INTO reminded FROM invoice
      WHERE company_id = NEW.company_id AND id = NEW.invoice_id FOR NO KEY UPDATE;
      IF reminded.kind <> 'INVOICE' OR reminded.status <> 'REGISTERED' OR reminded.disputed
        OR NEW.principal <> reminded.gross_amount - reminded.paid_amount
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
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER reminder_judged BEFORE INSERT ON reminder
    FOR EACH ROW EXECUTE FUNCTION judge_new_reminder()`.execute(db);
}

/**
 * What an invoice's reminders ask for beside it: fees and compensation add up, and interest that is asked
 * for anew is in place of the interest before.
 */
async function countReminders(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION follow_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM invoice JOIN after_rows
        ON after_rows.company_id = invoice.company_id AND after_rows.invoice_id = invoice.id
      ORDER BY invoice.id FOR NO KEY UPDATE OF invoice;
      UPDATE invoice SET reminder_amount = asked.amount
      FROM (
        SELECT company_id, invoice_id,
          COALESCE(sum(fee + compensation) FILTER (WHERE waived_at IS NULL), 0)
            + CASE WHEN (array_agg(waived_at ORDER BY step DESC))[1] IS NULL
              THEN (array_agg(interest ORDER BY step DESC))[1] ELSE 0 END AS amount
        FROM reminder
        WHERE (company_id, invoice_id) IN (SELECT company_id, invoice_id FROM after_rows)
        GROUP BY company_id, invoice_id
      ) asked
      WHERE invoice.company_id = asked.company_id AND invoice.id = asked.invoice_id
        AND invoice.status <> 'CANCELLED' AND invoice.reminder_amount <> asked.amount;
      RETURN NULL;
    END $$`.execute(db);
  for (const event of ['INSERT', 'UPDATE']) {
    await sql`
      CREATE TRIGGER ${sql.raw(`reminder_followed_${event.toLowerCase()}`)}
      AFTER ${sql.raw(event)} ON reminder REFERENCING NEW TABLE AS after_rows
      FOR EACH STATEMENT EXECUTE FUNCTION follow_reminders()`.execute(db);
  }
}

/** A delivery may bring a reminder. What the invoice shows is what became of its own document. */
async function changeDeliveries(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE delivery
      -- Of a reminder: what it says is due (øre). When something else is, it is not sent any more.
      ADD COLUMN reminder_principal bigint,
      ADD CONSTRAINT delivery_reminder
        FOREIGN KEY (company_id, invoice_id, document_id, reminder_principal)
        REFERENCES reminder (company_id, invoice_id, document_id, principal) NOT VALID,
      DROP CONSTRAINT delivery_stopped,
      ADD CONSTRAINT delivery_stopped CHECK (stopped_by IS NULL OR status = 'FAILED'
        AND (stopped_by IN ('CANCELLED', 'PAID')
          OR reminder_principal IS NOT NULL AND stopped_by IN ('DISPUTED', 'PART_PAID'))) NOT VALID
  `.execute(db);
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
        WHERE reminder_principal IS NULL
        ORDER BY invoice_id, id DESC
      ) changed
      WHERE invoice.id = changed.invoice_id
        AND invoice.delivery_status IS DISTINCT FROM changed.status
        -- Not as NOT EXISTS: a planner makes a join of that, and reads all deliveries.
        AND (
          SELECT count(*) FROM delivery later
          WHERE later.company_id = changed.company_id AND later.invoice_id = changed.invoice_id
            AND later.reminder_principal IS NULL AND later.id > changed.id) = 0;
      RETURN NULL;
    END $$`.execute(db);
  // Nobody owes a fee for what was never sent.
  await sql`
    CREATE FUNCTION waive_stopped_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE reminder SET waived_at = now()
      WHERE company_id = NEW.company_id AND document_id = NEW.document_id AND waived_at IS NULL
        AND NOT EXISTS (
          SELECT FROM delivery other
          WHERE other.company_id = NEW.company_id AND other.invoice_id = NEW.invoice_id
            AND other.document_id = NEW.document_id
            AND (other.status <> 'FAILED' OR other.may_have_arrived));
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER delivery_reminder_stopped AFTER UPDATE ON delivery FOR EACH ROW
    WHEN (NEW.reminder_principal IS NOT NULL AND NEW.stopped_by IS NOT NULL
      AND OLD.stopped_by IS NULL)
    EXECUTE FUNCTION waive_stopped_reminder()`.execute(db);
}
