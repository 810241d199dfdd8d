import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Who may send EHF, and who can be sent it. A process of the version before reads neither. */
export const ehf: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE ehf_agreement (
      company_id bigint PRIMARY KEY REFERENCES company ON DELETE CASCADE,
      status text NOT NULL CHECK (status IN ('REQUESTED', 'ACTIVE', 'REVOKED')),
      -- The number that was asked for; a company that changes its own has none of it.
      org_number text NOT NULL,
      -- The seller's name with the access point, where that has one of its own.
      entity text,
      requested_at timestamptz NOT NULL DEFAULT now(),
      approved_at timestamptz,
      revoked_at timestamptz,
      CHECK (status <> 'ACTIVE' OR approved_at IS NOT NULL),
      CHECK (status <> 'REVOKED' OR revoked_at IS NOT NULL))`.execute(db);
  // Somebody has looked at who this is: that holds for the one number and for no other.
  await sql`
    CREATE FUNCTION void_ehf_agreement() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE ehf_agreement SET status = 'REVOKED', revoked_at = now()
      WHERE company_id = NEW.id AND status <> 'REVOKED'
        AND org_number IS DISTINCT FROM NEW.org_number;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER company_void_ehf_agreement AFTER UPDATE OF org_number ON company
    FOR EACH ROW WHEN (OLD.org_number IS DISTINCT FROM NEW.org_number)
    EXECUTE FUNCTION void_ehf_agreement()`.execute(db);
  await sql`
    CREATE TABLE peppol_answer (
      company_id bigint NOT NULL REFERENCES company ON DELETE CASCADE,
      org_number text NOT NULL,
      document_type text NOT NULL CHECK (document_type IN ('INVOICE', 'CREDIT_NOTE')),
      -- What was certain: an answer that did not come is not kept.
      outcome text NOT NULL CHECK (outcome IN ('REACHABLE', 'NOT_REGISTERED', 'FORMAT_UNSUPPORTED')),
      checked_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (company_id, org_number, document_type))`.execute(db);
  // What the access point reports by itself. Whose it is, is found by our key or by its own name for the
  // document, which may come later than the event.
  await sql`
    CREATE TABLE peppol_event (
      source text NOT NULL,
      event_id text NOT NULL,
      delivery_key text,
      reference text,
      name text NOT NULL,
      details text NOT NULL,
      received_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (source, event_id))`.execute(db);
  await sql`CREATE INDEX peppol_event_key ON peppol_event (delivery_key)`.execute(db);
  await sql`CREATE INDEX peppol_event_reference ON peppol_event (reference)`.execute(db);
  await sql`CREATE INDEX peppol_event_received ON peppol_event (received_at)`.execute(db);
  await sql`
    CREATE TABLE peppol_evidence (
      company_id bigint NOT NULL,
      delivery_id bigint NOT NULL,
      message_id text,
      received_by text,
      -- What was transmitted, where the access point made that itself.
      transmitted bytea,
      -- In what it differs from our document; empty where it does not.
      differences text[] NOT NULL DEFAULT '{}',
      kept_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (company_id, delivery_id),
      FOREIGN KEY (company_id, delivery_id) REFERENCES delivery (company_id, id) ON DELETE CASCADE)
  `.execute(db);
  await sql`
    CREATE INDEX peppol_evidence_differs ON peppol_evidence (kept_at)
    WHERE differences <> '{}'`.execute(db);
}
