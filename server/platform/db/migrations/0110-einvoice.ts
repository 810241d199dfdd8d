import { sql } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/**
 * 0110: e-invoices by law. The answers of the network about the buyer of each document are kept as long as it; why an
 * e-invoice was asked for is frozen with the document. A process of the previous version states no reason: those
 * documents are from before 2027.
 */
export const einvoice: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE invoice
        ADD COLUMN einvoice_reason text,
        ADD CONSTRAINT invoice_einvoice_reason CHECK (einvoice_reason IN ('BUYER_PRIVATE', 'BUYER_ABROAD',
          'BUYER_WITHOUT_NUMBER', 'SELLER_EXEMPT', 'BEFORE_2027', 'BUSINESS')) NOT VALID`.execute(
      db,
    );
    await sql`ALTER TABLE customer ADD COLUMN ehf_first boolean NOT NULL DEFAULT true`.execute(db);
    await sql`
      CREATE OR REPLACE TRIGGER version BEFORE UPDATE OF customer_number, name, email, org_number,
        phone_number, address1, address2, postal_code, city, search_text, country, contact_name,
        invoice_emails, reference, due_days, delivery_type, is_private, vat_number, ehf_first ON customer
      FOR EACH ROW EXECUTE FUNCTION count_version()`.execute(db);
    await sql`
      CREATE TABLE einvoice_settings (
        company_id bigint PRIMARY KEY REFERENCES company (id) ON DELETE CASCADE,
        exempt boolean NOT NULL,
        ehf_first boolean NOT NULL)`.execute(db);
    // The last check of all customers of a company, and how far it is.
    await sql`
      CREATE TABLE ehf_check (
        company_id bigint PRIMARY KEY REFERENCES company (id) ON DELETE CASCADE,
        total integer NOT NULL,
        asked integer NOT NULL DEFAULT 0,
        reachable integer NOT NULL DEFAULT 0,
        cannot integer NOT NULL DEFAULT 0,
        unknown integer NOT NULL DEFAULT 0,
        after_number integer NOT NULL DEFAULT 0,
        started_at timestamptz NOT NULL DEFAULT now(),
        -- Set anew by each part, so that a forsaken check is known.
        worked_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz)`.execute(db);
    // An answer of the test network is none about the real one. Old answers have no publisher, and end within a day.
    await sql`
      ALTER TABLE peppol_answer
        ADD COLUMN network text NOT NULL DEFAULT 'test' CHECK (network IN ('test', 'production')),
        ADD COLUMN publisher text,
        DROP CONSTRAINT peppol_answer_outcome_check,
        -- UNKNOWN: asked, and never answered. It is checked at -infinity, too long ago for whoever looks.
        ADD CONSTRAINT peppol_answer_outcome CHECK (
          outcome IN ('REACHABLE', 'NOT_REGISTERED', 'FORMAT_UNSUPPORTED')
          OR outcome = 'UNKNOWN' AND checked_at = '-infinity' AND asked_at IS NOT NULL),
        ADD COLUMN asked_at timestamptz`.execute(db);
    await sql`
      CREATE TABLE einvoice_evidence (
        company_id bigint NOT NULL,
        invoice_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        outcome text NOT NULL CHECK (outcome IN
          ('REACHABLE', 'NOT_REGISTERED', 'FORMAT_UNSUPPORTED', 'UNKNOWN', 'NOT_ASKED')),
        participant text NOT NULL,
        document_type text NOT NULL CHECK (document_type IN ('INVOICE', 'CREDIT_NOTE')),
        network text CHECK (network IN ('test', 'production')),
        publisher text,
        cause text CHECK (cause IN ('TIMEOUT', 'DNS', 'PUBLISHER', 'INVALID_NUMBER')),
        asked_at timestamptz,
        kept_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        PRIMARY KEY (company_id, invoice_id, id),
        FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id) ON DELETE CASCADE,
        CONSTRAINT einvoice_evidence_asked CHECK (
          (asked_at IS NULL) = (outcome = 'NOT_ASKED' OR cause IS NOT DISTINCT FROM 'INVALID_NUMBER')),
        CONSTRAINT einvoice_evidence_cause CHECK (CASE outcome
          WHEN 'UNKNOWN' THEN cause IN ('TIMEOUT', 'DNS', 'PUBLISHER')
          WHEN 'NOT_REGISTERED' THEN cause IS NULL OR cause = 'INVALID_NUMBER'
          ELSE cause IS NULL END))`.execute(db);
    // Found by the job that asks again.
    await sql`CREATE INDEX einvoice_evidence_unknown ON einvoice_evidence (kept_at)
      WHERE outcome = 'UNKNOWN'`.execute(db);
    await sql`
      CREATE FUNCTION keep_einvoice_evidence() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- It goes with its invoice, and a registered one is never deleted.
        IF TG_OP = 'DELETE' THEN
          IF NOT EXISTS (
            SELECT FROM invoice WHERE company_id = OLD.company_id AND id = OLD.invoice_id)
          THEN RETURN OLD; END IF;
        END IF;
        RAISE EXCEPTION 'evidence of e-invoices never changes' USING ERRCODE = 'check_violation';
      END
      $$`.execute(db);
    await sql`CREATE TRIGGER einvoice_evidence_kept BEFORE DELETE OR UPDATE ON einvoice_evidence
      FOR EACH ROW EXECUTE FUNCTION keep_einvoice_evidence()`.execute(db);
    await sql`CREATE TRIGGER einvoice_evidence_not_emptied BEFORE TRUNCATE ON einvoice_evidence
      FOR EACH STATEMENT EXECUTE FUNCTION keep_einvoice_evidence()`.execute(db);
  },
};

/** 0111. */
export const einvoiceValidated: Migration = {
  online: true,
  up: async (db) => {
    await sql`ALTER TABLE invoice VALIDATE CONSTRAINT invoice_einvoice_reason`.execute(db);
    const on = sql`invoice (company_id, id) WHERE einvoice_reason = 'BUSINESS'`;
    await createIndex(db, { name: 'invoice_einvoice', on });
  },
};
