-- EHF: who may send it, who can receive it, and what the access point reports.

-- An operator approves a company for one organisation number; a changed number voids the agreement.
CREATE TABLE ehf_agreement (
  company_id bigint PRIMARY KEY REFERENCES company (id) ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('REQUESTED', 'ACTIVE', 'REVOKED')),
  org_number text NOT NULL,
  -- The seller's name at the access point, where it has one.
  entity text,
  requested_at timestamptz NOT NULL DEFAULT now(),
  approved_at timestamptz,
  revoked_at timestamptz,
  CONSTRAINT ehf_agreement_check CHECK (status <> 'ACTIVE' OR approved_at IS NOT NULL),
  CONSTRAINT ehf_agreement_check1 CHECK (status <> 'REVOKED' OR revoked_at IS NOT NULL)
);

CREATE FUNCTION void_ehf_agreement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ehf_agreement SET status = 'REVOKED', revoked_at = now()
  WHERE company_id = NEW.id AND status <> 'REVOKED'
    AND org_number IS DISTINCT FROM NEW.org_number;
  RETURN NULL;
END
$$;
CREATE TRIGGER company_void_ehf_agreement AFTER UPDATE OF org_number ON company
  FOR EACH ROW WHEN (OLD.org_number IS DISTINCT FROM NEW.org_number) EXECUTE FUNCTION void_ehf_agreement();

-- Definite answers of the network. A look-up without an answer is not kept.
CREATE TABLE peppol_answer (
  company_id bigint NOT NULL REFERENCES company (id) ON DELETE CASCADE,
  org_number text NOT NULL,
  document_type text NOT NULL CHECK (document_type IN ('INVOICE', 'CREDIT_NOTE')),
  outcome text NOT NULL CHECK (outcome IN ('REACHABLE', 'NOT_REGISTERED', 'FORMAT_UNSUPPORTED')),
  checked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, org_number, document_type)
);

-- Events of the access point. The reference to our delivery may become known later than the event.
CREATE TABLE peppol_event (
  source text NOT NULL,
  event_id text NOT NULL,
  delivery_key text,
  reference text,
  name text NOT NULL,
  details text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source, event_id)
);
CREATE INDEX peppol_event_key ON peppol_event (delivery_key);
CREATE INDEX peppol_event_received ON peppol_event (received_at);
CREATE INDEX peppol_event_reference ON peppol_event (reference);

CREATE TABLE peppol_evidence (
  company_id bigint NOT NULL,
  delivery_id bigint NOT NULL,
  message_id text,
  received_by text,
  -- The document as transmitted, where the access point made it itself, and how it differs from ours.
  transmitted bytea,
  differences text[] NOT NULL DEFAULT '{}',
  kept_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, delivery_id),
  FOREIGN KEY (company_id, delivery_id) REFERENCES delivery (company_id, id) ON DELETE CASCADE
);
CREATE INDEX peppol_evidence_differs ON peppol_evidence (kept_at) WHERE differences <> '{}'::text[];
