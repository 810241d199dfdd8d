import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Invoices and credit notes, and what must never be false about them. */
export const invoices: Migration = { up, runsBeside: null };

async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db);
  await freezeRegistered(db);
  await keepSeriesUnbroken(db);
  await countInvoices(db);
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE invoice (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
      company_id bigint NOT NULL REFERENCES company,
      customer_id bigint,
      kind text NOT NULL DEFAULT 'INVOICE' CHECK (kind IN ('INVOICE', 'CREDIT_NOTE')),
      status text NOT NULL DEFAULT 'DRAFT'
        CHECK (status IN ('DRAFT', 'REGISTERED', 'PAID', 'CANCELLED')),
      delivery_type text NOT NULL CHECK (delivery_type IN ('NONE', 'EMAIL', 'EHF', 'EFAKTURA')),
      delivery_status text CHECK (delivery_status IN ('PENDING', 'QUEUED', 'SENT', 'FAILED')),
      issue_date date NOT NULL,
      due_days integer NOT NULL CHECK (due_days >= 0),
      due_date date NOT NULL GENERATED ALWAYS AS (issue_date + due_days) STORED,
      delivery_date date NOT NULL,
      reference text,
      net_amount bigint NOT NULL,
      vat_amount bigint NOT NULL,
      gross_amount bigint NOT NULL,
      credits_invoice_id bigint,
      paid_date date,
      -- Given at registration, and never again:
      invoice_number bigint,
      kid text,
      seller jsonb,
      buyer jsonb,
      bank_account_number text,
      search_text text,
      registered_at timestamptz,
      previous_hash bytea,
      document_hash bytea,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (company_id, id),
      UNIQUE (company_id, invoice_number),
      UNIQUE (credits_invoice_id),
      FOREIGN KEY (company_id, customer_id) REFERENCES customer (company_id, id)
        ON DELETE SET NULL (customer_id),
      FOREIGN KEY (company_id, credits_invoice_id) REFERENCES invoice (company_id, id),
      CHECK (status <> 'DRAFT' OR customer_id IS NOT NULL OR kind = 'CREDIT_NOTE'),
      CHECK ((status = 'DRAFT') = (invoice_number IS NULL)),
      CHECK ((status = 'PAID') = (paid_date IS NOT NULL)),
      CHECK ((kind = 'CREDIT_NOTE') = (credits_invoice_id IS NOT NULL)),
      CHECK (kind = 'INVOICE' OR status IN ('DRAFT', 'REGISTERED')),
      CHECK (net_amount + vat_amount = gross_amount),
      CHECK (status = 'DRAFT' OR (
        gross_amount >= 0 AND seller IS NOT NULL AND buyer IS NOT NULL
        AND bank_account_number IS NOT NULL AND registered_at IS NOT NULL
        AND document_hash IS NOT NULL AND search_text IS NOT NULL
        AND (kid IS NOT NULL OR kind = 'CREDIT_NOTE')))
    )`.execute(db);
  // The order of the list: drafts first, then the highest number.
  await sql`
    CREATE INDEX invoice_list ON invoice (company_id, invoice_number DESC NULLS FIRST, id DESC)
  `.execute(db);
  await sql`
    CREATE INDEX invoice_status_list
    ON invoice (company_id, status, invoice_number DESC NULLS FIRST, id DESC)`.execute(db);
  await sql`
    CREATE INDEX invoice_customer ON invoice (company_id, customer_id)`.execute(db);
  await sql`
    CREATE INDEX invoice_sent_dates ON invoice (company_id, issue_date)
    WHERE delivery_status = 'SENT'`.execute(db);
  await sql`
    CREATE INDEX invoice_undelivered ON invoice (company_id, id)
    WHERE delivery_status = 'PENDING' AND status <> 'DRAFT'`.execute(db);
  await sql`
    CREATE INDEX invoice_search ON invoice USING gin (company_id, search_text gin_trgm_ops)
    WHERE search_text IS NOT NULL`.execute(db);

  await sql`
    CREATE TABLE invoice_line (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      company_id bigint NOT NULL,
      invoice_id bigint NOT NULL,
      position integer NOT NULL,
      quantity bigint NOT NULL CHECK (quantity >= 1),
      description text NOT NULL,
      net_unit_amount bigint NOT NULL,
      vat_rate integer NOT NULL CHECK (vat_rate IN (0, 15, 25)),
      UNIQUE (invoice_id, position),
      FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id) ON DELETE CASCADE
    )`.execute(db);
}

/** An issued document is never edited or deleted (bokføringsforskriften § 5-2-7). */
async function freezeRegistered(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION freeze_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.status = 'DRAFT' THEN
        IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
        IF NEW.status NOT IN ('DRAFT', 'REGISTERED') OR NEW.company_id <> OLD.company_id THEN
          RAISE EXCEPTION 'a draft can only be registered' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
      END IF;
      IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'a registered invoice is never deleted' USING ERRCODE = 'check_violation';
      END IF;
      -- Losing the link to a deleted customer, payment and delivery are all that may change;
      -- due_date is generated from columns that may not, and is not yet known here.
      IF (to_jsonb(NEW) - '{status,paid_date,delivery_status,customer_id,due_date}'::text[])
        IS DISTINCT FROM (to_jsonb(OLD) - '{status,paid_date,delivery_status,customer_id,due_date}'::text[])
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
      RETURN NEW;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER invoice_frozen BEFORE UPDATE OR DELETE ON invoice
    FOR EACH ROW EXECUTE FUNCTION freeze_invoice()`.execute(db);

  await sql`
    CREATE FUNCTION born_as_draft() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'an invoice begins as a draft' USING ERRCODE = 'check_violation';
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER invoice_born BEFORE INSERT ON invoice FOR EACH ROW
    WHEN (NEW.status <> 'DRAFT') EXECUTE FUNCTION born_as_draft()`.execute(db);

  await sql`
    CREATE FUNCTION freeze_invoice_line() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE parents bigint[] := CASE TG_OP
      WHEN 'INSERT' THEN ARRAY[NEW.invoice_id]
      WHEN 'DELETE' THEN ARRAY[OLD.invoice_id]
      -- A line can be neither taken from a registered invoice nor moved to one.
      ELSE ARRAY[OLD.invoice_id, NEW.invoice_id] END;
    BEGIN
      IF EXISTS (SELECT FROM invoice WHERE id = ANY(parents) AND status <> 'DRAFT') THEN
        RAISE EXCEPTION 'the lines of a registered invoice never change'
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER invoice_line_frozen BEFORE INSERT OR UPDATE OR DELETE ON invoice_line
    FOR EACH ROW EXECUTE FUNCTION freeze_invoice_line()`.execute(db);

  // TRUNCATE asks no row; it would pass by the triggers above.
  await sql`
    CREATE FUNCTION keep_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM invoice WHERE status <> 'DRAFT') THEN
        RAISE EXCEPTION 'a registered invoice is never deleted' USING ERRCODE = 'check_violation';
      END IF;
      RETURN NULL;
    END $$`.execute(db);
  for (const table of ['invoice', 'invoice_line']) {
    await sql`
      CREATE TRIGGER ${sql.raw(`${table}_kept`)} BEFORE TRUNCATE ON ${sql.table(table)}
      FOR EACH STATEMENT EXECUTE FUNCTION keep_invoices()`.execute(db);
  }
}

/** Numbers form an unbroken sequence (bokføringsforskriften § 5-1-3): checked for each statement. */
async function keepSeriesUnbroken(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION keep_series_unbroken() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE broken bigint;
    BEGIN
      SELECT given.company_id INTO broken
      FROM (
        SELECT after.company_id, min(after.invoice_number) AS first,
          max(after.invoice_number) AS last, count(*) AS many
        FROM after_rows after JOIN before_rows before USING (id)
        WHERE before.invoice_number IS NULL AND after.invoice_number IS NOT NULL
        GROUP BY after.company_id
      ) given
      JOIN company ON company.id = given.company_id
      WHERE given.last - given.first + 1 <> given.many
        OR given.first <> COALESCE(
          (SELECT max(earlier.invoice_number) + 1 FROM invoice earlier
           WHERE earlier.company_id = given.company_id AND earlier.invoice_number < given.first),
          company.start_invoice_number)
        OR given.last IS DISTINCT FROM company.last_invoice_number
      LIMIT 1;
      IF broken IS NOT NULL THEN
        RAISE EXCEPTION 'the invoice numbers of company % would not be unbroken', broken
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER invoice_series AFTER UPDATE ON invoice
    REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
    FOR EACH STATEMENT EXECUTE FUNCTION keep_series_unbroken()`.execute(db);
}

/** How many invoices a company has of each status, kept as they change: a list counts nothing. */
async function countInvoices(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE invoice_count (
      company_id bigint PRIMARY KEY REFERENCES company ON DELETE CASCADE,
      drafts bigint NOT NULL DEFAULT 0 CHECK (drafts >= 0),
      registered bigint NOT NULL DEFAULT 0 CHECK (registered >= 0),
      paid bigint NOT NULL DEFAULT 0 CHECK (paid >= 0),
      cancelled bigint NOT NULL DEFAULT 0 CHECK (cancelled >= 0),
      sent bigint NOT NULL DEFAULT 0 CHECK (sent >= 0)
    )`.execute(db);
  // Every company has its row from birth, so that counting is always an update.
  await sql`
    CREATE FUNCTION begin_invoice_count() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO invoice_count (company_id) VALUES (NEW.id);
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER company_invoice_count AFTER INSERT ON company
    FOR EACH ROW EXECUTE FUNCTION begin_invoice_count()`.execute(db);

  await sql`
    CREATE TYPE invoice_change AS (
      company_id bigint, status text, delivery_status text, change bigint
    )`.execute(db);
  await sql`
    CREATE FUNCTION add_invoice_counts(changes invoice_change[]) RETURNS void LANGUAGE sql AS $$
      UPDATE invoice_count SET
        drafts = invoice_count.drafts + delta.drafts,
        registered = invoice_count.registered + delta.registered,
        paid = invoice_count.paid + delta.paid,
        cancelled = invoice_count.cancelled + delta.cancelled,
        sent = invoice_count.sent + delta.sent
      FROM (
        SELECT company_id,
          COALESCE(sum(change) FILTER (WHERE status = 'DRAFT'), 0) AS drafts,
          COALESCE(sum(change) FILTER (WHERE status = 'REGISTERED'), 0) AS registered,
          COALESCE(sum(change) FILTER (WHERE status = 'PAID'), 0) AS paid,
          COALESCE(sum(change) FILTER (WHERE status = 'CANCELLED'), 0) AS cancelled,
          COALESCE(sum(change) FILTER (WHERE delivery_status = 'SENT'), 0) AS sent
        FROM unnest(changes) GROUP BY company_id
      ) delta
      WHERE invoice_count.company_id = delta.company_id
        AND (delta.drafts, delta.registered, delta.paid, delta.cancelled, delta.sent)
          <> (0, 0, 0, 0, 0)
    $$`.execute(db);

  // Transition tables differ by event; a branch is planned only when it runs.
  await sql`
    CREATE FUNCTION count_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        PERFORM add_invoice_counts(array_agg(row.changed)) FROM (${counted('after_rows', 1)}) row;
      ELSIF TG_OP = 'DELETE' THEN
        PERFORM add_invoice_counts(array_agg(row.changed)) FROM (${counted('before_rows', -1)}) row;
      ELSE
        PERFORM add_invoice_counts(array_agg(row.changed)) FROM (
          ${counted('after_rows', 1)} UNION ALL ${counted('before_rows', -1)}
        ) row;
      END IF;
      RETURN NULL;
    END $$`.execute(db);
  for (const [event, tables] of [
    ['INSERT', 'NEW TABLE AS after_rows'],
    ['DELETE', 'OLD TABLE AS before_rows'],
    ['UPDATE', 'OLD TABLE AS before_rows NEW TABLE AS after_rows'],
  ] as const) {
    await sql`
      CREATE TRIGGER ${sql.raw(`invoice_count_${event.toLowerCase()}`)}
      AFTER ${sql.raw(event)} ON invoice REFERENCING ${sql.raw(tables)}
      FOR EACH STATEMENT EXECUTE FUNCTION count_invoices()`.execute(db);
  }
}

function counted(table: string, sign: 1 | -1) {
  return sql.raw(`SELECT ROW(company_id, status, COALESCE(delivery_status, ''),
    ${sign} * count(*))::invoice_change AS changed
    FROM ${table} GROUP BY company_id, status, delivery_status`);
}
