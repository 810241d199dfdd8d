import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0160: quotes, their revisions and lines (decision 48). */
export const quotes: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE company ADD COLUMN default_quote_terms text
        CONSTRAINT company_default_quote_terms CHECK (length(default_quote_terms) BETWEEN 1 AND 4000)`.execute(
      db,
    );
    await createQuotes(db);
    await createLines(db);
  },
};

async function createQuotes(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE quote (
      company_id bigint NOT NULL REFERENCES company (id),
      id bigint GENERATED ALWAYS AS IDENTITY,
      uuid uuid NOT NULL DEFAULT gen_random_uuid(),
      -- Given at the first sending.
      quote_number integer CHECK (quote_number > 0),
      state text NOT NULL DEFAULT 'DRAFT'
        CHECK (state IN ('DRAFT', 'SENT', 'ACCEPTED', 'DECLINED', 'WITHDRAWN')),
      -- The newest revision, and the newest one that was sent.
      revision integer NOT NULL DEFAULT 1 CHECK (revision > 0),
      sent_revision integer,
      -- The state of the sent revision while there is the draft of a further one.
      sent_state text CHECK (sent_state IN ('SENT', 'DECLINED')),
      -- The last day on which the sent revision can be answered.
      sent_valid_until date,
      -- How much of the lines was taken to invoices, and its sum in øre without VAT.
      invoiced text NOT NULL DEFAULT 'NONE' CHECK (invoiced IN ('NONE', 'PART', 'ALL')),
      invoiced_net bigint NOT NULL DEFAULT 0,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (company_id, id),
      CONSTRAINT quote_uuid UNIQUE (company_id, uuid),
      CONSTRAINT quote_number_once UNIQUE (company_id, quote_number),
      CONSTRAINT quote_sent CHECK ((quote_number IS NULL) = (sent_revision IS NULL)
        AND (sent_revision IS NULL) = (sent_valid_until IS NULL)
        AND (state = 'DRAFT' OR sent_revision = revision)),
      CONSTRAINT quote_sent_state CHECK (
        CASE WHEN state = 'DRAFT' THEN (sent_state IS NULL) = (sent_revision IS NULL)
          AND (sent_revision IS NULL OR sent_revision < revision)
        ELSE sent_state IS NULL END),
      CONSTRAINT quote_invoiced CHECK (state = 'ACCEPTED' OR (invoiced = 'NONE' AND invoiced_net = 0)))`.execute(
    db,
  );
  await sql`CREATE INDEX quote_state ON quote (company_id, state, id DESC) INCLUDE (sent_valid_until, invoiced)`.execute(
    db,
  );
  await sql`
    CREATE TRIGGER version BEFORE UPDATE ON quote
      FOR EACH ROW EXECUTE FUNCTION count_version()`.execute(db);
  await sql`
    CREATE FUNCTION keep_quote() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'DRAFT' OR NEW.quote_number IS NOT NULL THEN
          RAISE EXCEPTION 'a quote begins as a draft' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
      END IF;
      IF TG_OP = 'DELETE' THEN
        IF OLD.quote_number IS NOT NULL THEN
          RAISE EXCEPTION 'a quote that was sent is never deleted' USING ERRCODE = 'check_violation';
        END IF;
        RETURN OLD;
      END IF;
      IF (NEW.company_id, NEW.id, NEW.uuid) IS DISTINCT FROM (OLD.company_id, OLD.id, OLD.uuid)
        OR OLD.quote_number <> NEW.quote_number OR OLD.quote_number IS NOT NULL AND NEW.quote_number IS NULL
      THEN
        RAISE EXCEPTION 'a quote keeps its number' USING ERRCODE = 'check_violation';
      END IF;
      -- The caller holds the company.
      IF OLD.quote_number IS NULL AND NEW.quote_number IS NOT NULL AND NEW.quote_number <> COALESCE(
        (SELECT max(quote_number) FROM quote WHERE company_id = NEW.company_id), 0) + 1
      THEN
        RAISE EXCEPTION 'the numbers of quotes would have a gap' USING ERRCODE = 'check_violation';
      END IF;
      IF NEW.state <> OLD.state AND NOT (CASE OLD.state
        WHEN 'DRAFT' THEN NEW.state = 'SENT' OR OLD.sent_revision IS NOT NULL AND NEW.state IN ('ACCEPTED', 'DECLINED')
        WHEN 'SENT' THEN true
        WHEN 'DECLINED' THEN NEW.state IN ('DRAFT', 'ACCEPTED')
        ELSE false END)
      THEN
        RAISE EXCEPTION 'a quote that is % cannot become %', OLD.state, NEW.state
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER quote_kept BEFORE INSERT OR DELETE OR UPDATE ON quote
      FOR EACH ROW EXECUTE FUNCTION keep_quote()`.execute(db);
  await sql`
    CREATE TABLE quote_revision (
      company_id bigint NOT NULL,
      quote_id bigint NOT NULL,
      revision integer NOT NULL CHECK (revision > 0),
      -- Null once the customer was deleted.
      customer_id bigint,
      price_kind text NOT NULL CHECK (price_kind IN ('FIXED', 'ESTIMATE', 'INDICATION')),
      valid_until date NOT NULL,
      title text CHECK (length(title) BETWEEN 1 AND 255),
      reference text CHECK (length(reference) BETWEEN 1 AND 100),
      message text CHECK (length(message) BETWEEN 1 AND 1000),
      terms text CHECK (length(terms) BETWEEN 1 AND 4000),
      confirm_by_code boolean NOT NULL,
      -- Øre.
      net_amount bigint NOT NULL,
      vat_amount bigint NOT NULL,
      gross_amount bigint NOT NULL,
      -- Written by the server, as that of a customer.
      search_text text NOT NULL,
      -- Frozen when it is sent.
      sent_at timestamptz,
      buyer jsonb,
      is_private boolean,
      -- The answer that holds.
      answer text CHECK (answer IN ('ACCEPTED', 'DECLINED')),
      answered_how text CHECK (answered_how IN ('LINK', 'HAND')),
      answered_at timestamptz,
      answered_by text CHECK (length(answered_by) BETWEEN 1 AND 100),
      answer_note text CHECK (length(answer_note) BETWEEN 1 AND 1000),
      PRIMARY KEY (company_id, quote_id, revision),
      FOREIGN KEY (company_id, quote_id) REFERENCES quote (company_id, id) ON DELETE CASCADE,
      FOREIGN KEY (company_id, customer_id) REFERENCES customer (company_id, id) ON DELETE SET NULL (customer_id),
      CONSTRAINT quote_revision_customer CHECK (sent_at IS NOT NULL OR customer_id IS NOT NULL),
      CONSTRAINT quote_revision_sum CHECK (net_amount + vat_amount = gross_amount),
      CONSTRAINT quote_revision_sent CHECK ((sent_at IS NULL) = (buyer IS NULL)
        AND (sent_at IS NULL) = (is_private IS NULL) AND (sent_at IS NULL OR gross_amount >= 0)),
      CONSTRAINT quote_revision_answer CHECK (
        CASE WHEN answer IS NULL
          THEN answered_how IS NULL AND answered_at IS NULL AND answered_by IS NULL AND answer_note IS NULL
        ELSE sent_at IS NOT NULL AND answered_how IS NOT NULL AND answered_at IS NOT NULL END))`.execute(
    db,
  );
  await sql`CREATE INDEX quote_revision_customer ON quote_revision (company_id, customer_id, quote_id)`.execute(
    db,
  );
  await sql`CREATE INDEX quote_revision_search ON quote_revision USING gin (company_id, search_text gin_trgm_ops)`.execute(
    db,
  );
  // A quote is accepted once.
  await sql`
    CREATE UNIQUE INDEX quote_accepted_once ON quote_revision (company_id, quote_id)
      WHERE answer = 'ACCEPTED'`.execute(db);
  await sql`
    CREATE FUNCTION keep_quote_revision() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      answers constant text[] := '{customer_id,answer,answered_how,answered_at,answered_by,answer_note}';
    BEGIN
      IF OLD.sent_at IS NULL THEN RETURN COALESCE(NEW, OLD); END IF;
      IF TG_OP = 'DELETE' OR (to_jsonb(NEW) - answers) IS DISTINCT FROM (to_jsonb(OLD) - answers)
        OR NEW.customer_id IS NOT NULL AND NEW.customer_id IS DISTINCT FROM OLD.customer_id
      THEN
        RAISE EXCEPTION 'a quote is kept as it was sent' USING ERRCODE = 'check_violation';
      END IF;
      IF OLD.answer = 'ACCEPTED' AND (NEW.answer, NEW.answered_how, NEW.answered_at, NEW.answered_by, NEW.answer_note)
        IS DISTINCT FROM (OLD.answer, OLD.answered_how, OLD.answered_at, OLD.answered_by, OLD.answer_note)
        OR OLD.answer = 'DECLINED' AND NEW.answer IS NULL
      THEN
        RAISE EXCEPTION 'the answer to a quote is kept' USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER quote_revision_kept BEFORE DELETE OR UPDATE ON quote_revision
      FOR EACH ROW EXECUTE FUNCTION keep_quote_revision()`.execute(db);
}

async function createLines(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE quote_line (
      company_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      quote_id bigint NOT NULL,
      revision integer NOT NULL,
      position integer NOT NULL,
      quantity bigint NOT NULL,
      thousandths smallint NOT NULL DEFAULT 0,
      unit text,
      description text NOT NULL,
      net_unit_amount bigint NOT NULL,
      vat_rate integer NOT NULL,
      vat_treatment text NOT NULL,
      product_number text,
      PRIMARY KEY (company_id, id),
      FOREIGN KEY (company_id, quote_id, revision)
        REFERENCES quote_revision (company_id, quote_id, revision) ON DELETE CASCADE,
      CONSTRAINT quote_line_quantity CHECK (quantity >= 0 AND (thousandths BETWEEN 0 AND 999)
        AND (quantity <> 0 OR thousandths <> 0) AND (thousandths = 0 OR unit IS NOT NULL)),
      CONSTRAINT quote_line_unit CHECK (unit ~ '^[0-9A-Z]{2,3}$'),
      CONSTRAINT quote_line_product CHECK (length(product_number) BETWEEN 1 AND 20),
      CONSTRAINT quote_line_vat CHECK ((vat_treatment = 'STANDARD' AND vat_rate = 25)
        OR (vat_treatment = 'FOOD' AND vat_rate = 15) OR (vat_treatment = 'REDUCED' AND vat_rate IN (6, 12))
        OR (vat_treatment IN ('EXEMPT', 'EXPORT', 'OUTSIDE', 'REVERSE', 'NOT_REGISTERED') AND vat_rate = 0)))`.execute(
    db,
  );
  await sql`CREATE INDEX quote_line_of_revision ON quote_line (company_id, quote_id, revision, position)`.execute(
    db,
  );
  await sql`
    CREATE FUNCTION keep_quote_part() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      changed record := COALESCE(NEW, OLD);
    BEGIN
      -- A line never moves to another revision.
      IF TG_OP = 'UPDATE' AND (OLD.quote_id, OLD.revision) IS DISTINCT FROM (NEW.quote_id, NEW.revision)
        OR (SELECT sent_at IS NOT NULL FROM quote_revision WHERE company_id = changed.company_id
        AND quote_id = changed.quote_id AND revision = changed.revision)
      THEN
        RAISE EXCEPTION 'a quote is kept as it was sent' USING ERRCODE = 'check_violation';
      END IF;
      RETURN changed;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER quote_line_kept BEFORE INSERT OR DELETE OR UPDATE ON quote_line
      FOR EACH ROW EXECUTE FUNCTION keep_quote_part()`.execute(db);
}
