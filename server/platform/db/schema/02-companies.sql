-- A company's profile, bank accounts, KID agreement and logo.

-- An update of what people edit compares the version that it is based on. The database counts it, whoever writes.
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END
$$;

CREATE TABLE company (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  -- One of its owners.
  account_id bigint NOT NULL REFERENCES account (id),
  company_name text,
  org_number text,
  vat_registered boolean,
  foretaksregisteret boolean,
  email text,
  billing_address1 text,
  billing_address2 text,
  billing_postal_code text,
  billing_city text,
  default_message text,
  default_vat_treatment text,
  version integer NOT NULL DEFAULT 1,
  -- Counters and the end of the chain of documents, which nobody edits.
  start_invoice_number bigint NOT NULL DEFAULT 1 CHECK (start_invoice_number BETWEEN 1 AND 999999999),
  has_created_invoice boolean NOT NULL DEFAULT false,
  last_invoice_number bigint,
  last_document_hash bytea,
  last_customer_number integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER version BEFORE UPDATE OF company_name, org_number, vat_registered, foretaksregisteret, email,
    billing_address1, billing_address2, billing_postal_code, billing_city, default_message,
    start_invoice_number ON company
  FOR EACH ROW EXECUTE FUNCTION count_version();

CREATE FUNCTION keep_start_invoice_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.has_created_invoice AND (
    NEW.start_invoice_number <> OLD.start_invoice_number OR NOT NEW.has_created_invoice
  ) THEN
    RAISE EXCEPTION 'the start number is fixed once an invoice has been created'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER company_start_number BEFORE UPDATE OF start_invoice_number, has_created_invoice ON company
  FOR EACH ROW EXECUTE FUNCTION keep_start_invoice_number();

CREATE TABLE bank_account (
  company_id bigint NOT NULL REFERENCES company (id) ON DELETE CASCADE,
  "position" integer NOT NULL,
  bank_account_number text NOT NULL CHECK (bank_account_number ~ '^[0-9]{11}$'),
  is_primary boolean NOT NULL,
  PRIMARY KEY (company_id, "position"),
  UNIQUE (company_id, bank_account_number)
);
CREATE UNIQUE INDEX bank_account_one_primary ON bank_account (company_id) WHERE is_primary;

CREATE TABLE kid_agreement (
  company_id bigint PRIMARY KEY REFERENCES company (id) ON DELETE CASCADE,
  account text NOT NULL,
  length integer NOT NULL CHECK (length BETWEEN 4 AND 25),
  modulus text NOT NULL CHECK (modulus IN ('MOD10', 'MOD11')),
  version integer NOT NULL DEFAULT 1,
  -- Saving a profile writes its accounts anew, so the reference is checked at the commit.
  FOREIGN KEY (company_id, account) REFERENCES bank_account (company_id, bank_account_number)
    DEFERRABLE INITIALLY DEFERRED
);
CREATE TRIGGER version BEFORE UPDATE ON kid_agreement
  FOR EACH ROW EXECUTE FUNCTION count_version();

-- A document keeps the logo that it was issued with, so a replaced logo stays while a document names it.
CREATE TABLE company_logo (
  company_id bigint NOT NULL REFERENCES company (id) ON DELETE CASCADE,
  sha256 bytea NOT NULL,
  -- A PNG that we made.
  content bytea NOT NULL CHECK (length(content) <= 1000000),
  -- New documents get this logo.
  is_current boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, sha256),
  CONSTRAINT company_logo_sha256 CHECK (sha256 = sha256(content))
);
CREATE UNIQUE INDEX company_logo_current ON company_logo (company_id) WHERE is_current;

CREATE FUNCTION forget_unused_logo() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The lock waits for a transaction that issues a document with this logo; the next statement sees that document.
  PERFORM FROM company_logo WHERE company_id = OLD.company_id AND sha256 = OLD.sha256 FOR UPDATE;
  DELETE FROM company_logo
  WHERE company_id = OLD.company_id AND sha256 = OLD.sha256 AND NOT is_current
    AND NOT EXISTS (
      SELECT FROM document WHERE company_id = OLD.company_id AND logo = OLD.sha256);
  RETURN NULL;
END
$$;
CREATE TRIGGER company_logo_unused AFTER UPDATE ON company_logo
  FOR EACH ROW WHEN (OLD.is_current AND NOT NEW.is_current) EXECUTE FUNCTION forget_unused_logo();
