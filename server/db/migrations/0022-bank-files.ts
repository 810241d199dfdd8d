import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * The files of the bank, what they tell, and from which accounts customers have paid. A process of the
 * version before knows none of it.
 */
export const bankFiles: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE bank_file (
      company_id bigint NOT NULL REFERENCES company,
      id bigint GENERATED ALWAYS AS IDENTITY,
      uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
      sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
      name text NOT NULL,
      format text NOT NULL CHECK (format IN ('OCR', 'CAMT054', 'CAMT053')),
      -- INCOMPLETE: its entries are being added or removed, and nobody sees it.
      state text NOT NULL CHECK (
        state IN ('INCOMPLETE', 'PREVIEW', 'BOOKING', 'BOOKED', 'UNDOING', 'UNDONE')),
      accounts text[] NOT NULL,
      from_date date,
      to_date date,
      count integer NOT NULL CHECK (count >= 0),
      ignored integer NOT NULL CHECK (ignored >= 0),
      -- How many entries there are of each outcome, and their sums.
      outcomes jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(outcomes) = 'array'),
      -- Up to which position booking or undoing has come.
      done_through integer NOT NULL DEFAULT 0 CHECK (done_through >= 0),
      booked_count integer NOT NULL DEFAULT 0 CHECK (booked_count >= 0),
      created_at timestamptz NOT NULL DEFAULT now(),
      booked_at timestamptz,
      PRIMARY KEY (company_id, id),
      CHECK (state NOT IN ('INCOMPLETE', 'PREVIEW', 'UNDONE') OR booked_count = 0)
    )`.execute(db);
  // What was cut off while it was read does not stand in the way of reading it again.
  await sql`
    CREATE UNIQUE INDEX bank_file_read_once ON bank_file (company_id, sha256)
    WHERE state <> 'INCOMPLETE'`.execute(db);
  await sql`
    CREATE INDEX bank_file_incomplete ON bank_file (created_at)
    WHERE state = 'INCOMPLETE'`.execute(db);
  await createEntries(db);
  await sql`
    CREATE TABLE payer_account (
      company_id bigint NOT NULL,
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      customer_id bigint NOT NULL,
      PRIMARY KEY (company_id, hash, customer_id),
      FOREIGN KEY (company_id, customer_id) REFERENCES customer (company_id, id) ON DELETE CASCADE
    )`.execute(db);
  await sql`
    CREATE INDEX payer_account_of_customer ON payer_account (company_id, customer_id)
  `.execute(db);
}

async function createEntries(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE bank_entry (
      company_id bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      uuid uuid NOT NULL DEFAULT gen_random_uuid(),
      file_id bigint NOT NULL,
      position integer NOT NULL,
      format text NOT NULL,
      -- BATCH: a sum of which another file says what it consists of.
      kind text NOT NULL CHECK (kind IN ('PAYMENT', 'REVERSAL', 'TOTAL', 'BATCH')),
      date date NOT NULL,
      -- Øre; negative takes back.
      amount bigint NOT NULL,
      account text NOT NULL,
      kid text,
      kids jsonb,
      invoice_numbers text[],
      text text,
      payer text,
      payer_account_hash bytea,
      reference text,
      -- The line of the account's statement that it is part of.
      line_reference text,
      line_date date NOT NULL,
      line_sum bigint NOT NULL,
      -- Which money it is: for certain, and what looks like it.
      key bytea NOT NULL,
      fingerprint bytea NOT NULL,
      occurrence integer NOT NULL,
      outcome text NOT NULL CHECK (outcome IN ('EXACT', 'PART', 'OVER', 'SETTLED', 'SUGGESTED',
        'UNPLACED', 'POSSIBLE_COPY', 'KNOWN', 'REVERSAL')),
      invoice_id bigint,
      placements jsonb,
      suggestion jsonb,
      booked_key bytea CHECK (booked_key = key),
      PRIMARY KEY (company_id, id),
      UNIQUE (company_id, file_id, position),
      FOREIGN KEY (company_id, file_id) REFERENCES bank_file (company_id, id)
    )`.execute(db);
  // The same money is not booked twice.
  await sql`
    CREATE UNIQUE INDEX bank_entry_booked_once ON bank_entry (company_id, booked_key)
    WHERE booked_key IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX bank_entry_alike
    ON bank_entry (company_id, fingerprint, format, date, occurrence)
    WHERE booked_key IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX bank_entry_line ON bank_entry (company_id, line_date, line_sum, format)
    WHERE booked_key IS NOT NULL`.execute(db);
  await sql`
    ALTER TABLE payment ADD CONSTRAINT payment_entry FOREIGN KEY (company_id, entry_id)
      REFERENCES bank_entry (company_id, id) NOT VALID`.execute(db);
}
