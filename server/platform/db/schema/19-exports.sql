-- Exports, the parts of their files, and the links that were mailed. The rows of exports are the control trail: they stay
-- when the files are gone. Amounts are øre, less credit notes.

CREATE TABLE export (
  company_id bigint NOT NULL REFERENCES company (id),
  id bigint GENERATED ALWAYS AS IDENTITY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('XLSX', 'CSV', 'GBAT10', 'TWENTYFOURSEVEN', 'UNI', 'SAFT',
    'DOCUMENTS', 'ARCHIVE')),
  state text NOT NULL CHECK (state IN ('WAITING', 'WORKING', 'DONE', 'FAILED')),
  -- The period, or what was exported last.
  from_date date,
  to_date date NOT NULL,
  after_number bigint CHECK (after_number >= 0),
  after_payment_id bigint CHECK (after_payment_id >= 0),
  -- The last day of the export before, if that was of a period: what is dated later is in this one.
  after_date date,
  filter jsonb CHECK (jsonb_typeof(filter) = 'object'),
  -- The moment: the last number and the last payment that there were.
  through_number bigint NOT NULL CHECK (through_number >= 0),
  through_payment_id bigint NOT NULL CHECK (through_payment_id >= 0),
  invoices integer NOT NULL CHECK (invoices >= 0),
  credit_notes integer NOT NULL CHECK (credit_notes >= 0),
  first_number bigint,
  last_number bigint,
  net_amount bigint NOT NULL,
  vat_amount bigint NOT NULL,
  gross_amount bigint NOT NULL,
  by_job boolean NOT NULL,
  -- Counts the makings of the file; the parts of each are apart.
  attempt integer NOT NULL DEFAULT 0 CHECK (attempt >= 0),
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  progress double precision NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
  sha256 bytea CHECK (length(sha256) = 32),
  -- A file may have no bytes: GBAT10 of a period without vouchers.
  size bigint,
  sent_to text,
  by_type text NOT NULL CHECK (by_type IN ('ACCOUNT', 'TOKEN', 'STAFF', 'SYSTEM')),
  by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  deleted_at timestamptz,
  -- When the owner and the accountant were mailed.
  told_at timestamptz,
  link_sent_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, uuid),
  CONSTRAINT export_period CHECK (from_date <= to_date),
  CONSTRAINT export_since CHECK (
    (after_number IS NULL) = (after_payment_id IS NULL)
    AND (after_number IS NULL OR from_date IS NULL) AND (after_date IS NULL OR after_number IS NOT NULL)),
  CONSTRAINT export_numbers CHECK (
    (first_number IS NULL) = (invoices + credit_notes = 0)
    AND (last_number IS NULL) = (first_number IS NULL)
    AND first_number <= last_number AND last_number <= through_number),
  CONSTRAINT export_sums CHECK (gross_amount = net_amount + vat_amount),
  CONSTRAINT export_file CHECK (
    (sha256 IS NULL) = (size IS NULL)
    AND CASE state WHEN 'DONE' THEN NOT by_job OR sha256 IS NOT NULL ELSE sha256 IS NULL END),
  CONSTRAINT export_expiry CHECK ((state = 'DONE') = (expires_at IS NOT NULL))
);
CREATE UNIQUE INDEX export_one_at_a_time ON export (company_id) WHERE state IN ('WAITING', 'WORKING');

-- The numbers that its filter found when it was asked for, since its file is made later.
CREATE TABLE export_listed (
  company_id bigint NOT NULL,
  export_id bigint NOT NULL,
  numbers bigint[] NOT NULL,
  PRIMARY KEY (company_id, export_id),
  FOREIGN KEY (company_id, export_id) REFERENCES export (company_id, id)
);

CREATE TABLE export_part (
  company_id bigint NOT NULL,
  export_id bigint NOT NULL,
  attempt integer NOT NULL CHECK (attempt > 0),
  "position" integer NOT NULL CHECK ("position" > 0),
  size integer NOT NULL CHECK (size BETWEEN 1 AND 4194304),
  -- Parts of plain text are stored packed (raw deflate): 250 MB of SAF-T take 20. Their size is that of the text.
  packed boolean NOT NULL DEFAULT false,
  -- The bytes stand in `content`, or in S3 under a key made of this row.
  home text NOT NULL,
  content bytea,
  PRIMARY KEY (company_id, export_id, attempt, "position"),
  FOREIGN KEY (company_id, export_id) REFERENCES export (company_id, id),
  CONSTRAINT export_part_home CHECK (
    CASE home WHEN 'DATABASE' THEN content IS NOT NULL WHEN 'S3' THEN content IS NULL ELSE false END),
  CONSTRAINT export_part_size CHECK (packed OR length(content) = size)
);
-- Most formats are compressed already.
ALTER TABLE export_part ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE export_link (
  company_id bigint NOT NULL,
  export_id bigint NOT NULL,
  token_hash bytea NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (company_id, export_id) REFERENCES export (company_id, id)
);
CREATE INDEX export_link_export ON export_link (company_id, export_id);

-- The contents of an export never change; its file is named once, when it is whole.
CREATE FUNCTION keep_export() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'an export stays in the control trail' USING ERRCODE = 'check_violation';
  END IF;
  IF (to_jsonb(NEW) -
      '{state,attempt,failures,progress,sha256,size,expires_at,deleted_at,told_at,link_sent_at}'::text[])
    IS DISTINCT FROM (to_jsonb(OLD) -
      '{state,attempt,failures,progress,sha256,size,expires_at,deleted_at,told_at,link_sent_at}'::text[])
    OR NEW.attempt < OLD.attempt
    OR OLD.deleted_at <> NEW.deleted_at OR (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL)
    OR OLD.expires_at IS DISTINCT FROM NEW.expires_at AND OLD.state = 'DONE'
  THEN
    RAISE EXCEPTION 'what was exported never changes' USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.state <> NEW.state AND OLD.state IN ('DONE', 'FAILED') THEN
    RAISE EXCEPTION 'an export cannot go from % to %', OLD.state, NEW.state
      USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.sha256 IS NOT NULL AND (NEW.sha256, NEW.size, NEW.attempt) IS DISTINCT FROM (OLD.sha256, OLD.size, OLD.attempt)
  THEN
    RAISE EXCEPTION 'the file of an export never changes' USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.sha256 IS NULL AND NEW.sha256 IS NOT NULL AND NOT (
    SELECT COALESCE(sum(size), 0) = NEW.size AND COALESCE(max("position"), 0) = count(*) FROM export_part
    WHERE company_id = NEW.company_id AND export_id = NEW.id AND attempt = NEW.attempt)
  THEN
    RAISE EXCEPTION 'the file of an export is not whole' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER export_kept BEFORE DELETE OR UPDATE ON export
  FOR EACH ROW EXECUTE FUNCTION keep_export();
CREATE TRIGGER export_not_emptied BEFORE TRUNCATE ON export
  FOR EACH STATEMENT EXECUTE FUNCTION keep_export();

-- The parts of a whole file stay as they are until it is deleted or expired.
CREATE FUNCTION keep_export_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE parent export;
BEGIN
  SELECT * INTO parent FROM export
  WHERE company_id = COALESCE(NEW.company_id, OLD.company_id)
    AND id = COALESCE(NEW.export_id, OLD.export_id) FOR NO KEY UPDATE;
  IF TG_OP = 'UPDATE' THEN
    RAISE EXCEPTION 'a part of an export never changes' USING ERRCODE = 'check_violation';
  END IF;
  IF TG_OP = 'INSERT' THEN
    IF parent.attempt <> NEW.attempt OR parent.sha256 IS NOT NULL OR parent.state = 'FAILED'
      OR parent.deleted_at IS NOT NULL
    THEN
      RAISE EXCEPTION 'another making of this export goes on' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF parent.sha256 IS NOT NULL AND parent.attempt = OLD.attempt AND parent.deleted_at IS NULL
    AND parent.expires_at > now()
  THEN
    RAISE EXCEPTION 'the file of an export stays until it is deleted or expired'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN OLD;
END
$$;
CREATE TRIGGER export_part_kept BEFORE INSERT OR DELETE OR UPDATE ON export_part
  FOR EACH ROW EXECUTE FUNCTION keep_export_part();

-- The accounts that exports book on, and the accountant. A company that uses the defaults has no row.
CREATE TABLE export_settings (
  company_id bigint PRIMARY KEY REFERENCES company (id) ON DELETE CASCADE,
  -- The accounts that differ from the defaults.
  accounts jsonb NOT NULL CONSTRAINT export_settings_accounts
    CHECK (jsonb_typeof(accounts) = 'object'),
  -- Added to customer numbers in files for Uni.
  customer_offset integer NOT NULL CONSTRAINT export_settings_customer_offset
    CHECK (customer_offset BETWEEN 0 AND 100000000),
  accountant_email text CONSTRAINT export_settings_accountant_email
    CHECK (length(accountant_email) BETWEEN 1 AND 255)
);
