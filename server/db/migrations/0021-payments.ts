import { sql, type Kysely, type RawBuilder } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * What was paid, as rows that never change, and what follows from them: how much of an invoice is paid,
 * whether it is, since when, and what a customer has to his credit. A process of the version before goes
 * on beside it, but what it does about payment is refused: it says PAID, or not, by itself.
 */
export const payments: Migration = { up, runsBeside: '0005-staff' };

/** What people edit of a customer, each time of which counts as a version. */
const EDITED = [
  'customer_number',
  'name',
  'email',
  'org_number',
  'phone_number',
  'address1',
  'address2',
  'postal_code',
  'city',
  'search_text',
];

/** Money that is there: neither taken back, nor what takes another row back. */
const IN_FORCE = sql`NOT undone AND (undoes_id IS NULL OR kind = 'PAYMENT')`;

async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db);
  await createTable(db);
  await freezePayments(db);
  await deriveStatus(db);
  await followPayments(db);
}

/** In the order in which the product locks these tables. */
async function addColumns(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE customer ADD COLUMN credit bigint NOT NULL DEFAULT 0`.execute(db);
  await sql`DROP TRIGGER version ON customer`.execute(db);
  const edited = sql.join(EDITED.map((column) => sql.ref(column)));
  await sql`
    CREATE TRIGGER version BEFORE UPDATE OF ${edited} ON customer
    FOR EACH ROW EXECUTE FUNCTION count_version()`.execute(db);
  await sql`
    ALTER TABLE invoice ADD COLUMN paid_amount bigint NOT NULL DEFAULT 0,
      ADD CONSTRAINT invoice_paid_amount CHECK (paid_amount = 0 OR (
        kind = 'INVOICE' AND status IN ('REGISTERED', 'PAID')
        AND paid_amount BETWEEN 0 AND gross_amount)) NOT VALID`.execute(db);
}

async function createTable(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE payment (
      company_id bigint NOT NULL REFERENCES company,
      id bigint GENERATED ALWAYS AS IDENTITY,
      uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
      -- None: it is not placed. With a customer it is his credit then.
      invoice_id bigint,
      customer_id bigint,
      -- Øre; negative takes back.
      amount bigint NOT NULL CHECK (amount BETWEEN -9007199254740991 AND 9007199254740991),
      paid_on date NOT NULL,
      source text NOT NULL CHECK (source IN ('MANUAL', 'BANK')),
      kind text NOT NULL CHECK (kind IN ('PAYMENT', 'UNDO', 'REFUND', 'DROP', 'REVERSAL')),
      -- What the bank has told.
      account text CHECK (account ~ '^[0-9]{11}$'),
      kid text,
      text text,
      payer text,
      payer_account_hash bytea,
      reference text,
      entry_id bigint,
      possible_copy boolean NOT NULL DEFAULT false,
      suggestion jsonb,
      -- The row that this one takes back, and the row whose money this is.
      undoes_id bigint,
      from_id bigint,
      undone boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL DEFAULT now(),
      by_type text NOT NULL CHECK (by_type IN ('ACCOUNT', 'TOKEN', 'STAFF', 'BANK', 'SYSTEM')),
      by_name text NOT NULL,
      PRIMARY KEY (company_id, id),
      FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id),
      FOREIGN KEY (company_id, customer_id) REFERENCES customer (company_id, id)
        ON DELETE SET NULL (customer_id),
      FOREIGN KEY (company_id, undoes_id) REFERENCES payment (company_id, id),
      FOREIGN KEY (company_id, from_id) REFERENCES payment (company_id, id),
      CHECK (kind NOT IN ('UNDO', 'REFUND', 'DROP') OR undoes_id IS NOT NULL),
      CHECK (kind NOT IN ('REFUND', 'DROP') OR invoice_id IS NULL),
      CHECK (kind <> 'PAYMENT' OR amount > 0 OR (amount = 0 AND invoice_id IS NOT NULL)),
      CHECK (kind <> 'REVERSAL' OR amount < 0)
    )`.execute(db);
  await sql`
    CREATE UNIQUE INDEX payment_undone_once ON payment (company_id, undoes_id)
    WHERE undoes_id IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX payment_of_invoice ON payment (company_id, invoice_id, id)
    WHERE invoice_id IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX payment_of_customer ON payment (company_id, customer_id)
    WHERE customer_id IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX payment_of_entry ON payment (company_id, entry_id)
    WHERE entry_id IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX payment_unplaced ON payment (company_id, id)
    WHERE invoice_id IS NULL AND ${IN_FORCE}`.execute(db);
}

/** Of a payment only this changes: it is placed once, taken back once, and its customer may go. */
async function freezePayments(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION freeze_payment() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        IF (to_jsonb(NEW) - '{invoice_id,customer_id,undone}'::text[])
            IS NOT DISTINCT FROM (to_jsonb(OLD) - '{invoice_id,customer_id,undone}'::text[])
          AND (NEW.invoice_id IS NOT DISTINCT FROM OLD.invoice_id OR (OLD.invoice_id IS NULL
            AND NOT OLD.undone AND (OLD.undoes_id IS NULL OR OLD.kind = 'PAYMENT')))
          -- Only the row that takes it back says so.
          AND (NEW.undone = OLD.undone OR (NEW.undone AND pg_trigger_depth() > 1))
        THEN RETURN NEW; END IF;
      END IF;
      RAISE EXCEPTION 'a payment never changes' USING ERRCODE = 'check_violation';
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER payment_frozen BEFORE UPDATE OR DELETE ON payment
    FOR EACH ROW EXECUTE FUNCTION freeze_payment()`.execute(db);
  await sql`
    CREATE TRIGGER payment_not_emptied BEFORE TRUNCATE ON payment
    FOR EACH STATEMENT EXECUTE FUNCTION freeze_payment()`.execute(db);
  await sql`
    CREATE TRIGGER payment_born BEFORE INSERT ON payment FOR EACH ROW
    WHEN (NEW.undone) EXECUTE FUNCTION freeze_payment()`.execute(db);
}

/** As before, and what is paid of an invoice is said by its payments alone. */
async function deriveStatus(db: Kysely<unknown>): Promise<void> {
  const open = sql`'{status,paid_date,paid_amount,delivery_status,customer_id,due_date}'::text[]`;
  await sql`
    CREATE OR REPLACE FUNCTION freeze_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.status = 'DRAFT' THEN
        IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
        IF NEW.status NOT IN ('DRAFT', 'REGISTERED') OR NEW.company_id <> OLD.company_id
          OR NEW.paid_amount <> 0
        THEN
          RAISE EXCEPTION 'a draft can only be registered' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
      END IF;
      IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'a registered invoice is never deleted' USING ERRCODE = 'check_violation';
      END IF;
      -- Losing the link to a deleted customer, payment and delivery are all that may change;
      -- due_date is generated from columns that may not, and is not yet known here.
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
      RETURN NEW;
    END $$`.execute(db);
}

/** What follows from payments, for each statement that adds or places them. */
async function followPayments(db: Kysely<unknown>): Promise<void> {
  await settleInvoices(db);
  const credit = (rows: string, sign: 1 | -1) => sql`
    SELECT company_id, customer_id, ${sql.lit(sign)} * amount AS amount FROM ${sql.table(rows)}
    WHERE invoice_id IS NULL AND customer_id IS NOT NULL AND NOT possible_copy`;
  await sql`
    CREATE FUNCTION follow_new_payments() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      taken_back bigint;
    BEGIN
      SELECT count(*) INTO taken_back FROM after_rows WHERE undoes_id IS NOT NULL;
      IF taken_back > 0 THEN
        -- A row is taken back once, whole, and where it lies.
        UPDATE payment original SET undone = true FROM after_rows opposite
        WHERE original.company_id = opposite.company_id AND original.id = opposite.undoes_id
          AND NOT original.undone AND original.amount = -opposite.amount
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
      ${addCredit(credit('after_rows', 1))};
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER payment_followed AFTER INSERT ON payment
    REFERENCING NEW TABLE AS after_rows
    FOR EACH STATEMENT EXECUTE FUNCTION follow_new_payments()`.execute(db);

  await sql`
    CREATE FUNCTION follow_placed_payments() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM settle_invoices(company_id, array_agg(DISTINCT after_rows.invoice_id))
      FROM after_rows JOIN before_rows USING (company_id, id)
      WHERE after_rows.invoice_id IS NOT NULL AND before_rows.invoice_id IS NULL
      GROUP BY company_id;
      ${addCredit(sql`${credit('after_rows', 1)} UNION ALL ${credit('before_rows', -1)}`)};
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER payment_placed AFTER UPDATE ON payment
    REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
    FOR EACH STATEMENT EXECUTE FUNCTION follow_placed_payments()`.execute(db);
}

/**
 * Invoices as their payments have them. They are held first: what is read after that is what others
 * have written, too. An invoice is paid on the day with which the sum reached the total for good, in
 * the order of days.
 */
async function settleInvoices(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION settle_invoices(company bigint, invoices bigint[]) RETURNS void
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
        paid_date = CASE WHEN paid.is_paid THEN paid.reached_on END
      FROM (
        SELECT invoice_id, sum(amount) AS amount,
          sum(amount) = gross_amount AND bool_or(in_force) AS is_paid,
          COALESCE(
            max(paid_on) FILTER (WHERE in_force
              AND so_far >= gross_amount AND so_far - amount < gross_amount),
            min(paid_on) FILTER (WHERE in_force)) AS reached_on
        FROM (
          SELECT invoice_id, payment.amount, paid_on, gross_amount, ${IN_FORCE} AS in_force,
            sum(payment.amount) FILTER (WHERE ${IN_FORCE})
              OVER (PARTITION BY invoice_id ORDER BY paid_on, payment.id) AS so_far
          FROM payment JOIN (
            SELECT id, gross_amount FROM invoice WHERE company_id = company AND id = ANY(invoices)
          ) settled ON settled.id = invoice_id
          WHERE payment.company_id = company AND invoice_id = ANY(invoices)
        ) row GROUP BY invoice_id, gross_amount
      ) paid
      WHERE invoice.company_id = company AND invoice.id = ANY(invoices)
        AND invoice.id = paid.invoice_id;
    END $$`.execute(db);
}

function addCredit(changes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    UPDATE customer SET credit = credit + changed.amount
    FROM (
      SELECT company_id, customer_id, sum(amount) AS amount FROM (${changes}) row
      GROUP BY company_id, customer_id HAVING sum(amount) <> 0
    ) changed
    WHERE customer.company_id = changed.company_id AND customer.id = changed.customer_id`;
}
