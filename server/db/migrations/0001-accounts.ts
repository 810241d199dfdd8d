import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Accounts, how they log in, and the company that each owns. */
export const accounts: Migration = { up, runsBeside: null };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE account (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      email text NOT NULL UNIQUE,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);

  // Codes and tokens are kept as keyed hashes: a copy of the database logs nobody in.
  await sql`
    CREATE TABLE login_challenge (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      email text NOT NULL,
      code_hash bytea NOT NULL,
      token_hash bytea NOT NULL UNIQUE,
      wrong_codes integer NOT NULL DEFAULT 0,
      code_used_at timestamptz,
      token_used_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX login_challenge_email ON login_challenge (email)`.execute(db);
  await sql`CREATE INDEX login_challenge_expiry ON login_challenge (expires_at)`.execute(db);

  await sql`
    CREATE TABLE session (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
      token_hash bytea NOT NULL UNIQUE,
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX session_account ON session (account_id)`.execute(db);
  await sql`CREATE INDEX session_expiry ON session (expires_at)`.execute(db);

  await sql`
    CREATE TABLE api_token (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
      token_hash bytea NOT NULL UNIQUE,
      name text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      last_used_at timestamptz
    )`.execute(db);

  // Counters that every process shares. Losing them in a crash costs nothing, so no WAL.
  await sql`
    CREATE UNLOGGED TABLE rate_limit (
      key text PRIMARY KEY,
      hits integer NOT NULL,
      resets_at timestamptz NOT NULL
    )`.execute(db);

  await sql`
    CREATE TABLE company (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account_id bigint NOT NULL UNIQUE REFERENCES account,
      company_name text,
      org_number text,
      vat_registered boolean,
      foretaksregisteret boolean,
      email text,
      billing_address1 text,
      billing_address2 text,
      billing_postal_code text,
      billing_city text,
      start_invoice_number bigint NOT NULL DEFAULT 1
        CHECK (start_invoice_number BETWEEN 1 AND 999999999),
      has_created_invoice boolean NOT NULL DEFAULT false,
      last_invoice_number bigint,
      last_document_hash bytea,
      last_customer_number integer NOT NULL DEFAULT 0
    )`.execute(db);

  await sql`
    CREATE TABLE bank_account (
      company_id bigint NOT NULL REFERENCES company ON DELETE CASCADE,
      position integer NOT NULL,
      bank_account_number text NOT NULL CHECK (bank_account_number ~ '^[0-9]{11}$'),
      is_primary boolean NOT NULL,
      PRIMARY KEY (company_id, position),
      UNIQUE (company_id, bank_account_number)
    )`.execute(db);
  await sql`
    CREATE UNIQUE INDEX bank_account_one_primary ON bank_account (company_id) WHERE is_primary
  `.execute(db);

  await sql`
    CREATE FUNCTION keep_start_invoice_number() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.has_created_invoice AND (
        NEW.start_invoice_number <> OLD.start_invoice_number OR NOT NEW.has_created_invoice
      ) THEN
        RAISE EXCEPTION 'the start number is fixed once an invoice has been created'
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER company_start_number BEFORE UPDATE OF start_invoice_number, has_created_invoice
    ON company FOR EACH ROW EXECUTE FUNCTION keep_start_invoice_number()`.execute(db);
}
