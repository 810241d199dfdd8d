-- Files that are sent along with an invoice. Those of a registered invoice never change, and its document names them.
-- Sizes are in bytes; the limits are those of `ATTACHMENT_LIMITS`.

CREATE TABLE attachment (
  company_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  invoice_id bigint NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  media_type text NOT NULL,
  size integer NOT NULL CHECK (size BETWEEN 1 AND 5242880),
  sha256 bytea NOT NULL CHECK (length(sha256) = 32),
  -- The bytes stand in `content`, or in S3 under a key made of this row.
  home text NOT NULL DEFAULT 'DATABASE',
  content bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, uuid),
  UNIQUE (company_id, invoice_id, name),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id) ON DELETE CASCADE,
  CONSTRAINT attachment_content CHECK (sha256(content) = sha256 AND length(content) = size),
  CONSTRAINT attachment_home CHECK (
    CASE home WHEN 'DATABASE' THEN content IS NOT NULL WHEN 'S3' THEN content IS NULL ELSE false END)
);
-- Pictures, PDF and spreadsheets are compressed already.
ALTER TABLE attachment ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE FUNCTION keep_attachment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE parent invoice;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    -- A file may move between the database and S3, as the same bytes.
    IF NEW.home = OLD.home OR (to_jsonb(NEW) - '{home,content}'::text[])
      IS DISTINCT FROM (to_jsonb(OLD) - '{home,content}'::text[])
    THEN
      RAISE EXCEPTION 'an attachment never changes' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  -- Waits for whoever registers the invoice, or adds to it.
  SELECT * INTO parent FROM invoice
  WHERE company_id = COALESCE(NEW.company_id, OLD.company_id)
    AND id = COALESCE(NEW.invoice_id, OLD.invoice_id) FOR NO KEY UPDATE;
  IF parent.status <> 'DRAFT' THEN
    RAISE EXCEPTION 'the attachments of a registered invoice never change'
      USING ERRCODE = 'check_violation';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  IF (SELECT count(*) >= 10 OR sum(size) + NEW.size > 9437184 FROM attachment
    WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id)
  THEN
    RAISE EXCEPTION 'an invoice has at most ten attachments of 9 MB in all'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER attachment_kept BEFORE INSERT OR DELETE OR UPDATE ON attachment
  FOR EACH ROW EXECUTE FUNCTION keep_attachment();
CREATE TRIGGER attachment_not_truncated BEFORE TRUNCATE ON attachment
  FOR EACH STATEMENT EXECUTE FUNCTION keep_invoices();

-- Quotation marks that people write are escaped in JSON, so a text cannot name a file by chance.
CREATE FUNCTION name_attachments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM added JOIN attachment ON attachment.company_id = added.company_id
      AND attachment.invoice_id = added.invoice_id
    WHERE added.kind = 'INVOICE'
      AND position('"sha256":"' || encode(attachment.sha256, 'hex') || '"' IN added.content) = 0)
  THEN
    RAISE EXCEPTION 'the document of an invoice would be without its attachments'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER document_attachments AFTER INSERT ON document
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION name_attachments();
