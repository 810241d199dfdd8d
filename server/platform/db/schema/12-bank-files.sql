-- Files of the bank, and their entries. Amounts are øre; negative takes back.

CREATE TABLE bank_file (
  company_id bigint NOT NULL REFERENCES company (id),
  id bigint GENERATED ALWAYS AS IDENTITY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
  name text NOT NULL,
  format text NOT NULL CHECK (format IN ('OCR', 'CAMT054', 'CAMT053')),
  -- INCOMPLETE: its entries are being added or removed; nobody sees the file.
  state text NOT NULL CHECK (state IN ('INCOMPLETE', 'PREVIEW', 'BOOKING', 'BOOKED', 'UNDOING', 'UNDONE')),
  accounts text[] NOT NULL,
  from_date date,
  to_date date,
  count integer NOT NULL CHECK (count >= 0),
  ignored integer NOT NULL CHECK (ignored >= 0),
  -- Count and sum of the entries of each outcome.
  outcomes jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(outcomes) = 'array'),
  -- The position that booking or undoing has reached.
  done_through integer NOT NULL DEFAULT 0 CHECK (done_through >= 0),
  booked_count integer NOT NULL DEFAULT 0 CHECK (booked_count >= 0),
  -- The person who asked for the undoing that a job finishes.
  undone_by_type text CHECK (undone_by_type IN ('ACCOUNT', 'TOKEN', 'STAFF', 'BANK', 'SYSTEM')),
  undone_by_name text,
  created_at timestamptz NOT NULL DEFAULT now(),
  booked_at timestamptz,
  PRIMARY KEY (company_id, id),
  CONSTRAINT bank_file_check CHECK (state NOT IN ('INCOMPLETE', 'PREVIEW', 'UNDONE') OR booked_count = 0)
);
CREATE INDEX bank_file_incomplete ON bank_file (created_at) WHERE state = 'INCOMPLETE';
CREATE INDEX bank_file_half_done ON bank_file (company_id) WHERE state IN ('BOOKING', 'UNDOING');
CREATE INDEX bank_file_preview ON bank_file (company_id, id) WHERE state = 'PREVIEW';
CREATE UNIQUE INDEX bank_file_read_once ON bank_file (company_id, sha256) WHERE state <> 'INCOMPLETE';

-- kind BATCH: a sum whose parts another file specifies.
CREATE TABLE bank_entry (
  company_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  file_id bigint NOT NULL,
  "position" integer NOT NULL,
  format text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('PAYMENT', 'REVERSAL', 'TOTAL', 'BATCH')),
  date date NOT NULL,
  amount bigint NOT NULL,
  account text NOT NULL,
  kid text,
  kids jsonb,
  invoice_numbers text[],
  text text,
  payer text,
  payer_account_hash bytea,
  reference text,
  -- The line of the account's statement to which the entry belongs.
  line_reference text,
  line_date date NOT NULL,
  line_sum bigint NOT NULL,
  -- `key` says which money it is, `fingerprint` finds entries that look the same.
  key bytea NOT NULL,
  fingerprint bytea NOT NULL,
  occurrence integer NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('EXACT', 'PART', 'OVER', 'SETTLED', 'SUGGESTED', 'UNPLACED',
    'POSSIBLE_COPY', 'KNOWN', 'REVERSAL')),
  invoice_id bigint,
  placements jsonb,
  suggestion jsonb,
  booked_key bytea,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, file_id, "position"),
  FOREIGN KEY (company_id, file_id) REFERENCES bank_file (company_id, id),
  CONSTRAINT bank_entry_check CHECK (booked_key = key)
);
CREATE INDEX bank_entry_alike
  ON bank_entry (company_id, fingerprint, format, date, occurrence)
  WHERE booked_key IS NOT NULL;
-- The same money is booked once (BANK-16).
CREATE UNIQUE INDEX bank_entry_booked_once ON bank_entry (company_id, booked_key) WHERE booked_key IS NOT NULL;
CREATE INDEX bank_entry_line ON bank_entry (company_id, line_date, line_sum, format) WHERE booked_key IS NOT NULL;
CREATE INDEX bank_entry_reference
  ON bank_entry (company_id, reference, amount)
  WHERE booked_key IS NOT NULL AND reference IS NOT NULL;
CREATE INDEX bank_entry_reversal
  ON bank_entry (company_id, account, amount)
  WHERE booked_key IS NOT NULL AND kind = 'REVERSAL';
