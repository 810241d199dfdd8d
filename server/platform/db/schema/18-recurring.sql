-- Standing assignments, and what their runs made.

CREATE TABLE assignment (
  company_id bigint NOT NULL REFERENCES company (id),
  id bigint GENERATED ALWAYS AS IDENTITY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  name text NOT NULL,
  -- For a group: when the group is deleted, nobody is invoiced in its place.
  by_group boolean NOT NULL,
  group_id bigint,
  -- The terms are the template's at each run.
  by_template boolean NOT NULL,
  template_id integer,
  delivery_type text CHECK (delivery_type IN ('NONE', 'EMAIL', 'EHF', 'EFAKTURA')),
  due_days integer CHECK (due_days > 0),
  message text,
  interval_unit text NOT NULL,
  interval_count integer NOT NULL,
  day integer CHECK (day BETWEEN 1 AND 31),
  is_last_day boolean NOT NULL,
  first_date date NOT NULL,
  last_date date,
  occurrences integer CHECK (occurrences > 0),
  mode text NOT NULL CHECK (mode IN ('DRAFT', 'SEND')),
  state text NOT NULL CHECK (state IN ('ACTIVE', 'PAUSED', 'ENDED')),
  -- The start of the next period, the last day of the last period made, and the day before which nothing is owed
  -- because the assignment was paused or had ended.
  next_date date,
  made_through date,
  owed_from date,
  times_made integer NOT NULL DEFAULT 0 CHECK (times_made >= 0),
  -- The code of why a due period is not made. The owner has been notified.
  obstacle text,
  -- Numbers of deleted customers that were recipients, until its next run reports them.
  lost_customers integer[] NOT NULL DEFAULT '{}',
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, group_id) REFERENCES customer_group (company_id, id) ON DELETE SET NULL (group_id),
  FOREIGN KEY (company_id, template_id) REFERENCES invoice_template (company_id, id) ON DELETE SET NULL (template_id),
  CONSTRAINT assignment_check CHECK (by_group OR group_id IS NULL),
  CONSTRAINT assignment_check1 CHECK (by_template OR template_id IS NULL),
  CONSTRAINT assignment_check2 CHECK (by_template = (delivery_type IS NULL) AND by_template = (due_days IS NULL)),
  CONSTRAINT assignment_check3 CHECK (CASE interval_unit
    WHEN 'WEEK' THEN interval_count BETWEEN 1 AND 4 AND day IS NULL AND NOT is_last_day
    WHEN 'MONTH' THEN interval_count IN (1, 2, 3, 6, 12) AND is_last_day = (day IS NULL)
    ELSE false END),
  CONSTRAINT assignment_check4 CHECK (last_date IS NULL OR occurrences IS NULL),
  CONSTRAINT assignment_check5 CHECK ((state = 'ACTIVE') = (next_date IS NOT NULL)),
  CONSTRAINT assignment_check6 CHECK (obstacle IS NULL OR state = 'ACTIVE'),
  CONSTRAINT assignment_check7 CHECK (next_date > made_through),
  CONSTRAINT assignment_check8 CHECK ((times_made > 0) = (made_through IS NOT NULL))
);
CREATE INDEX assignment_due ON assignment (next_date) WHERE next_date IS NOT NULL;
CREATE INDEX assignment_of_group ON assignment (company_id, group_id) WHERE group_id IS NOT NULL;
CREATE INDEX assignment_of_template ON assignment (company_id, template_id) WHERE template_id IS NOT NULL;
CREATE TRIGGER version BEFORE UPDATE OF name, group_id, template_id, delivery_type, due_days, message,
    interval_unit, interval_count, day, is_last_day, first_date, last_date, occurrences, mode ON assignment
  FOR EACH ROW EXECUTE FUNCTION count_version();

CREATE TABLE assignment_line (
  company_id bigint NOT NULL,
  assignment_id bigint NOT NULL,
  "position" integer NOT NULL,
  quantity bigint NOT NULL,
  thousandths smallint NOT NULL DEFAULT 0,
  unit text,
  description text NOT NULL,
  net_unit_amount bigint NOT NULL,
  vat_rate integer NOT NULL,
  vat_treatment text,
  product_number text,
  PRIMARY KEY (company_id, assignment_id, "position"),
  FOREIGN KEY (company_id, assignment_id) REFERENCES assignment (company_id, id) ON DELETE CASCADE,
  CONSTRAINT assignment_line_quantity CHECK (quantity >= 0 AND (thousandths BETWEEN 0 AND 999) AND (quantity <> 0
    OR thousandths <> 0) AND (thousandths = 0 OR unit IS NOT NULL)),
  CONSTRAINT assignment_line_unit CHECK (unit ~ '^[0-9A-Z]{2,3}$'),
  CONSTRAINT assignment_line_product CHECK (length(product_number) BETWEEN 1 AND 20),
  CONSTRAINT assignment_line_vat CHECK (vat_treatment IS NOT NULL
    AND ((vat_treatment = 'STANDARD' AND vat_rate = 25) OR (vat_treatment = 'FOOD' AND vat_rate = 15)
      OR (vat_treatment = 'REDUCED' AND vat_rate IN (6, 12))
      OR (vat_treatment IN ('EXEMPT', 'EXPORT', 'OUTSIDE', 'REVERSE', 'NOT_REGISTERED') AND vat_rate = 0)))
);
CREATE TRIGGER assignment_line_treated BEFORE INSERT ON assignment_line
  FOR EACH ROW WHEN (NEW.vat_treatment IS NULL) EXECUTE FUNCTION treat_line();
CREATE TRIGGER assignment_line_treated_anew BEFORE UPDATE ON assignment_line
  FOR EACH ROW WHEN (NEW.vat_treatment IS NULL
    OR (NEW.vat_rate <> OLD.vat_rate AND NEW.vat_treatment = OLD.vat_treatment))
  EXECUTE FUNCTION treat_line();

CREATE TABLE assignment_customer (
  company_id bigint NOT NULL,
  assignment_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  PRIMARY KEY (company_id, assignment_id, customer_id),
  FOREIGN KEY (company_id, assignment_id) REFERENCES assignment (company_id, id) ON DELETE CASCADE,
  FOREIGN KEY (company_id, customer_id) REFERENCES customer (company_id, id) ON DELETE CASCADE
);
CREATE INDEX assignment_customer_customer ON assignment_customer (company_id, customer_id);

-- A run makes one period, for those who were recipients when it began.
CREATE TABLE assignment_run (
  company_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  assignment_id bigint NOT NULL,
  period_from date NOT NULL,
  period_to date NOT NULL,
  -- The day in Oslo on which it began.
  run_on date NOT NULL,
  mode text NOT NULL CHECK (mode IN ('DRAFT', 'SEND')),
  -- The content of the invoices, fixed when the run began.
  content jsonb NOT NULL,
  by_type text NOT NULL CHECK (by_type IN ('ACCOUNT', 'TOKEN', 'SYSTEM')),
  by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, assignment_id, period_from),
  FOREIGN KEY (company_id, assignment_id) REFERENCES assignment (company_id, id) ON DELETE CASCADE,
  CONSTRAINT assignment_run_check CHECK (period_to >= period_from),
  CONSTRAINT assignment_run_check1 CHECK (run_on >= period_from)
);
CREATE UNIQUE INDEX assignment_run_unfinished ON assignment_run (company_id, assignment_id) WHERE finished_at IS NULL;

CREATE TABLE assignment_run_recipient (
  company_id bigint NOT NULL,
  run_id bigint NOT NULL,
  customer_number integer NOT NULL,
  customer_id bigint,
  invoice_id bigint,
  done boolean NOT NULL DEFAULT false,
  -- The code of why the invoice stayed a draft, and the field that it concerns.
  failure text,
  failure_subject text,
  PRIMARY KEY (company_id, run_id, customer_number),
  FOREIGN KEY (company_id, customer_id) REFERENCES customer (company_id, id) ON DELETE SET NULL (customer_id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id) ON DELETE SET NULL (invoice_id),
  FOREIGN KEY (company_id, run_id) REFERENCES assignment_run (company_id, id) ON DELETE CASCADE,
  CONSTRAINT assignment_run_recipient_check CHECK (done OR (invoice_id IS NULL AND failure IS NULL))
);
CREATE UNIQUE INDEX assignment_run_recipient_invoice
  ON assignment_run_recipient (company_id, invoice_id)
  WHERE invoice_id IS NOT NULL;
CREATE INDEX assignment_run_recipient_left
  ON assignment_run_recipient (company_id, run_id, customer_number)
  WHERE NOT done;
CREATE UNIQUE INDEX assignment_run_recipient_once
  ON assignment_run_recipient (company_id, customer_id, run_id)
  WHERE customer_id IS NOT NULL;

-- No code may start anew, make a period again, or serve a recipient of a run twice.
CREATE FUNCTION keep_assignment_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what an assignment has made stays made' USING ERRCODE = 'check_violation';
END
$$;
CREATE TRIGGER assignment_in_order BEFORE UPDATE ON assignment
  FOR EACH ROW WHEN (NEW.times_made < OLD.times_made OR NEW.made_through < OLD.made_through
    OR (OLD.times_made > 0 AND NEW.first_date <> OLD.first_date))
  EXECUTE FUNCTION keep_assignment_in_order();
CREATE TRIGGER assignment_run_in_order BEFORE UPDATE ON assignment_run
  FOR EACH ROW WHEN (OLD.finished_at IS NOT NULL OR NEW.period_from <> OLD.period_from
    OR NEW.period_to <> OLD.period_to OR NEW.assignment_id <> OLD.assignment_id)
  EXECUTE FUNCTION keep_assignment_in_order();
CREATE TRIGGER assignment_run_recipient_in_order BEFORE UPDATE ON assignment_run_recipient
  FOR EACH ROW WHEN (OLD.done AND (NOT NEW.done
    OR (NEW.invoice_id IS NOT NULL AND NEW.invoice_id IS DISTINCT FROM OLD.invoice_id)))
  EXECUTE FUNCTION keep_assignment_in_order();
