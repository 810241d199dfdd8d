import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0161: documents, attachments, history and deliveries of quotes, and what invoices took of them. */
export const quotePapers: Migration = {
  up: async (db) => {
    await createDocuments(db);
    await createAttachments(db);
    await createEvents(db);
    await createParts(db);
  },
};

async function createDocuments(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE quote_document (
      company_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      uuid uuid NOT NULL DEFAULT gen_random_uuid(),
      quote_id bigint NOT NULL,
      revision integer NOT NULL,
      kind text NOT NULL CHECK (kind IN ('QUOTE', 'ORDER_CONFIRMATION')),
      version smallint NOT NULL CHECK (version > 0),
      -- JSON.
      text text NOT NULL,
      logo bytea,
      created_at timestamptz NOT NULL DEFAULT now(),
      -- Its PDF, once it was made: the bytes stand in 'content', or in S3 under a key made of this row.
      sha256 bytea CHECK (length(sha256) = 32),
      home text,
      content bytea,
      PRIMARY KEY (company_id, id),
      CONSTRAINT quote_document_uuid UNIQUE (company_id, uuid),
      CONSTRAINT quote_document_once UNIQUE (company_id, quote_id, revision, kind),
      FOREIGN KEY (company_id, quote_id, revision) REFERENCES quote_revision (company_id, quote_id, revision),
      CONSTRAINT quote_document_logo FOREIGN KEY (company_id, logo) REFERENCES company_logo (company_id, sha256),
      CONSTRAINT quote_document_home CHECK ((sha256 IS NULL) = (home IS NULL) AND
        CASE home WHEN 'DATABASE' THEN content IS NOT NULL AND sha256(content) = sha256
          WHEN 'S3' THEN content IS NULL ELSE home IS NULL AND content IS NULL END))`.execute(db);
  await sql`ALTER TABLE quote_document ALTER COLUMN content SET STORAGE EXTERNAL`.execute(db);
  await sql`CREATE INDEX quote_document_of_logo ON quote_document (company_id, logo) WHERE logo IS NOT NULL`.execute(
    db,
  );
  await sql`
    CREATE FUNCTION keep_quote_document() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'UPDATE' OR (to_jsonb(NEW) - '{home,content,sha256}'::text[])
        IS DISTINCT FROM (to_jsonb(OLD) - '{home,content,sha256}'::text[])
        OR OLD.sha256 IS NOT NULL AND (NEW.sha256 IS DISTINCT FROM OLD.sha256 OR NEW.home = OLD.home)
      THEN
        RAISE EXCEPTION 'a document is kept as it was issued' USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER quote_document_kept BEFORE DELETE OR UPDATE ON quote_document
      FOR EACH ROW EXECUTE FUNCTION keep_quote_document()`.execute(db);
}

async function createAttachments(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE quote_attachment (
      company_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      uuid uuid NOT NULL DEFAULT gen_random_uuid(),
      quote_id bigint NOT NULL,
      revision integer NOT NULL,
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      media_type text NOT NULL,
      size integer NOT NULL CHECK (size BETWEEN 1 AND 5242880),
      sha256 bytea NOT NULL CHECK (length(sha256) = 32),
      home text NOT NULL DEFAULT 'DATABASE',
      content bytea,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (company_id, id),
      CONSTRAINT quote_attachment_uuid UNIQUE (company_id, uuid),
      CONSTRAINT quote_attachment_name UNIQUE (company_id, quote_id, revision, name),
      FOREIGN KEY (company_id, quote_id, revision)
        REFERENCES quote_revision (company_id, quote_id, revision) ON DELETE CASCADE,
      CONSTRAINT quote_attachment_content CHECK (sha256(content) = sha256 AND length(content) = size),
      CONSTRAINT quote_attachment_home CHECK (
        CASE home WHEN 'DATABASE' THEN content IS NOT NULL WHEN 'S3' THEN content IS NULL ELSE false END))`.execute(
    db,
  );
  await sql`ALTER TABLE quote_attachment ALTER COLUMN content SET STORAGE EXTERNAL`.execute(db);
  await sql`
    CREATE FUNCTION keep_quote_attachment() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- A file may move between the database and S3, as the same bytes.
      IF NEW.home = OLD.home OR (to_jsonb(NEW) - '{home,content}'::text[])
        IS DISTINCT FROM (to_jsonb(OLD) - '{home,content}'::text[])
      THEN
        RAISE EXCEPTION 'an attachment never changes' USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER quote_attachment_same BEFORE UPDATE ON quote_attachment
      FOR EACH ROW EXECUTE FUNCTION keep_quote_attachment()`.execute(db);
  await sql`
    CREATE TRIGGER quote_attachment_kept BEFORE INSERT OR DELETE ON quote_attachment
      FOR EACH ROW EXECUTE FUNCTION keep_quote_part()`.execute(db);
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE quote_event (
      company_id bigint NOT NULL,
      quote_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      at timestamptz NOT NULL DEFAULT statement_timestamp(),
      kind text NOT NULL CHECK (kind IN ('CREATED', 'CHANGED', 'SENT', 'FAILED', 'REVISED', 'ACCEPTED',
        'DECLINED', 'WITHDRAWN', 'INVOICED')),
      by_type text NOT NULL CHECK (by_type IN ('ACCOUNT', 'TOKEN', 'STAFF', 'SYSTEM', 'CUSTOMER')),
      by_name text NOT NULL,
      details jsonb NOT NULL CHECK (jsonb_typeof(details) = 'object'),
      PRIMARY KEY (company_id, quote_id, id),
      FOREIGN KEY (company_id, quote_id) REFERENCES quote (company_id, id) ON DELETE CASCADE)`.execute(
    db,
  );
  await sql`
    CREATE FUNCTION keep_quote_history() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- The history of a deleted draft goes with it.
      IF TG_OP = 'DELETE' AND NOT (SELECT count(*) > 0 FROM quote
        WHERE company_id = OLD.company_id AND id = OLD.quote_id)
      THEN
        RETURN OLD;
      END IF;
      RAISE EXCEPTION 'history never changes' USING ERRCODE = 'check_violation';
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER quote_event_kept BEFORE DELETE OR UPDATE ON quote_event
      FOR EACH ROW EXECUTE FUNCTION keep_quote_history()`.execute(db);
  await sql`
    CREATE TABLE quote_delivery (
      company_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      uuid uuid NOT NULL DEFAULT gen_random_uuid(),
      document_id bigint NOT NULL,
      -- [{ address, status, reason }]
      recipients jsonb NOT NULL,
      sent_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (company_id, id),
      CONSTRAINT quote_delivery_uuid UNIQUE (company_id, uuid),
      FOREIGN KEY (company_id, document_id) REFERENCES quote_document (company_id, id),
      CONSTRAINT quote_delivery_recipients CHECK (jsonb_array_length(recipients) > 0))`.execute(db);
  await sql`CREATE INDEX quote_delivery_of_document ON quote_delivery (company_id, document_id, id)`.execute(
    db,
  );
}

async function createParts(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE quote_part (
      company_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      quote_id bigint NOT NULL,
      line_id bigint NOT NULL,
      invoice_id bigint NOT NULL,
      -- Øre without VAT.
      net bigint NOT NULL,
      -- As asked for: hundredths of a percent, or thousandths of the unit. Null of what was left.
      percent integer CHECK (percent BETWEEN 1 AND 10000),
      quantity bigint CHECK (quantity > 0),
      PRIMARY KEY (company_id, id),
      FOREIGN KEY (company_id, quote_id) REFERENCES quote (company_id, id),
      FOREIGN KEY (company_id, line_id) REFERENCES quote_line (company_id, id),
      FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id) ON DELETE CASCADE,
      CONSTRAINT quote_part_asked CHECK (percent IS NULL OR quantity IS NULL))`.execute(db);
  await sql`CREATE INDEX quote_part_of_quote ON quote_part (company_id, quote_id, line_id)`.execute(
    db,
  );
  await sql`CREATE INDEX quote_part_of_invoice ON quote_part (company_id, invoice_id)`.execute(db);
}
