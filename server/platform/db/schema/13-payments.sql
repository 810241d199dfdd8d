-- Payments: rows that are never changed or deleted. What is paid of an invoice, its status PAID and a customer's
-- credit follow
-- from them by triggers. A payment that takes another back is its opposite row.

CREATE TABLE payment (
  company_id bigint NOT NULL REFERENCES company (id),
  id bigint GENERATED ALWAYS AS IDENTITY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  -- Without an invoice the money is unallocated; with a customer it is that customer's credit.
  invoice_id bigint,
  customer_id bigint,
  amount bigint NOT NULL CHECK (amount BETWEEN -9007199254740991 AND 9007199254740991),
  -- The part of the amount that pays what reminders ask for.
  reminder_amount bigint NOT NULL DEFAULT 0,
  paid_on date NOT NULL,
  source text NOT NULL CHECK (source IN ('MANUAL', 'BANK')),
  kind text NOT NULL CHECK (kind IN ('PAYMENT', 'UNDO', 'REFUND', 'DROP', 'REVERSAL')),
  -- The bank's own data, of bank payments.
  account text CHECK (account ~ '^[0-9]{11}$'),
  kid text,
  text text,
  payer text,
  payer_account_hash bytea,
  reference text,
  entry_id bigint,
  possible_copy boolean NOT NULL DEFAULT false,
  suggestion jsonb,
  -- The row that this one takes back, and the row whose money this is.
  undoes_id bigint,
  from_id bigint,
  undone boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  by_type text NOT NULL CHECK (by_type IN ('ACCOUNT', 'TOKEN', 'STAFF', 'BANK', 'SYSTEM')),
  by_name text NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, customer_id) REFERENCES customer (company_id, id) ON DELETE SET NULL (customer_id),
  FOREIGN KEY (company_id, from_id) REFERENCES payment (company_id, id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id),
  FOREIGN KEY (company_id, undoes_id) REFERENCES payment (company_id, id),
  CONSTRAINT payment_entry FOREIGN KEY (company_id, entry_id) REFERENCES bank_entry (company_id, id),
  CONSTRAINT payment_check CHECK (kind NOT IN ('UNDO', 'REFUND', 'DROP') OR undoes_id IS NOT NULL),
  CONSTRAINT payment_check1 CHECK (kind NOT IN ('REFUND', 'DROP') OR invoice_id IS NULL),
  CONSTRAINT payment_check2 CHECK (kind <> 'PAYMENT' OR amount > 0 OR (amount = 0 AND invoice_id IS NOT NULL)),
  CONSTRAINT payment_check3 CHECK (kind <> 'REVERSAL' OR amount < 0),
  CONSTRAINT payment_reminder_amount CHECK (reminder_amount = 0 OR (invoice_id IS NOT NULL
    AND ((reminder_amount >= LEAST(amount, 0)) AND (reminder_amount <= GREATEST(amount, 0)))))
);
CREATE INDEX payment_of_customer ON payment (company_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX payment_of_entry ON payment (company_id, entry_id) WHERE entry_id IS NOT NULL;
CREATE INDEX payment_of_invoice ON payment (company_id, invoice_id, id) WHERE invoice_id IS NOT NULL;
CREATE INDEX payment_remainder
  ON payment (company_id, kid)
  WHERE kid IS NOT NULL AND invoice_id IS NULL AND NOT undone AND (undoes_id IS NULL OR kind = 'PAYMENT');
CREATE UNIQUE INDEX payment_undone_once ON payment (company_id, undoes_id) WHERE undoes_id IS NOT NULL;
CREATE INDEX payment_unplaced
  ON payment (company_id, id)
  WHERE invoice_id IS NULL AND NOT undone AND (undoes_id IS NULL OR kind = 'PAYMENT');
CREATE INDEX payment_waiting_reversal
  ON payment (company_id)
  WHERE kind = 'REVERSAL' AND undoes_id IS NULL AND invoice_id IS NULL AND NOT undone;
-- Money without an invoice that may be for the invoice of a reminder.
CREATE INDEX payment_unplaced_kid
  ON payment (company_id, ltrim(regexp_replace(kid, '[^0-9-]', '', 'g'), '0'))
  WHERE kid IS NOT NULL AND invoice_id IS NULL AND NOT undone AND (undoes_id IS NULL OR kind = 'PAYMENT');
CREATE INDEX payment_unplaced_suggestion
  ON payment USING gin (company_id, (suggestion -> 'invoiceIds'))
  WHERE suggestion IS NOT NULL AND invoice_id IS NULL AND NOT undone AND (undoes_id IS NULL OR kind = 'PAYMENT');
-- Exports read the payments of a period, and find the rows to which one was moved.
CREATE INDEX payment_by_day ON payment (company_id, paid_on, id);
CREATE INDEX payment_moved ON payment (company_id, from_id) WHERE from_id IS NOT NULL;

-- Accounts from which a customer has paid, as keyed hashes.
CREATE TABLE payer_account (
  company_id bigint NOT NULL,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  customer_id bigint NOT NULL,
  PRIMARY KEY (company_id, hash, customer_id),
  FOREIGN KEY (company_id, customer_id) REFERENCES customer (company_id, id) ON DELETE CASCADE
);
CREATE INDEX payer_account_of_customer ON payer_account (company_id, customer_id);

-- PAY-4: a payment may be allocated once and taken back once, and may lose its deleted customer.
CREATE FUNCTION freeze_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (to_jsonb(NEW) - '{invoice_id,customer_id,undone,reminder_amount}'::text[])
        IS NOT DISTINCT FROM (to_jsonb(OLD) - '{invoice_id,customer_id,undone,reminder_amount}'::text[])
      AND (NEW.invoice_id IS NOT DISTINCT FROM OLD.invoice_id OR (OLD.invoice_id IS NULL
        AND NOT OLD.undone AND (OLD.undoes_id IS NULL OR OLD.kind = 'PAYMENT')))
      AND (NEW.reminder_amount = OLD.reminder_amount
        OR (OLD.invoice_id IS NULL AND NEW.invoice_id IS NOT NULL))
      -- Set only by the trigger of the row that takes it back.
      AND (NEW.undone = OLD.undone OR (NEW.undone AND pg_trigger_depth() > 1))
    THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'a payment never changes' USING ERRCODE = 'check_violation';
END
$$;
CREATE TRIGGER payment_born BEFORE INSERT ON payment
  FOR EACH ROW WHEN (NEW.undone) EXECUTE FUNCTION freeze_payment();
CREATE TRIGGER payment_frozen BEFORE DELETE OR UPDATE ON payment
  FOR EACH ROW EXECUTE FUNCTION freeze_payment();
CREATE TRIGGER payment_not_emptied BEFORE TRUNCATE ON payment
  FOR EACH STATEMENT EXECUTE FUNCTION freeze_payment();

-- Derives the payment columns of invoices (PAY-1, PAY-2). The invoices are locked first, so the sums include what others have
-- committed. An
-- invoice is paid on the date with which its sum reached the total for good, in order of dates.
CREATE FUNCTION settle_invoices(company bigint, invoices bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (
      SELECT kind, status FROM invoice
      WHERE company_id = company AND id = ANY(invoices) ORDER BY id FOR NO KEY UPDATE
    ) held
    WHERE held.kind <> 'INVOICE' OR held.status NOT IN ('REGISTERED', 'PAID'))
  THEN
    RAISE EXCEPTION 'only a registered invoice is paid' USING ERRCODE = 'check_violation';
  END IF;
  UPDATE invoice SET
    paid_amount = paid.amount,
    status = CASE WHEN paid.is_paid THEN 'PAID' ELSE 'REGISTERED' END,
    paid_date = CASE WHEN paid.is_paid THEN paid.reached_on END,
    reminder_waived = paid.is_waived,
    reminder_amount = CASE WHEN paid.is_waived THEN 0
      ELSE GREATEST(0, paid.asked - paid.for_reminders) END
  FROM (
    SELECT row.*, COALESCE(asked.amount, 0) AS asked,
      CASE WHEN NOT is_paid OR asked.amount IS NULL THEN false
        WHEN row.status = 'PAID' THEN row.reminder_waived
        ELSE COALESCE((SELECT waive_rest FROM reminder_settings WHERE company_id = company), true)
      END AS is_waived
    FROM (
      SELECT invoice_id, status, reminder_waived, sum(amount) AS amount,
        sum(reminder_amount) AS for_reminders,
        sum(amount) = claim AND bool_or(in_force) AS is_paid,
        GREATEST(credited_on, COALESCE(
          max(paid_on) FILTER (WHERE in_force AND so_far >= claim AND so_far - amount < claim),
          min(paid_on) FILTER (WHERE in_force))) AS reached_on
      FROM (
        SELECT invoice_id, paid_on, status, claim, credited_on, reminder_waived,
          payment.amount - payment.reminder_amount AS amount, payment.reminder_amount,
          NOT undone AND (undoes_id IS NULL OR payment.kind = 'PAYMENT') AS in_force,
          sum(payment.amount - payment.reminder_amount)
            FILTER (WHERE NOT undone AND (undoes_id IS NULL OR payment.kind = 'PAYMENT'))
            OVER (PARTITION BY invoice_id ORDER BY paid_on, payment.id) AS so_far
        FROM payment JOIN (
          SELECT id, status, gross_amount - credited_amount AS claim, credited_on, reminder_waived
          FROM invoice WHERE company_id = company AND id = ANY(invoices)
        ) settled ON settled.id = invoice_id
        WHERE payment.company_id = company AND invoice_id = ANY(invoices)
      ) part GROUP BY invoice_id, status, claim, credited_on, reminder_waived
    ) row LEFT JOIN (
      SELECT invoice_id, amount FROM asked_by_reminders
      WHERE company_id = company AND invoice_id = ANY(invoices)
    ) asked USING (invoice_id)
  ) paid
  WHERE invoice.company_id = company AND invoice.id = ANY(invoices)
    AND invoice.id = paid.invoice_id;
  IF EXISTS (
    SELECT FROM invoice WHERE company_id = company AND id = ANY(invoices)
      AND paid_amount > gross_amount - credited_amount)
  THEN
    RAISE EXCEPTION 'an invoice takes no more than what is left after crediting'
      USING ERRCODE = 'check_violation';
  END IF;
END
$$;

CREATE FUNCTION follow_new_payments() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  taken_back bigint;
BEGIN
  SELECT count(*) INTO taken_back FROM after_rows WHERE undoes_id IS NOT NULL;
  IF taken_back > 0 THEN
    -- A row is taken back once, as a whole, on the invoice or customer where it is.
    UPDATE payment original SET undone = true FROM after_rows opposite
    WHERE original.company_id = opposite.company_id AND original.id = opposite.undoes_id
      AND NOT original.undone AND original.amount = -opposite.amount
      AND original.reminder_amount = -opposite.reminder_amount
      AND original.invoice_id IS NOT DISTINCT FROM opposite.invoice_id
      AND original.customer_id IS NOT DISTINCT FROM opposite.customer_id
      AND original.possible_copy = opposite.possible_copy;
    GET DIAGNOSTICS taken_back = ROW_COUNT;
    IF taken_back <> (SELECT count(*) FROM after_rows WHERE undoes_id IS NOT NULL) THEN
      RAISE EXCEPTION 'a payment is taken back once, by its opposite'
        USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  PERFORM settle_invoices(company_id, array_agg(DISTINCT invoice_id)) FROM after_rows
  WHERE invoice_id IS NOT NULL GROUP BY company_id;
  UPDATE customer SET credit = credit + changed.amount
  FROM (
    SELECT company_id, customer_id, sum(amount) AS amount FROM after_rows
    WHERE invoice_id IS NULL AND customer_id IS NOT NULL AND NOT possible_copy
    GROUP BY company_id, customer_id HAVING sum(amount) <> 0
  ) changed
  WHERE customer.company_id = changed.company_id AND customer.id = changed.customer_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER payment_followed AFTER INSERT ON payment
  REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION follow_new_payments();

-- Payments that are placed settle their invoices, and are no credit of their customers any more. The rows before and after
-- are compared without a join: a connection keeps the plan of a trigger's first call, and a join planned for one invoice took
-- half a minute for ten thousand.
CREATE FUNCTION follow_placed_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM settle_invoices(company_id, array_agg(DISTINCT invoice_id))
  FROM (
    SELECT company_id, id, invoice_id FROM after_rows WHERE invoice_id IS NOT NULL
    EXCEPT SELECT company_id, id, invoice_id FROM before_rows
  ) placed GROUP BY company_id;
  UPDATE customer SET credit = credit + changed.amount
  FROM (
    SELECT company_id, customer_id, sum(amount) AS amount
    FROM (
      SELECT company_id, customer_id, 1 * amount AS amount FROM after_rows
      WHERE invoice_id IS NULL AND customer_id IS NOT NULL AND NOT possible_copy
      UNION ALL
      SELECT company_id, customer_id, -1 * amount AS amount FROM before_rows
      WHERE invoice_id IS NULL AND customer_id IS NOT NULL AND NOT possible_copy) part
    GROUP BY company_id, customer_id HAVING sum(amount) <> 0
  ) changed
  WHERE customer.company_id = changed.company_id AND customer.id = changed.customer_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER payment_placed AFTER UPDATE ON payment
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION follow_placed_payments();

-- An invoice paid with credit is not paid before its issue date. A payment counts as credit if it was neither entered by
-- hand on the invoice nor paid with its KID.
CREATE FUNCTION pay_from_issue_date() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM payment
    WHERE company_id = NEW.company_id AND invoice_id = NEW.id
      AND NOT undone AND (undoes_id IS NULL OR kind = 'PAYMENT')
      AND (source <> 'MANUAL' OR from_id IS NOT NULL)
      AND (kid, account) IS DISTINCT FROM (NEW.kid, NEW.bank_account_number))
  THEN NEW.paid_date := NEW.issue_date; END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER invoice_paid_from_issue_date BEFORE UPDATE OF paid_date ON invoice
  FOR EACH ROW WHEN (NEW.paid_date < NEW.issue_date) EXECUTE FUNCTION pay_from_issue_date();
