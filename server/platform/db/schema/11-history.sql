-- The history of each invoice: who did what, when. Rows never change.

CREATE TABLE history_event (
  company_id bigint NOT NULL,
  invoice_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- Not the transaction's start: it may have waited for the event before this one.
  at timestamptz NOT NULL DEFAULT statement_timestamp(),
  kind text NOT NULL CHECK (kind IN ('CREATED', 'CHANGED', 'REGISTERED', 'QUEUED', 'SENT', 'FAILED', 'PAID',
    'UNPAID', 'PAYMENT', 'CREDITED', 'REMINDED', 'DISPUTED', 'RESOLVED')),
  by_type text NOT NULL CHECK (by_type IN ('ACCOUNT', 'TOKEN', 'STAFF', 'BANK', 'SYSTEM')),
  by_name text NOT NULL,
  details jsonb NOT NULL CHECK (jsonb_typeof(details) = 'object'),
  PRIMARY KEY (company_id, invoice_id, id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id) ON DELETE CASCADE
);

CREATE FUNCTION keep_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The history of a deleted draft goes with it. A registered invoice is never deleted.
  IF TG_OP = 'DELETE' THEN
    IF NOT EXISTS (
      SELECT FROM invoice WHERE company_id = OLD.company_id AND id = OLD.invoice_id)
    THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'history never changes' USING ERRCODE = 'check_violation';
END
$$;
CREATE TRIGGER history_event_kept BEFORE DELETE OR UPDATE ON history_event
  FOR EACH ROW EXECUTE FUNCTION keep_history();
CREATE TRIGGER history_event_not_emptied BEFORE TRUNCATE ON history_event
  FOR EACH STATEMENT EXECUTE FUNCTION keep_history();
