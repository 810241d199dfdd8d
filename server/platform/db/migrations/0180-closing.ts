import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/**
 * 0180: companies are closed, and their books deleted once the law allows it. Books stay undeletable but in the
 * transaction that writes what remains of them (CLO-9). A process of the previous version closes nothing.
 */
export const closing: Migration = {
  up: async (db) => {
    await sql`ALTER TABLE company ADD COLUMN closed_at timestamptz`.execute(db);
    await createTables(db);
    await keepBooks(db);
    // A closed company tells nobody of events, such as a bounce that comes late.
    await sql`
      CREATE OR REPLACE FUNCTION webhooks_wanting(company bigint, event text) RETURNS bigint[] LANGUAGE sql STABLE AS $$
        SELECT array_agg(id ORDER BY id) FROM webhook
        WHERE company_id = company AND active AND events && ARRAY[event, '*']
          AND (SELECT event = ANY (types) FROM webhook_switch)
          AND (SELECT closed_at IS NULL FROM company own WHERE own.id = company)
      $$`.execute(db);
  },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE company_closing (
      company_id bigint PRIMARY KEY REFERENCES company (id) ON DELETE CASCADE,
      -- The account's uuid.
      closed_by uuid NOT NULL,
      keep boolean NOT NULL,
      deletes_on date NOT NULL,
      -- The last day on which books that are kept can be read.
      kept_until date,
      books_end_on date NOT NULL GENERATED ALWAYS AS (CASE WHEN kept_until IS NULL THEN deletes_on
        ELSE GREATEST(deletes_on, make_date(extract(year FROM kept_until)::integer + 1, 1, 1)) END) STORED,
      archive_sha256 bytea CHECK (length(archive_sha256) = 32),
      -- When all but the books was deleted, and when the owners were told that the books go.
      stripped_at timestamptz,
      told_at timestamptz,
      CONSTRAINT company_closing_keep CHECK (keep OR (kept_until IS NULL AND stripped_at IS NULL)))`.execute(
    db,
  );
  await sql`
    CREATE TABLE closed_books (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      company_uuid uuid NOT NULL,
      org_number text,
      closed_by uuid NOT NULL,
      deleted_at timestamptz NOT NULL DEFAULT now(),
      first_number bigint,
      last_number bigint,
      last_hash bytea CHECK (length(last_hash) = 32),
      archive_sha256 bytea CHECK (length(archive_sha256) = 32),
      -- The id that the company had. Its rows are deleted in this transaction alone.
      deleted_id bigint NOT NULL UNIQUE,
      deleted_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
      CONSTRAINT closed_books_numbers CHECK (
        (first_number IS NULL) = (last_number IS NULL) AND (last_hash IS NULL) = (last_number IS NULL)))`.execute(
    db,
  );
  // Keys of the object store whose rows are gone.
  await sql`
    CREATE TABLE deleted_object (
      deleted_id bigint NOT NULL,
      key text NOT NULL,
      PRIMARY KEY (deleted_id, key))`.execute(db);
}

/** Triggers that refuse to delete: table, trigger, its function, and what else it is for. */
const KEEPING = [
  ['invoice', 'invoice_frozen', 'freeze_invoice', 'UPDATE'],
  ['invoice_line', 'invoice_line_frozen', 'freeze_invoice_line', 'INSERT OR UPDATE'],
  ['attachment', 'attachment_kept', 'keep_attachment', 'INSERT OR UPDATE'],
  ['history_event', 'history_event_kept', 'keep_history', 'UPDATE'],
  ['payment', 'payment_frozen', 'freeze_payment', 'UPDATE'],
  ['reminder', 'reminder_frozen', 'freeze_reminder', 'UPDATE'],
  ['export', 'export_kept', 'keep_export', 'UPDATE'],
  ['export_part', 'export_part_kept', 'keep_export_part', 'INSERT OR UPDATE'],
  ['export_basis', 'export_basis_kept', 'keep_export_contents', 'UPDATE'],
  ['export_range', 'export_range_kept', 'keep_export_contents', 'UPDATE'],
  ['quote_part', 'quote_part_kept', 'keep_part', 'UPDATE'],
  ['einvoice_evidence', 'einvoice_evidence_kept', 'keep_einvoice_evidence', 'UPDATE'],
] as const;

async function keepBooks(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION keep_closed_books() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE today date := (now() AT TIME ZONE 'Europe/Oslo')::date;
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        RAISE EXCEPTION 'what remains of deleted books never changes' USING ERRCODE = 'check_violation';
      END IF;
      -- A company that never had a number has no books.
      IF NOT EXISTS (
        SELECT FROM company LEFT JOIN company_closing closing ON closing.company_id = company.id
        WHERE company.id = NEW.deleted_id
          AND (closing.books_end_on <= today AND (company.closed_at AT TIME ZONE 'Europe/Oslo')::date + 30 <= today
            OR company.org_number IS NULL AND company.last_invoice_number IS NULL))
      THEN
        RAISE EXCEPTION 'books are deleted once the law allows it' USING ERRCODE = 'check_violation';
      END IF;
      NEW.deleted_in := pg_current_xact_id();
      RETURN NEW;
    END
    $$`.execute(db);
  await sql`CREATE TRIGGER closed_books_kept BEFORE INSERT OR UPDATE OR DELETE ON closed_books
    FOR EACH ROW EXECUTE FUNCTION keep_closed_books()`.execute(db);
  await sql`CREATE TRIGGER closed_books_not_emptied BEFORE TRUNCATE ON closed_books
    FOR EACH STATEMENT EXECUTE FUNCTION keep_closed_books()`.execute(db);
  await sql`
    CREATE FUNCTION is_being_deleted(company bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN EXISTS (SELECT FROM closed_books
        WHERE deleted_id = company AND deleted_in = pg_current_xact_id_if_assigned());
    END
    $$`.execute(db);
  for (const [table, trigger, keeper, others] of KEEPING) {
    await sql`CREATE OR REPLACE TRIGGER ${sql.ref(trigger)} BEFORE ${sql.raw(others)} ON ${sql.table(table)}
      FOR EACH ROW EXECUTE FUNCTION ${sql.ref(keeper)}()`.execute(db);
    await keepFromDeletion(db, table, keeper);
  }
  await sql`CREATE OR REPLACE TRIGGER document_kept BEFORE UPDATE OR TRUNCATE ON document
    FOR EACH STATEMENT EXECUTE FUNCTION keep_documents()`.execute(db);
  await sql`CREATE OR REPLACE TRIGGER document_file_kept BEFORE TRUNCATE ON document_file
    FOR EACH STATEMENT EXECUTE FUNCTION keep_documents()`.execute(db);
  for (const table of ['document', 'document_file']) {
    await keepFromDeletion(db, table, 'keep_documents');
  }
  await letQuotesGo(db);
}

/** The same for quotes, with the column that names the quote. */
const QUOTES = [
  ['quote', 'quote_kept', 'keep_quote', 'INSERT OR UPDATE', 'id'],
  ['quote_revision', 'quote_revision_kept', 'keep_quote_revision', 'UPDATE', 'quote_id'],
  ['quote_line', 'quote_line_kept', 'keep_quote_part', 'INSERT OR UPDATE', 'quote_id'],
  ['quote_document', 'quote_document_kept', 'keep_quote_document', 'UPDATE', 'quote_id'],
  ['quote_attachment', 'quote_attachment_kept', 'keep_quote_part', 'INSERT', 'quote_id'],
  ['quote_event', 'quote_event_kept', 'keep_quote_history', 'UPDATE', 'quote_id'],
] as const;

/** A quote that nobody accepted is no part of the books: it goes with what the law does not ask for (CLO-6). */
async function letQuotesGo(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION is_quote_going(company bigint, quote_of_it bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN is_being_deleted(company)
        OR EXISTS (SELECT FROM company_closing JOIN company closed ON closed.id = company_id
          WHERE company_id = company AND stripped_at IS NULL
            AND deletes_on <= (now() AT TIME ZONE 'Europe/Oslo')::date
            AND (closed.closed_at AT TIME ZONE 'Europe/Oslo')::date + 30 <= (now() AT TIME ZONE 'Europe/Oslo')::date)
        AND NOT EXISTS (SELECT FROM quote
          WHERE company_id = company AND id = quote_of_it AND state = 'ACCEPTED');
    END
    $$`.execute(db);
  for (const [table, trigger, keeper, others, id] of QUOTES) {
    await sql`CREATE OR REPLACE TRIGGER ${sql.ref(trigger)} BEFORE ${sql.raw(others)} ON ${sql.table(table)}
      FOR EACH ROW EXECUTE FUNCTION ${sql.ref(keeper)}()`.execute(db);
    await sql`CREATE TRIGGER ${sql.ref(`${table}_kept_from_deletion`)} BEFORE DELETE ON ${sql.table(table)}
      FOR EACH ROW WHEN (NOT is_quote_going(OLD.company_id, OLD.${sql.ref(id)}))
      EXECUTE FUNCTION ${sql.ref(keeper)}()`.execute(db);
  }
}

async function keepFromDeletion(db: Kysely<unknown>, table: string, keeper: string): Promise<void> {
  await sql`CREATE TRIGGER ${sql.ref(`${table}_kept_from_deletion`)} BEFORE DELETE ON ${sql.table(table)}
    FOR EACH ROW WHEN (NOT is_being_deleted(OLD.company_id)) EXECUTE FUNCTION ${sql.ref(keeper)}()`.execute(
    db,
  );
}

/** 0181: finds what refers to a deleted document or invoice, each at once: without it deleting is quadratic. */
export const closingIndexes: Migration = {
  online: true,
  up: async (db) => {
    await createIndex(db, { name: 'document_invoice', on: sql`document (company_id, invoice_id)` });
    await createIndex(db, {
      name: 'delivery_document',
      on: sql`delivery (company_id, document_id)`,
    });
  },
};
