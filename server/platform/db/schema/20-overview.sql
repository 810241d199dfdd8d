-- Sums of a company's invoices by day and due date, so that the overview of a million invoices reads thousands of rows; and
-- the links that show it.

-- Amounts are øre, numeric because a sum of many may exceed a bigint.
CREATE TABLE invoice_day (
  company_id bigint NOT NULL REFERENCES company (id) ON DELETE CASCADE,
  day date NOT NULL,
  due_date date NOT NULL,
  -- Sums of the documents issued on the day, less credit notes.
  net_amount numeric NOT NULL,
  vat_amount numeric NOT NULL,
  -- How the day changed what is owed of the invoices that are due on the due date, and their number.
  outstanding_amount numeric NOT NULL,
  outstanding bigint NOT NULL,
  PRIMARY KEY (company_id, day, due_date)
);

-- OVER-4: the sums of all invoices. How new rows change what is owed, day by day: nothing is owed before the issue date, so
-- an earlier payment counts from then.
CREATE FUNCTION invoice_days(company bigint) RETURNS TABLE (
  day date, due_date date, net_amount numeric, vat_amount numeric,
  outstanding_amount numeric, outstanding bigint)
LANGUAGE sql STABLE AS $$
SELECT day, due_date, sum(net), sum(vat), sum(amount), sum(many)::bigint FROM (
  SELECT issue_date AS day, due_date, CASE kind WHEN 'INVOICE' THEN 1 ELSE -1 END * net_amount AS net,
    CASE kind WHEN 'INVOICE' THEN 1 ELSE -1 END * vat_amount AS vat,
    0 AS amount, 0 AS many
  FROM invoice WHERE company_id = company AND status <> 'DRAFT'
  UNION ALL
  SELECT day, due_date, 0, 0, amount, many FROM (
    SELECT day, due_date, sum(added) AS amount,
      sum((rest > 0)::integer - (rest - amount > 0)::integer
        - (before > 0)::integer + (before - amount + added > 0)::integer) AS many
    FROM (
      SELECT day, due_date, sum(amount) AS amount, sum(added) AS added,
        sum(sum(amount)) OVER (PARTITION BY id ORDER BY day) AS rest,
        sum(sum(amount - added)) OVER (PARTITION BY id ORDER BY day) AS before
      FROM (
        SELECT id, due_date, day, amount, CASE WHEN is_new THEN amount ELSE 0 END AS added
        FROM (
          SELECT id, due_date, issue_date AS day, gross_amount AS amount, true AS is_new
          FROM invoice
          WHERE company_id = company AND kind = 'INVOICE' AND status <> 'DRAFT' AND true
          UNION ALL
          SELECT invoice.id, invoice.due_date, GREATEST(note.issue_date, invoice.issue_date),
            -note.gross_amount, true
          FROM invoice CROSS JOIN LATERAL (
            SELECT id, issue_date, gross_amount FROM invoice note
            WHERE note.company_id = company AND note.credits_invoice_id = invoice.id
              AND note.status <> 'DRAFT'
          ) note
          WHERE invoice.company_id = company AND true
          UNION ALL
          SELECT invoice.id, invoice.due_date, GREATEST(
              -- A row that takes back a reversal is booked on the day of what it takes back.
              CASE WHEN payment.kind = 'PAYMENT' AND payment.undoes_id IS NOT NULL THEN (
                SELECT taken.paid_on FROM payment taken
                WHERE taken.company_id = company AND taken.id = payment.undoes_id)
              ELSE payment.paid_on END, invoice.issue_date),
            payment.reminder_amount - payment.amount, true
          FROM invoice CROSS JOIN LATERAL (
            SELECT id, kind, undoes_id, paid_on, amount, reminder_amount FROM payment
            WHERE payment.company_id = company AND payment.invoice_id = invoice.id
          ) payment
          WHERE invoice.company_id = company AND true
        ) event
      ) part GROUP BY id, due_date, day
    ) step GROUP BY day, due_date
  ) owed
) part GROUP BY day, due_date
$$;

CREATE FUNCTION count_invoice_days(company bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- The lock comes first, so what is read after it includes what others have committed.
  PERFORM FROM invoice_count WHERE company_id = company FOR NO KEY UPDATE;
  DELETE FROM invoice_day WHERE company_id = company;
  INSERT INTO invoice_day AS total
    (company_id, day, due_date, net_amount, vat_amount, outstanding_amount, outstanding)
  SELECT company, days.* FROM invoice_days(company) days;
END
$$;

-- Adds the effect of new credit notes and payments on their invoices, as `invoice_days` counts it. OFFSET 0 keeps the planner
-- from reading all notes and payments of the company for a few invoices. Rows are locked in one order, so that two
-- transactions never wait for each other.
CREATE FUNCTION follow_invoice_days(company bigint, invoices bigint[], new_notes bigint[], new_payments bigint[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM invoice_count WHERE company_id = company FOR NO KEY UPDATE;
  INSERT INTO invoice_day AS total
    (company_id, day, due_date, net_amount, vat_amount, outstanding_amount, outstanding)
  SELECT company AS company_id, day, due_date, 0, 0, amount, many
  FROM (
    SELECT day, due_date, sum(added) AS amount,
      sum((rest > 0)::integer - (rest - amount > 0)::integer
        - (before > 0)::integer + (before - amount + added > 0)::integer) AS many
    FROM (
      SELECT day, due_date, sum(amount) AS amount, sum(added) AS added,
        sum(sum(amount)) OVER (PARTITION BY id ORDER BY day) AS rest,
        sum(sum(amount - added)) OVER (PARTITION BY id ORDER BY day) AS before
      FROM (
        SELECT id, due_date, day, amount, CASE WHEN is_new THEN amount ELSE 0 END AS added
        FROM (
          SELECT id, due_date, issue_date AS day, gross_amount AS amount, false AS is_new
          FROM invoice
          WHERE company_id = company AND kind = 'INVOICE' AND status <> 'DRAFT' AND invoice.id = ANY(invoices)
          UNION ALL
          SELECT invoice.id, invoice.due_date, GREATEST(note.issue_date, invoice.issue_date),
            -note.gross_amount, note.id IN (SELECT unnest(new_notes))
          FROM invoice CROSS JOIN LATERAL (
            SELECT id, issue_date, gross_amount FROM invoice note
            WHERE note.company_id = company AND note.credits_invoice_id = invoice.id
              AND note.status <> 'DRAFT' OFFSET 0
          ) note
          WHERE invoice.company_id = company AND invoice.id = ANY(invoices)
          UNION ALL
          SELECT invoice.id, invoice.due_date, GREATEST(
              -- A row that takes back a reversal is booked on the day of what it takes back.
              CASE WHEN payment.kind = 'PAYMENT' AND payment.undoes_id IS NOT NULL THEN (
                SELECT taken.paid_on FROM payment taken
                WHERE taken.company_id = company AND taken.id = payment.undoes_id)
              ELSE payment.paid_on END, invoice.issue_date),
            payment.reminder_amount - payment.amount, payment.id IN (SELECT unnest(new_payments))
          FROM invoice CROSS JOIN LATERAL (
            SELECT id, kind, undoes_id, paid_on, amount, reminder_amount FROM payment
            WHERE payment.company_id = company AND payment.invoice_id = invoice.id OFFSET 0
          ) payment
          WHERE invoice.company_id = company AND invoice.id = ANY(invoices)
        ) event
      ) part GROUP BY id, due_date, day
    ) step GROUP BY day, due_date
  ) change WHERE amount <> 0 OR many <> 0
  ORDER BY company_id, day, due_date
  ON CONFLICT (company_id, day, due_date) DO UPDATE SET
    net_amount = total.net_amount + excluded.net_amount,
    vat_amount = total.vat_amount + excluded.vat_amount,
    outstanding_amount = total.outstanding_amount + excluded.outstanding_amount,
    outstanding = total.outstanding + excluded.outstanding;
END
$$;

CREATE FUNCTION follow_payment_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM follow_invoice_days(company_id, array_agg(DISTINCT invoice_id), '{}', array_agg(id))
    FROM after_rows WHERE invoice_id IS NOT NULL GROUP BY company_id;
  ELSE
    PERFORM follow_invoice_days(company_id, array_agg(DISTINCT invoice_id), '{}', array_agg(id))
    FROM (
      SELECT company_id, invoice_id, id FROM after_rows WHERE invoice_id IS NOT NULL
      EXCEPT SELECT company_id, invoice_id, id FROM before_rows
    ) placed GROUP BY company_id;
  END IF;
  RETURN NULL;
END
$$;
-- Their names come after those of the triggers that settle the invoices, which lock them.
CREATE TRIGGER payment_summed AFTER INSERT ON payment
  REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION follow_payment_days();
CREATE TRIGGER payment_summed_placed AFTER UPDATE ON payment
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION follow_payment_days();

-- Documents never change once they are registered, so before and after differ in those that this registers.
CREATE FUNCTION follow_registered_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO invoice_day AS total
    (company_id, day, due_date, net_amount, vat_amount, outstanding_amount, outstanding)
  SELECT company_id, day, due_date, sum(net), sum(vat), sum(amount), sum(many)
  FROM (
    SELECT company_id, issue_date AS day, due_date,
      CASE kind WHEN 'INVOICE' THEN 1 ELSE -1 END * 1 * net_amount AS net,
      CASE kind WHEN 'INVOICE' THEN 1 ELSE -1 END * 1 * vat_amount AS vat,
      CASE kind WHEN 'INVOICE' THEN 1 * gross_amount ELSE 0 END AS amount,
      CASE WHEN kind = 'INVOICE' AND gross_amount > 0 THEN 1 ELSE 0 END AS many
    FROM after_rows WHERE status <> 'DRAFT'
    UNION ALL
    SELECT company_id, issue_date AS day, due_date,
      CASE kind WHEN 'INVOICE' THEN 1 ELSE -1 END * -1 * net_amount AS net,
      CASE kind WHEN 'INVOICE' THEN 1 ELSE -1 END * -1 * vat_amount AS vat,
      CASE kind WHEN 'INVOICE' THEN -1 * gross_amount ELSE 0 END AS amount,
      CASE WHEN kind = 'INVOICE' AND gross_amount > 0 THEN -1 ELSE 0 END AS many
    FROM before_rows WHERE status <> 'DRAFT') changed
  GROUP BY company_id, day, due_date
  HAVING sum(net) <> 0 OR sum(vat) <> 0 OR sum(amount) <> 0 OR sum(many) <> 0
  ORDER BY company_id, day, due_date
  ON CONFLICT (company_id, day, due_date) DO UPDATE SET
    net_amount = total.net_amount + excluded.net_amount,
    vat_amount = total.vat_amount + excluded.vat_amount,
    outstanding_amount = total.outstanding_amount + excluded.outstanding_amount,
    outstanding = total.outstanding + excluded.outstanding;
  PERFORM follow_invoice_days(company_id, array_agg(DISTINCT credits_invoice_id), array_agg(id), '{}')
  FROM (
    SELECT company_id, credits_invoice_id, id FROM after_rows
    WHERE kind = 'CREDIT_NOTE' AND status <> 'DRAFT'
    EXCEPT
    SELECT company_id, credits_invoice_id, id FROM before_rows
    WHERE kind = 'CREDIT_NOTE' AND status <> 'DRAFT') registered GROUP BY company_id;
  RETURN NULL;
END
$$;
-- Its name comes after that of the trigger that counts, which locks the company's counts.
CREATE TRIGGER invoice_summed AFTER UPDATE ON invoice
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION follow_registered_days();

CREATE TABLE overview_link (
  company_id bigint NOT NULL REFERENCES company (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Only its hash is kept.
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  shows text[] NOT NULL,
  from_date date,
  to_date date,
  period text CHECK (period IN ('THIS_YEAR', 'LAST_YEAR', 'LAST_12_MONTHS')),
  email text CHECK (length(email) BETWEEN 3 AND 254),
  by_type text NOT NULL CHECK (by_type IN ('ACCOUNT', 'TOKEN', 'STAFF', 'SYSTEM')),
  by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  days integer NOT NULL CHECK (days IN (7, 30, 90, 365)),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  -- The last code that was mailed, while it can be used.
  code_hash bytea CHECK (length(code_hash) = 32),
  code_expires_at timestamptz,
  wrong_codes integer NOT NULL DEFAULT 0 CHECK (wrong_codes >= 0),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, uuid),
  CONSTRAINT overview_link_shows CHECK (
    cardinality(shows) BETWEEN 1 AND 5
    AND shows <@ ARRAY['TURNOVER', 'VAT', 'OUTSTANDING', 'OVERDUE', 'CUSTOMERS']),
  CONSTRAINT overview_link_period CHECK (
    CASE WHEN period IS NULL THEN from_date <= to_date AND from_date IS NOT NULL AND to_date IS NOT NULL
      ELSE from_date IS NULL AND to_date IS NULL END),
  -- Names of customers are shown to a known person alone (OVER-12).
  CONSTRAINT overview_link_customers CHECK (email IS NOT NULL OR NOT 'CUSTOMERS' = ANY (shows)),
  CONSTRAINT overview_link_end CHECK (expires_at = created_at + make_interval(hours => 24 * days)),
  CONSTRAINT overview_link_code CHECK (
    (code_hash IS NULL) = (code_expires_at IS NULL) AND (code_hash IS NULL OR email IS NOT NULL))
);

-- The audit of a link: no address and no other trace of a person.
CREATE TABLE overview_link_use (
  company_id bigint NOT NULL,
  link_id bigint NOT NULL,
  day date NOT NULL,
  first_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, link_id, day),
  FOREIGN KEY (company_id, link_id) REFERENCES overview_link (company_id, id) ON DELETE CASCADE
);

-- OVER-13: the lock of the company makes one wait for another that is adding too.
CREATE FUNCTION keep_few_overview_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM company WHERE id = NEW.company_id FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM overview_link
      WHERE company_id = NEW.company_id AND revoked_at IS NULL AND expires_at > now()) >= 20
  THEN
    RAISE EXCEPTION 'a company has at most 20 links to its overview' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER overview_link_few BEFORE INSERT ON overview_link
  FOR EACH ROW EXECUTE FUNCTION keep_few_overview_links();

-- A link never changes, because its holder knows what it shows. It is deleted a month after its end.
CREATE FUNCTION keep_overview_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (to_jsonb(NEW) - '{revoked_at,code_hash,code_expires_at,wrong_codes}'::text[])
      IS DISTINCT FROM (to_jsonb(OLD) - '{revoked_at,code_hash,code_expires_at,wrong_codes}'::text[])
    OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
  THEN
    RAISE EXCEPTION 'a link to the overview never changes' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER overview_link_kept BEFORE UPDATE ON overview_link
  FOR EACH ROW EXECUTE FUNCTION keep_overview_link();
