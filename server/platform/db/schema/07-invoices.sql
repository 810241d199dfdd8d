-- Invoices and credit notes. An issued document is never edited or deleted (bokføringsforskriften § 5-2-7), and its
-- numbers are an unbroken sequence (§ 5-1-3): triggers keep both. Amounts are øre.

CREATE TABLE invoice (
  company_id bigint NOT NULL REFERENCES company (id),
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  customer_id bigint,
  kind text NOT NULL DEFAULT 'INVOICE' CHECK (kind IN ('INVOICE', 'CREDIT_NOTE')),
  credits_invoice_id bigint,
  -- Set on a credit note for a part of its invoice, or for the rest after parts; and its VAT per treatment where that
  -- differs from its lines.
  credit_extent text,
  vat_subtotals jsonb,
  status text NOT NULL DEFAULT 'DRAFT' CHECK (status IN ('DRAFT', 'REGISTERED', 'PAID', 'CANCELLED')),
  delivery_type text NOT NULL CHECK (delivery_type IN ('NONE', 'EMAIL', 'EHF', 'EFAKTURA')),
  delivery_status text CHECK (delivery_status IN ('PENDING', 'QUEUED', 'SENT', 'FAILED')),
  issue_date date NOT NULL,
  due_days integer NOT NULL CHECK (due_days >= 0),
  due_date date GENERATED ALWAYS AS (issue_date + due_days) STORED NOT NULL,
  delivery_date date NOT NULL,
  delivery_country text,
  reference text,
  message text,
  net_amount bigint NOT NULL,
  vat_amount bigint NOT NULL,
  gross_amount bigint NOT NULL,
  version integer NOT NULL DEFAULT 1,
  -- Follow from payments, reminders and credit notes, by their triggers.
  paid_amount bigint NOT NULL DEFAULT 0,
  paid_date date,
  disputed boolean NOT NULL DEFAULT false,
  disputed_note text,
  reminder_amount bigint NOT NULL DEFAULT 0,
  reminder_waived boolean NOT NULL DEFAULT false,
  -- With VAT, and the day of the last credit note that came before it was paid.
  credited_amount bigint NOT NULL DEFAULT 0,
  credited_on date,
  -- Given at registration, and never changed.
  invoice_number bigint,
  kid text,
  kid_modulus text,
  seller jsonb,
  buyer jsonb,
  buyer_vat_number text,
  bank_account_number text,
  search_text text,
  registered_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (company_id, id),
  UNIQUE (company_id, invoice_number),
  FOREIGN KEY (company_id, credits_invoice_id) REFERENCES invoice (company_id, id),
  FOREIGN KEY (company_id, customer_id) REFERENCES customer (company_id, id) ON DELETE SET NULL (customer_id),
  CONSTRAINT invoice_agreed_kid CHECK (kid_modulus IS NULL OR (kind = 'INVOICE'
    AND kid_modulus IN ('MOD10', 'MOD11') AND kid ~ '^[0-9]{4,25}$')),
  CONSTRAINT invoice_check CHECK (status <> 'DRAFT' OR customer_id IS NOT NULL OR kind = 'CREDIT_NOTE'),
  CONSTRAINT invoice_check1 CHECK ((status = 'DRAFT') = (invoice_number IS NULL)),
  CONSTRAINT invoice_check2 CHECK ((status = 'PAID') = (paid_date IS NOT NULL)),
  CONSTRAINT invoice_check3 CHECK ((kind = 'CREDIT_NOTE') = (credits_invoice_id IS NOT NULL)),
  CONSTRAINT invoice_check4 CHECK (kind = 'INVOICE' OR status IN ('DRAFT', 'REGISTERED')),
  CONSTRAINT invoice_check5 CHECK (net_amount + vat_amount = gross_amount),
  CONSTRAINT invoice_credited CHECK ((credited_amount = 0 AND credited_on IS NULL)
    OR (kind = 'INVOICE' AND status <> 'DRAFT' AND (credited_amount >= 0 AND credited_amount <= gross_amount))),
  CONSTRAINT invoice_delivery_country CHECK (delivery_country ~ '^[A-Z]{2}$'),
  CONSTRAINT invoice_disputed CHECK (
    CASE WHEN disputed THEN kind = 'INVOICE' AND status <> 'DRAFT' ELSE disputed_note IS NULL END),
  CONSTRAINT invoice_of_note CHECK ((credit_extent IS NULL AND vat_subtotals IS NULL)
    OR (kind = 'CREDIT_NOTE' AND credit_extent IS NOT NULL AND credit_extent IN ('PART', 'REST'))),
  CONSTRAINT invoice_paid_amount CHECK (paid_amount = 0 OR (kind = 'INVOICE' AND status IN ('REGISTERED', 'PAID')
    AND (paid_amount >= 0 AND paid_amount <= gross_amount))),
  CONSTRAINT invoice_registered CHECK (status = 'DRAFT' OR (gross_amount >= 0 AND seller IS NOT NULL
    AND buyer IS NOT NULL AND bank_account_number IS NOT NULL AND registered_at IS NOT NULL
    AND search_text IS NOT NULL AND (kid IS NOT NULL OR kind = 'CREDIT_NOTE'))),
  CONSTRAINT invoice_reminder_amount CHECK (reminder_amount = 0 OR (kind = 'INVOICE'
    AND status IN ('REGISTERED', 'PAID') AND (reminder_amount BETWEEN 0 AND 9007199254740991))),
  CONSTRAINT invoice_reminder_waived CHECK (NOT reminder_waived OR (status = 'PAID' AND reminder_amount = 0))
);
-- The lists: each order has an index for each status, and all statuses are merged from them.
CREATE INDEX invoice_list ON invoice (company_id, invoice_number DESC, id DESC);
CREATE INDEX invoice_status_list ON invoice (company_id, status, invoice_number DESC, id DESC);
CREATE INDEX invoice_by_amount
  ON invoice (company_id, status, gross_amount, invoice_number, id)
  WHERE status <> 'DRAFT';
CREATE INDEX invoice_by_customer
  ON invoice (company_id, status, name_order(buyer ->> 'name') COLLATE "C", invoice_number, id)
  WHERE status <> 'DRAFT';
CREATE INDEX invoice_by_due_date
  ON invoice (company_id, status, due_date, invoice_number, id)
  WHERE status <> 'DRAFT';
CREATE INDEX invoice_by_issue_date
  ON invoice (company_id, status, issue_date, invoice_number, id)
  WHERE status <> 'DRAFT';
CREATE INDEX invoice_customer ON invoice (company_id, customer_id);
CREATE INDEX invoice_credit_notes ON invoice (company_id, credits_invoice_id) WHERE credits_invoice_id IS NOT NULL;
CREATE INDEX invoice_failed
  ON invoice (company_id, invoice_number)
  WHERE delivery_status = 'FAILED' AND status = 'REGISTERED';
-- A KID leads to one invoice, with or without its leading zeros.
CREATE INDEX invoice_bare_kid ON invoice (company_id, ltrim(kid, '0')) WHERE kid IS NOT NULL;
CREATE UNIQUE INDEX invoice_kid ON invoice (company_id, kid, bank_account_number) WHERE kid IS NOT NULL;
CREATE INDEX invoice_open ON invoice (company_id, customer_id, id) WHERE status = 'REGISTERED' AND kind = 'INVOICE';
CREATE INDEX invoice_owed
  ON invoice (company_id, due_date DESC, invoice_number DESC) INCLUDE (id)
  WHERE kind = 'INVOICE' AND status = 'REGISTERED';
CREATE INDEX invoice_search ON invoice USING gin (company_id, search_text gin_trgm_ops) WHERE search_text IS NOT NULL;
CREATE INDEX invoice_sent_dates ON invoice (company_id, issue_date) WHERE delivery_status = 'SENT';
-- The overview reads its sums from these two alone.
CREATE INDEX invoice_figures
  ON invoice (company_id, issue_date) INCLUDE (kind, net_amount, vat_amount, customer_id)
  WHERE status <> 'DRAFT';
CREATE INDEX invoice_paid ON invoice (company_id, paid_date) INCLUDE (issue_date) WHERE status = 'PAID';
CREATE INDEX invoice_unmailed
  ON invoice (company_id, invoice_number)
  WHERE delivery_status = 'PENDING' AND status <> 'DRAFT';
CREATE TRIGGER version BEFORE UPDATE ON invoice
  FOR EACH ROW WHEN (OLD.status = 'DRAFT' AND NEW.status = 'DRAFT') EXECUTE FUNCTION count_version();

CREATE TABLE invoice_line (
  company_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_id bigint NOT NULL,
  "position" integer NOT NULL,
  -- The whole part of the quantity and its thousandths.
  quantity bigint NOT NULL,
  thousandths smallint NOT NULL DEFAULT 0,
  -- A code of UN/ECE Recommendation 20; null on lines made without units.
  unit text,
  description text NOT NULL,
  net_unit_amount bigint NOT NULL,
  vat_rate integer NOT NULL,
  vat_treatment text,
  product_number text,
  -- The line that a line of a credit note credits; null on one that reduces the price.
  credits_line_id bigint,
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id) ON DELETE CASCADE,
  CONSTRAINT invoice_line_quantity CHECK (quantity >= 0 AND (thousandths BETWEEN 0 AND 999) AND (quantity <> 0
    OR thousandths <> 0) AND (thousandths = 0 OR unit IS NOT NULL)),
  CONSTRAINT invoice_line_unit CHECK (unit ~ '^[0-9A-Z]{2,3}$'),
  CONSTRAINT invoice_line_product CHECK (length(product_number) BETWEEN 1 AND 20),
  CONSTRAINT invoice_line_vat CHECK (vat_treatment IS NOT NULL
    AND ((vat_treatment = 'STANDARD' AND vat_rate = 25) OR (vat_treatment = 'FOOD' AND vat_rate = 15)
      OR (vat_treatment = 'REDUCED' AND vat_rate IN (6, 12))
      OR (vat_treatment IN ('EXEMPT', 'EXPORT', 'OUTSIDE', 'REVERSE', 'NOT_REGISTERED') AND vat_rate = 0)))
);
CREATE INDEX invoice_line_by_description ON invoice_line (company_id, name_order(description) COLLATE "C", id DESC);
CREATE UNIQUE INDEX invoice_line_by_invoice ON invoice_line (company_id, invoice_id, "position");
CREATE INDEX invoice_line_product ON invoice_line (company_id, product_number) WHERE product_number IS NOT NULL;
CREATE TRIGGER invoice_line_treated BEFORE INSERT ON invoice_line
  FOR EACH ROW WHEN (NEW.vat_treatment IS NULL) EXECUTE FUNCTION treat_line();
CREATE TRIGGER invoice_line_treated_anew BEFORE UPDATE ON invoice_line
  FOR EACH ROW WHEN (NEW.vat_treatment IS NULL
    OR (NEW.vat_rate <> OLD.vat_rate AND NEW.vat_treatment = OLD.vat_treatment))
  EXECUTE FUNCTION treat_line();

CREATE FUNCTION born_as_draft() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an invoice begins as a draft' USING ERRCODE = 'check_violation';
END
$$;
CREATE TRIGGER invoice_born BEFORE INSERT ON invoice
  FOR EACH ROW WHEN (NEW.status <> 'DRAFT') EXECUTE FUNCTION born_as_draft();

-- INV-15: a registered invoice changes only in its status, payment, credit, dispute, reminders, delivery, and the link to a
-- deleted customer.
CREATE FUNCTION freeze_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'DRAFT' THEN
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    IF NEW.status NOT IN ('DRAFT', 'REGISTERED') OR NEW.company_id <> OLD.company_id
      OR NEW.paid_amount <> 0 OR NEW.reminder_amount <> 0 OR NEW.credited_amount <> 0
    THEN
      RAISE EXCEPTION 'a draft can only be registered' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION 'a registered invoice is never deleted' USING ERRCODE = 'check_violation';
  END IF;
  -- due_date is generated from columns that may not change, and is not yet known here.
  IF (to_jsonb(NEW) -
      '{status,paid_date,paid_amount,credited_amount,credited_on,delivery_status,customer_id,due_date,disputed,disputed_note,reminder_amount,reminder_waived}'::text[])
    IS DISTINCT FROM (to_jsonb(OLD) -
      '{status,paid_date,paid_amount,credited_amount,credited_on,delivery_status,customer_id,due_date,disputed,disputed_note,reminder_amount,reminder_waived}'::text[])
    OR (NEW.customer_id IS NOT NULL AND NEW.customer_id IS DISTINCT FROM OLD.customer_id)
  THEN
    RAISE EXCEPTION 'a registered invoice never changes' USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status <> OLD.status AND (OLD.status, NEW.status) NOT IN (
    ('REGISTERED', 'PAID'), ('PAID', 'REGISTERED'), ('REGISTERED', 'CANCELLED'))
  THEN
    RAISE EXCEPTION 'an invoice cannot go from % to %', OLD.status, NEW.status
      USING ERRCODE = 'check_violation';
  END IF;
  -- Only the triggers of payments and reminders may write these columns: their updates are one trigger deeper.
  IF (NEW.paid_amount, NEW.paid_date, NEW.status = 'PAID')
      IS DISTINCT FROM (OLD.paid_amount, OLD.paid_date, OLD.status = 'PAID')
    AND pg_trigger_depth() < 2
  THEN
    RAISE EXCEPTION 'what is paid of an invoice is said by its payments'
      USING ERRCODE = 'check_violation';
  END IF;
  IF (NEW.reminder_amount, NEW.reminder_waived) <> (OLD.reminder_amount, OLD.reminder_waived)
    AND pg_trigger_depth() < 2
  THEN
    RAISE EXCEPTION 'what reminders of an invoice ask for is said by them'
      USING ERRCODE = 'check_violation';
  END IF;
  IF (NEW.credited_amount, NEW.credited_on) IS DISTINCT FROM (OLD.credited_amount, OLD.credited_on)
    AND pg_trigger_depth() < 2
  THEN
    RAISE EXCEPTION 'what is credited of an invoice is said by its credit notes'
      USING ERRCODE = 'check_violation';
  END IF;
  -- A credited invoice owes nothing.
  IF NEW.status = 'CANCELLED' THEN NEW.reminder_amount := 0; END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER invoice_frozen BEFORE DELETE OR UPDATE ON invoice
  FOR EACH ROW EXECUTE FUNCTION freeze_invoice();

-- The lines of a registered invoice may be given a treatment once, when they have none.
CREATE FUNCTION freeze_invoice_line() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parents bigint[] := CASE TG_OP
    WHEN 'INSERT' THEN ARRAY[NEW.invoice_id]
    WHEN 'DELETE' THEN ARRAY[OLD.invoice_id]
    -- A line may neither leave a registered invoice nor move to one.
    ELSE ARRAY[OLD.invoice_id, NEW.invoice_id] END;
  companies bigint[] := CASE TG_OP
    WHEN 'INSERT' THEN ARRAY[NEW.company_id]
    WHEN 'DELETE' THEN ARRAY[OLD.company_id]
    ELSE ARRAY[OLD.company_id, NEW.company_id] END;
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.vat_treatment IS NULL
    AND to_jsonb(NEW) - 'vat_treatment' = to_jsonb(OLD) - 'vat_treatment'
  THEN
    RETURN NEW;
  END IF;
  IF EXISTS (
    SELECT FROM invoice
    WHERE company_id = ANY(companies) AND id = ANY(parents) AND status <> 'DRAFT')
  THEN
    RAISE EXCEPTION 'the lines of a registered invoice never change'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;
CREATE TRIGGER invoice_line_frozen BEFORE INSERT OR DELETE OR UPDATE ON invoice_line
  FOR EACH ROW EXECUTE FUNCTION freeze_invoice_line();

-- TRUNCATE fires no row trigger.
CREATE FUNCTION keep_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM invoice WHERE status <> 'DRAFT') THEN
    RAISE EXCEPTION 'a registered invoice is never deleted' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER invoice_kept BEFORE TRUNCATE ON invoice
  FOR EACH STATEMENT EXECUTE FUNCTION keep_invoices();
CREATE TRIGGER invoice_line_kept BEFORE TRUNCATE ON invoice_line
  FOR EACH STATEMENT EXECUTE FUNCTION keep_invoices();

-- Checked for each statement that gives numbers (INV-14).
CREATE FUNCTION keep_series_unbroken() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE broken bigint;
BEGIN
  SELECT given.company_id INTO broken
  FROM (
    SELECT company_id, min(invoice_number) AS first, max(invoice_number) AS last, count(*) AS many
    FROM (
      SELECT company_id, invoice_number FROM after_rows WHERE invoice_number IS NOT NULL
      EXCEPT SELECT company_id, invoice_number FROM before_rows
    ) numbered GROUP BY company_id
  ) given
  JOIN company ON company.id = given.company_id
  WHERE given.last - given.first + 1 <> given.many
    OR given.first <> COALESCE(
      (SELECT max(earlier.invoice_number) + 1 FROM invoice earlier
       WHERE earlier.company_id = given.company_id AND earlier.invoice_number < given.first),
      company.start_invoice_number)
    OR given.last IS DISTINCT FROM company.last_invoice_number
  LIMIT 1;
  IF broken IS NOT NULL THEN
    RAISE EXCEPTION 'the invoice numbers of company % would not be unbroken', broken
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER invoice_series AFTER UPDATE ON invoice
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_series_unbroken();
