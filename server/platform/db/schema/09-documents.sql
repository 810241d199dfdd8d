-- Issued documents: invoices, credit notes and reminders. Invoices and credit notes form a chain of hashes in the
-- order of
-- their numbers; reminders are neither numbered nor chained.

CREATE TABLE document (
  company_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  invoice_id bigint NOT NULL,
  version smallint NOT NULL CHECK (version > 0),
  -- The text whose bytes are hashed, after those of the previous hash.
  content text NOT NULL,
  logo bytea,
  previous_hash bytea CHECK (length(previous_hash) = 32),
  hash bytea CHECK (length(hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, uuid),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id),
  CONSTRAINT document_logo FOREIGN KEY (company_id, logo) REFERENCES company_logo (company_id, sha256),
  CONSTRAINT document_chained CHECK (
    CASE kind WHEN 'REMINDER' THEN hash IS NULL AND previous_hash IS NULL ELSE hash IS NOT NULL END),
  CONSTRAINT document_kind CHECK (kind IN ('INVOICE', 'CREDIT_NOTE', 'REMINDER')),
  -- The text names its logo. Quotation marks that people write are escaped in JSON, so they cannot match.
  CONSTRAINT document_names_logo CHECK (logo IS NOT DISTINCT FROM
    decode(substring(content, '"logo":"([0-9a-f]{64})"'), 'hex'))
);
CREATE UNIQUE INDEX document_of_invoice ON document (company_id, invoice_id) WHERE kind IN ('INVOICE', 'CREDIT_NOTE');
CREATE INDEX document_of_logo ON document (company_id, logo) WHERE logo IS NOT NULL;

-- Nothing is registered without a document (DOC-2). Checked at the commit: the number is given first, and its document
-- after it.
CREATE FUNCTION require_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM document
    WHERE company_id = NEW.company_id AND invoice_id = NEW.id
      AND kind IN ('INVOICE', 'CREDIT_NOTE'))
  THEN
    RAISE EXCEPTION 'invoice % was registered without a document', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER invoice_issued AFTER UPDATE ON invoice DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.status = 'DRAFT' AND NEW.status <> 'DRAFT') EXECUTE FUNCTION require_document();

-- Documents name the message from version 3 on.
CREATE FUNCTION keep_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM added
    JOIN invoice ON invoice.company_id = added.company_id AND invoice.id = added.invoice_id
    WHERE added.kind = 'INVOICE' AND added.version < 3
      AND invoice.message IS NOT NULL)
  THEN
    RAISE EXCEPTION 'the document of an invoice would be without its message'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER document_message AFTER INSERT ON document
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_message();

-- New documents continue the company's chain up to the last number given; the company then records the chain's new
-- end.
CREATE FUNCTION extend_chain() RETURNS trigger LANGUAGE plpgsql AS $$
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
END
$$;
CREATE TRIGGER document_chain AFTER INSERT ON document
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION extend_chain();

CREATE TABLE document_file (
  company_id bigint NOT NULL,
  document_id bigint NOT NULL,
  format text NOT NULL,
  sha256 bytea NOT NULL,
  -- The bytes stand in `content`, or in S3 under a key made of this row.
  home text NOT NULL DEFAULT 'DATABASE',
  content bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, document_id, format),
  FOREIGN KEY (company_id, document_id) REFERENCES document (company_id, id),
  CONSTRAINT document_file_home CHECK (
    CASE home WHEN 'DATABASE' THEN content IS NOT NULL WHEN 'S3' THEN content IS NULL ELSE false END),
  CONSTRAINT sent_document_format_check CHECK (format IN ('PDF', 'EHF')),
  CONSTRAINT sent_document_sha256_check CHECK (length(sha256) = 32)
);
-- PDFs are compressed already.
ALTER TABLE document_file ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE FUNCTION keep_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a document is kept as it was issued' USING ERRCODE = 'check_violation';
END
$$;
CREATE TRIGGER document_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON document
  FOR EACH STATEMENT EXECUTE FUNCTION keep_documents();
CREATE TRIGGER document_file_kept BEFORE DELETE OR TRUNCATE ON document_file
  FOR EACH STATEMENT EXECUTE FUNCTION keep_documents();

CREATE FUNCTION move_document_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A file may move between the database and S3, as the same bytes.
  IF NEW.home = OLD.home
    OR (NEW.company_id, NEW.document_id, NEW.format, NEW.sha256, NEW.created_at)
      IS DISTINCT FROM (OLD.company_id, OLD.document_id, OLD.format, OLD.sha256, OLD.created_at)
    OR sha256(NEW.content) <> NEW.sha256
  THEN
    RAISE EXCEPTION 'a document is kept as it was issued' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER document_file_moved BEFORE UPDATE ON document_file
  FOR EACH ROW EXECUTE FUNCTION move_document_file();
