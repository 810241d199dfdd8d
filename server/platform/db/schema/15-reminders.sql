-- Reminders: the operator's rates, each company's settings, and what was sent. Amounts are øre.

-- Rates that the operator added to those that are built in.
CREATE TABLE late_payment_rate (
  kind text NOT NULL CHECK (kind IN ('INTEREST', 'COMPENSATION', 'DEBT_COLLECTION')),
  valid_from date NOT NULL,
  -- Hundredths of a per cent for INTEREST, øre for the others.
  value integer NOT NULL CHECK (value >= 0),
  added_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, valid_from),
  CONSTRAINT late_payment_rate_check CHECK (kind = 'DEBT_COLLECTION'
    OR to_char(valid_from, 'MMDD') IN ('0101', '0701'))
);

CREATE TABLE reminder_settings (
  company_id bigint PRIMARY KEY REFERENCES company (id) ON DELETE CASCADE,
  automatic boolean NOT NULL,
  approve boolean NOT NULL,
  steps jsonb NOT NULL CHECK (jsonb_typeof(steps) = 'array'),
  minimum_amount bigint NOT NULL CHECK (minimum_amount BETWEEN 0 AND 9007199254740991),
  waive_rest boolean NOT NULL,
  version integer NOT NULL DEFAULT 1
);
CREATE TRIGGER version BEFORE UPDATE ON reminder_settings
  FOR EACH ROW EXECUTE FUNCTION count_version();

-- The steps of automation done, by day in Oslo: all invoices searched, and the owner notified of this many proposals.
CREATE TABLE reminder_day (
  company_id bigint PRIMARY KEY REFERENCES company (id) ON DELETE CASCADE,
  finished_on date,
  told_on date,
  told_many integer NOT NULL DEFAULT 0 CHECK (told_many >= 0)
);

CREATE TABLE reminder (
  company_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  invoice_id bigint NOT NULL,
  document_id bigint NOT NULL,
  step smallint NOT NULL CHECK (step > 0),
  kind text NOT NULL CHECK (kind IN ('REMINDER', 'NOTICE', 'DEBT_COLLECTION_NOTICE')),
  -- The day in Oslo.
  sent_on date NOT NULL,
  due_date date NOT NULL,
  -- The amount due of the invoice, and what is asked for beside it.
  principal bigint NOT NULL CHECK (principal BETWEEN 1 AND 9007199254740991),
  fee bigint NOT NULL CHECK (fee BETWEEN 0 AND 9007199254740991),
  interest bigint NOT NULL CHECK (interest BETWEEN 0 AND 9007199254740991),
  compensation bigint NOT NULL CHECK (compensation BETWEEN 0 AND 9007199254740991),
  -- Claims of earlier reminders that are still unpaid.
  earlier bigint NOT NULL DEFAULT 0 CHECK (earlier BETWEEN -9007199254740991 AND 9007199254740991),
  -- The day from which interest was counted; null in older rows, which used the invoice's due date.
  payment_deadline date,
  waived_at timestamptz,
  -- Waived of the claims of this reminder and the earlier ones.
  let_go bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  by_type text NOT NULL CHECK (by_type IN ('ACCOUNT', 'TOKEN', 'STAFF', 'BANK', 'SYSTEM')),
  by_name text NOT NULL,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, document_id),
  UNIQUE (company_id, invoice_id, document_id, principal),
  UNIQUE (company_id, invoice_id, step),
  FOREIGN KEY (company_id, document_id) REFERENCES document (company_id, id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id),
  CONSTRAINT reminder_check CHECK (due_date >= sent_on),
  CONSTRAINT reminder_check1 CHECK (kind <> 'REMINDER' OR fee = 0),
  CONSTRAINT reminder_check2 CHECK (fee = 0 OR compensation = 0)
);

CREATE FUNCTION judge_new_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE reminded invoice;
BEGIN
  -- The lock comes first, so what is read after it includes what others have committed.
  SELECT * INTO reminded FROM invoice
  WHERE company_id = NEW.company_id AND id = NEW.invoice_id FOR NO KEY UPDATE;
  IF reminded.kind <> 'INVOICE' OR reminded.status <> 'REGISTERED' OR reminded.disputed
    OR NEW.principal <> reminded.gross_amount - reminded.credited_amount - reminded.paid_amount
  THEN
    RAISE EXCEPTION 'a reminder asks for what is due of a registered invoice'
      USING ERRCODE = 'check_violation';
  END IF;
  IF NOT EXISTS (
    SELECT FROM document
    WHERE company_id = NEW.company_id AND id = NEW.document_id
      AND kind = 'REMINDER' AND invoice_id = NEW.invoice_id)
  THEN
    RAISE EXCEPTION 'a reminder has a document of its own' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER reminder_judged BEFORE INSERT ON reminder
  FOR EACH ROW EXECUTE FUNCTION judge_new_reminder();

CREATE FUNCTION freeze_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (to_jsonb(NEW) - '{waived_at,let_go}'::text[])
        IS NOT DISTINCT FROM (to_jsonb(OLD) - '{waived_at,let_go}'::text[])
      AND (NEW.waived_at IS NOT DISTINCT FROM OLD.waived_at OR OLD.waived_at IS NULL)
      AND NEW.let_go >= OLD.let_go
    THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'a reminder never changes' USING ERRCODE = 'check_violation';
END
$$;
CREATE TRIGGER reminder_frozen BEFORE DELETE OR UPDATE ON reminder
  FOR EACH ROW EXECUTE FUNCTION freeze_reminder();
CREATE TRIGGER reminder_not_emptied BEFORE TRUNCATE ON reminder
  FOR EACH STATEMENT EXECUTE FUNCTION freeze_reminder();

-- The rest of a reminder's claim after payments dated before it.
CREATE TABLE reminder_recount (
  company_id bigint NOT NULL,
  reminder_id bigint NOT NULL,
  invoice_id bigint NOT NULL,
  interest bigint NOT NULL CHECK (interest >= 0),
  -- Its fee and its compensation.
  fee_waived boolean NOT NULL,
  PRIMARY KEY (company_id, reminder_id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id),
  FOREIGN KEY (company_id, reminder_id) REFERENCES reminder (company_id, id)
);

-- The claims of an invoice's reminders: fees and compensation add up; newer interest replaces older interest.
CREATE VIEW asked_by_reminders AS
SELECT company_id, invoice_id,
  (COALESCE(sum(fee + compensation)
      FILTER (WHERE waived_at IS NULL AND fee_waived IS NOT TRUE), 0)
    + COALESCE((array_agg(interest_left ORDER BY step DESC)
        FILTER (WHERE waived_at IS NULL AND interest > 0))[1], 0)
    - sum(let_go))::bigint AS amount
FROM (
  SELECT reminder.*, recount.fee_waived, COALESCE(recount.interest, reminder.interest) AS interest_left
  FROM reminder LEFT JOIN reminder_recount recount
    ON recount.company_id = reminder.company_id AND recount.reminder_id = reminder.id
) asked
GROUP BY company_id, invoice_id;

-- The claims that a payment is compared with.
CREATE VIEW claims_of_reminders AS
SELECT reminder.company_id, reminder.id AS reminder_id, reminder.invoice_id, reminder.sent_on,
  reminder.payment_deadline, reminder.principal, reminder.interest AS asked,
  COALESCE(recount.interest, reminder.interest) AS interest,
  COALESCE(recount.fee_waived, false) AS fee_waived
FROM reminder LEFT JOIN reminder_recount recount
  ON recount.company_id = reminder.company_id AND recount.reminder_id = reminder.id
WHERE reminder.waived_at IS NULL
  AND reminder.fee + reminder.compensation + reminder.interest > 0;

CREATE FUNCTION follow_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM invoice JOIN after_rows
    ON after_rows.company_id = invoice.company_id AND after_rows.invoice_id = invoice.id
  ORDER BY invoice.id FOR NO KEY UPDATE OF invoice;
  UPDATE invoice SET reminder_amount = owed.amount
  FROM (
    SELECT company_id, invoice_id, GREATEST(0, asked.amount - COALESCE((
      SELECT sum(payment.reminder_amount) FROM payment
      WHERE payment.company_id = asked.company_id
        AND payment.invoice_id = asked.invoice_id), 0)) AS amount
    FROM asked_by_reminders asked
    WHERE (company_id, invoice_id) IN (SELECT company_id, invoice_id FROM after_rows)
  ) owed
  WHERE invoice.company_id = owed.company_id AND invoice.id = owed.invoice_id
    AND invoice.status <> 'CANCELLED' AND NOT invoice.reminder_waived
    AND invoice.reminder_amount <> owed.amount;
  RETURN NULL;
END
$$;
CREATE TRIGGER reminder_followed_insert AFTER INSERT ON reminder
  REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION follow_reminders();
CREATE TRIGGER reminder_followed_update AFTER UPDATE ON reminder
  REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION follow_reminders();
CREATE TRIGGER reminder_recount_followed_insert AFTER INSERT ON reminder_recount
  REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION follow_reminders();
CREATE TRIGGER reminder_recount_followed_update AFTER UPDATE ON reminder_recount
  REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION follow_reminders();
