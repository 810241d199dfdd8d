-- Deliveries: each brings one document to one recipient by one carrier.

CREATE TABLE delivery (
  company_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  invoice_id bigint NOT NULL,
  document_id bigint NOT NULL,
  -- For a reminder: the principal that it names. A reminder is not sent when another amount is due.
  reminder_principal bigint,
  delivery_type text NOT NULL CHECK (delivery_type IN ('EMAIL', 'EHF', 'EFAKTURA')),
  recipient text NOT NULL,
  -- Further addresses of the same mail (Cc), and those that did not get a mail that others got, each with the reason.
  copies text[] NOT NULL DEFAULT '{}',
  refused jsonb NOT NULL DEFAULT '[]',
  status text NOT NULL DEFAULT 'QUEUED' CHECK (status IN ('QUEUED', 'SENT', 'FAILED')),
  sent_time timestamptz,
  failed_at timestamptz,
  failure_reason text,
  -- Why a delivery failed before it was handed over.
  stopped_by text,
  owner_told boolean NOT NULL DEFAULT false,
  -- Our name for it at the carrier (a mail's Message-ID), and the carrier's name for it.
  carrier_key text NOT NULL,
  carrier_reference text,
  -- Until then one worker holds it; a worker that dies lets go by then.
  leased_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- Tries that failed for a reason that was not this delivery's own.
  excused_attempts integer NOT NULL DEFAULT 0,
  waiting_reason text,
  -- Beyond what its company may mail in a day: it has no job until then.
  deferred_until timestamptz,
  -- When the carrier is asked again about a delivery that is SENT.
  ask_again_at timestamptz,
  -- When it was counted among the company's mails of the day.
  counted_at timestamptz,
  -- Asked for by hand, though the invoice is paid or was sent before.
  forced boolean NOT NULL DEFAULT false,
  -- A try ended without an answer: the mail server may have taken it.
  may_have_arrived boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT delivery_message_id_key UNIQUE (carrier_key),
  FOREIGN KEY (company_id, document_id) REFERENCES document (company_id, id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id),
  CONSTRAINT delivery_reminder FOREIGN KEY (company_id, invoice_id, document_id, reminder_principal)
    REFERENCES reminder (company_id, invoice_id, document_id, principal),
  CONSTRAINT delivery_check CHECK ((status = 'SENT') <= (sent_time IS NOT NULL)),
  CONSTRAINT delivery_check1 CHECK ((status = 'FAILED') = (failure_reason IS NOT NULL)),
  CONSTRAINT delivery_stopped CHECK (stopped_by IS NULL OR (status = 'FAILED' AND (stopped_by IN ('CANCELLED', 'PAID')
    OR (reminder_principal IS NOT NULL AND stopped_by IN ('DISPUTED', 'PART_PAID', 'TOO_LATE')))))
);
CREATE UNIQUE INDEX delivery_company ON delivery (company_id, id);
CREATE INDEX delivery_counted ON delivery (company_id, counted_at) WHERE counted_at IS NOT NULL;
CREATE INDEX delivery_deferred ON delivery (deferred_until) WHERE deferred_until IS NOT NULL;
-- Failures that no notice to the owner has reported yet.
CREATE INDEX delivery_failed_untold
  ON delivery (company_id, id)
  WHERE status = 'FAILED' AND stopped_by IS NULL AND NOT owner_told;
CREATE INDEX delivery_invoice ON delivery (company_id, invoice_id);
-- A document is sent once by each carrier, unless a person asks for it again (DEL-1).
CREATE UNIQUE INDEX delivery_once_unasked
  ON delivery (company_id, document_id, delivery_type)
  WHERE status <> 'FAILED' AND NOT forced;
CREATE INDEX delivery_provider ON delivery (carrier_reference) WHERE carrier_reference IS NOT NULL;
CREATE INDEX delivery_queued ON delivery (created_at) WHERE status = 'QUEUED';
CREATE INDEX delivery_queued_company ON delivery (company_id) WHERE status = 'QUEUED';
CREATE INDEX delivery_refused ON delivery (created_at) WHERE status = 'FAILED' AND stopped_by IS NULL;
CREATE INDEX delivery_to_ask ON delivery (ask_again_at) WHERE status = 'SENT' AND ask_again_at IS NOT NULL;
CREATE UNIQUE INDEX delivery_under_way ON delivery (company_id, document_id, delivery_type) WHERE status = 'QUEUED';

-- An invoice shows the status of the latest delivery of its own document; a late bounce of an older one changes
-- nothing there.
CREATE FUNCTION show_delivery_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Taking a lease changes no status, and happens for every delivery.
  IF TG_OP = 'UPDATE' THEN
    IF NOT EXISTS (
      SELECT company_id, id, status FROM after_rows
      EXCEPT SELECT company_id, id, status FROM before_rows)
    THEN RETURN NULL; END IF;
  END IF;
  UPDATE invoice SET delivery_status = changed.status
  FROM (
    SELECT DISTINCT ON (invoice_id) id, company_id, invoice_id, status FROM after_rows
    WHERE reminder_principal IS NULL
    ORDER BY invoice_id, id DESC
  ) changed
  WHERE invoice.company_id = changed.company_id AND invoice.id = changed.invoice_id
    AND invoice.delivery_status IS DISTINCT FROM changed.status
    -- NOT EXISTS would be planned as a join that reads all deliveries.
    AND (
      SELECT count(*) FROM delivery later
      WHERE later.company_id = changed.company_id AND later.invoice_id = changed.invoice_id
        AND later.reminder_principal IS NULL AND later.id > changed.id) = 0;
  RETURN NULL;
END
$$;
CREATE TRIGGER delivery_status_insert AFTER INSERT ON delivery
  REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION show_delivery_status();
CREATE TRIGGER delivery_status_update AFTER UPDATE ON delivery
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION show_delivery_status();

-- Nobody owes a fee for a reminder that was never sent.
CREATE FUNCTION waive_stopped_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE reminder SET waived_at = now()
  WHERE company_id = NEW.company_id AND document_id = NEW.document_id AND waived_at IS NULL
    AND NOT EXISTS (
      SELECT FROM delivery other
      WHERE other.company_id = NEW.company_id AND other.invoice_id = NEW.invoice_id
        AND other.document_id = NEW.document_id
        AND (other.status <> 'FAILED' OR other.may_have_arrived));
  RETURN NULL;
END
$$;
CREATE TRIGGER delivery_reminder_stopped AFTER UPDATE ON delivery
  FOR EACH ROW WHEN (NEW.reminder_principal IS NOT NULL AND NEW.stopped_by IS NOT NULL AND OLD.stopped_by IS NULL)
  EXECUTE FUNCTION waive_stopped_reminder();

-- New companies that an operator lets mail without a daily limit.
CREATE TABLE delivery_allowance (
  company_id bigint PRIMARY KEY REFERENCES company (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The mail that tells an owner of failures: when the last one left, and the next one with the deliveries that it
-- names.
CREATE TABLE failure_notice (
  company_id bigint PRIMARY KEY REFERENCES company (id) ON DELETE CASCADE,
  sent_at timestamptz,
  uuid uuid,
  delivery_ids bigint[],
  CONSTRAINT failure_notice_check CHECK ((uuid IS NULL) = (delivery_ids IS NULL))
);
CREATE INDEX failure_notice_unsent ON failure_notice (company_id) WHERE uuid IS NOT NULL;

CREATE TABLE suppressed_address (
  email text PRIMARY KEY,
  reason text NOT NULL CHECK (reason IN ('BOUNCE', 'COMPLAINT')),
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Refusals of mails that may concern either the mail or its sender.
CREATE TABLE mail_refusal (
  -- The same at every try of the mail.
  message_id text PRIMARY KEY,
  refused_at timestamptz NOT NULL DEFAULT now(),
  meaning text NOT NULL DEFAULT 'OPEN' CHECK (meaning IN ('OPEN', 'SENDER', 'MAIL'))
);
