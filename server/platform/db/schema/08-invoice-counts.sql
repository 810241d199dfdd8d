-- Counts of a company's invoices and the amounts owed to it, kept by a trigger: a list of a million invoices counts
-- nothing.
-- The overdue sum is the outstanding sum less the few days due from today on.

-- Amounts are øre, numeric because a sum of many may exceed a bigint.
CREATE TABLE invoice_count (
  company_id bigint PRIMARY KEY REFERENCES company (id) ON DELETE CASCADE,
  drafts bigint NOT NULL DEFAULT 0 CHECK (drafts >= 0),
  registered bigint NOT NULL DEFAULT 0 CHECK (registered >= 0),
  paid bigint NOT NULL DEFAULT 0 CHECK (paid >= 0),
  cancelled bigint NOT NULL DEFAULT 0 CHECK (cancelled >= 0),
  sent bigint NOT NULL DEFAULT 0 CHECK (sent >= 0),
  outstanding bigint NOT NULL DEFAULT 0,
  outstanding_amount numeric NOT NULL DEFAULT 0,
  CONSTRAINT invoice_count_outstanding CHECK (outstanding >= 0 AND outstanding_amount >= 0)
);

-- Every company has its row from the start, so counting is always an update.
CREATE FUNCTION begin_invoice_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO invoice_count (company_id) VALUES (NEW.id);
  RETURN NULL;
END
$$;
CREATE TRIGGER company_invoice_count AFTER INSERT ON company
  FOR EACH ROW EXECUTE FUNCTION begin_invoice_count();

CREATE TABLE invoice_due (
  company_id bigint NOT NULL REFERENCES company (id) ON DELETE CASCADE,
  due_date date NOT NULL,
  outstanding bigint NOT NULL,
  outstanding_amount numeric NOT NULL,
  PRIMARY KEY (company_id, due_date)
);

CREATE FUNCTION count_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Transition tables differ by event, and a branch is planned only when it runs. Only drafts are added and
  -- deleted, and nothing is due of them.
  IF TG_OP = 'INSERT' THEN
    UPDATE invoice_count total SET drafts = total.drafts + delta.drafts
    FROM (
      SELECT company_id, 1 * count(*) AS drafts
      FROM after_rows GROUP BY company_id
    ) delta
    WHERE total.company_id = delta.company_id;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE invoice_count total SET drafts = total.drafts + delta.drafts
    FROM (
      SELECT company_id, -1 * count(*) AS drafts
      FROM before_rows GROUP BY company_id
    ) delta
    WHERE total.company_id = delta.company_id;
  ELSE
    -- The company's row first: its lock also orders those who change invoice_due.
    UPDATE invoice_count total SET
      drafts = total.drafts + delta.drafts,
      registered = total.registered + delta.registered,
      paid = total.paid + delta.paid,
      cancelled = total.cancelled + delta.cancelled,
      sent = total.sent + delta.sent,
      outstanding = total.outstanding + delta.outstanding,
      outstanding_amount = total.outstanding_amount + delta.outstanding_amount
    FROM (
      SELECT company_id,
        COALESCE(sum(change) FILTER (WHERE status = 'DRAFT'), 0) AS drafts,
        COALESCE(sum(change) FILTER (WHERE status = 'REGISTERED'), 0) AS registered,
        COALESCE(sum(change) FILTER (WHERE status = 'PAID'), 0) AS paid,
        COALESCE(sum(change) FILTER (WHERE status = 'CANCELLED'), 0) AS cancelled,
        COALESCE(sum(change) FILTER (WHERE delivery_status = 'SENT'), 0) AS sent,
        COALESCE(sum(change) FILTER (WHERE owed IS NOT NULL), 0) AS outstanding,
        COALESCE(sum(owed), 0) AS outstanding_amount
      FROM (
        SELECT company_id, status, delivery_status, due_date, 1 AS change,
          CASE WHEN kind = 'INVOICE' AND status = 'REGISTERED' AND gross_amount > credited_amount
            THEN 1 * GREATEST(0, gross_amount - credited_amount - paid_amount) END AS owed
        FROM after_rows
        UNION ALL
        SELECT company_id, status, delivery_status, due_date, -1 AS change,
          CASE WHEN kind = 'INVOICE' AND status = 'REGISTERED' AND gross_amount > credited_amount
            THEN -1 * GREATEST(0, gross_amount - credited_amount - paid_amount) END AS owed
        FROM before_rows) changed GROUP BY company_id
    ) delta
    WHERE total.company_id = delta.company_id
      AND (delta.drafts, delta.registered, delta.paid, delta.cancelled, delta.sent,
        delta.outstanding, delta.outstanding_amount) <> (0, 0, 0, 0, 0, 0, 0);
    INSERT INTO invoice_due AS total (company_id, due_date, outstanding, outstanding_amount)
    SELECT company_id, due_date, sum(change), sum(owed)
    FROM (
      SELECT company_id, status, delivery_status, due_date, 1 AS change,
        CASE WHEN kind = 'INVOICE' AND status = 'REGISTERED' AND gross_amount > credited_amount
          THEN 1 * GREATEST(0, gross_amount - credited_amount - paid_amount) END AS owed
      FROM after_rows
      UNION ALL
      SELECT company_id, status, delivery_status, due_date, -1 AS change,
        CASE WHEN kind = 'INVOICE' AND status = 'REGISTERED' AND gross_amount > credited_amount
          THEN -1 * GREATEST(0, gross_amount - credited_amount - paid_amount) END AS owed
      FROM before_rows) changed WHERE owed IS NOT NULL
    GROUP BY company_id, due_date HAVING sum(change) <> 0 OR sum(owed) <> 0
    -- One order, so that two transactions never wait for each other.
    ORDER BY company_id, due_date
    ON CONFLICT (company_id, due_date) DO UPDATE SET
      outstanding = total.outstanding + excluded.outstanding,
      outstanding_amount = total.outstanding_amount + excluded.outstanding_amount;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER invoice_count_delete AFTER DELETE ON invoice
  REFERENCING OLD TABLE AS before_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_invoices();
CREATE TRIGGER invoice_count_insert AFTER INSERT ON invoice
  REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_invoices();
CREATE TRIGGER invoice_count_update AFTER UPDATE ON invoice
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_invoices();
