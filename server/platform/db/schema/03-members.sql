-- The members of a company, and the sessions and tokens by which they call. An account may belong to several companies.

CREATE TABLE member (
  company_id bigint NOT NULL REFERENCES company (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Null until the invitation is accepted.
  account_id bigint,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('OWNER', 'EMPLOYEE', 'ACCOUNTANT', 'AUDITOR')),
  may_register boolean NOT NULL DEFAULT false,
  may_handle_payments boolean NOT NULL DEFAULT false,
  -- The last day in the company, in Oslo.
  ends_on date,
  invited_at timestamptz,
  -- The invitation works until then. Its token is made when it is mailed, and kept as a keyed hash.
  expires_at timestamptz,
  token_hash bytea CONSTRAINT member_token UNIQUE CHECK (length(token_hash) = 32),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, uuid),
  UNIQUE (company_id, email),
  UNIQUE (company_id, account_id),
  FOREIGN KEY (account_id, email) REFERENCES account (id, email) ON UPDATE CASCADE,
  CONSTRAINT member_auditor_reads CHECK (role <> 'AUDITOR' OR NOT (may_register OR may_handle_payments)),
  CONSTRAINT member_invitation CHECK (
    CASE WHEN account_id IS NULL
      THEN invited_at IS NOT NULL AND expires_at IS NOT NULL AND expires_at <= invited_at + interval '14 days'
      ELSE expires_at IS NULL AND token_hash IS NULL END)
);
CREATE INDEX member_account ON member (account_id);

-- The account that makes a company is its first owner.
CREATE FUNCTION add_first_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO member (company_id, account_id, email, role)
  SELECT NEW.id, id, email, 'OWNER' FROM account WHERE id = NEW.account_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER company_first_owner AFTER INSERT ON company
  FOR EACH ROW EXECUTE FUNCTION add_first_owner();

-- MEM-5: a company always has an owner without a last day. Its row is locked, so two owners cannot both leave at once.
CREATE FUNCTION keep_owner() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  named bigint;
  owners bigint[];
BEGIN
  -- The lock comes first, so what is read after it includes what others have committed.
  SELECT account_id INTO named FROM company WHERE id = OLD.company_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT array_agg(account_id ORDER BY id) INTO owners FROM member
  WHERE company_id = OLD.company_id AND role = 'OWNER' AND account_id IS NOT NULL AND ends_on IS NULL;
  IF owners IS NULL THEN
    RAISE EXCEPTION 'a company keeps an owner without a last day' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'member_last_owner';
  END IF;
  IF named <> ALL (owners) THEN
    UPDATE company SET account_id = owners[1] WHERE id = OLD.company_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER member_owner_kept AFTER DELETE OR UPDATE ON member
  FOR EACH ROW WHEN (OLD.role = 'OWNER' AND OLD.account_id IS NOT NULL AND OLD.ends_on IS NULL)
  EXECUTE FUNCTION keep_owner();

-- A session chooses a company, and a token has one. Both lose it with the membership.
CREATE TABLE session (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  company_id bigint,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT session_member FOREIGN KEY (company_id, account_id)
    REFERENCES member (company_id, account_id) ON DELETE SET NULL (company_id)
);
CREATE INDEX session_account ON session (account_id);
CREATE INDEX session_expiry ON session (expires_at);
CREATE INDEX session_member ON session (company_id, account_id);

CREATE TABLE api_token (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  company_id bigint NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  CONSTRAINT api_token_member FOREIGN KEY (company_id, account_id)
    REFERENCES member (company_id, account_id) ON DELETE CASCADE
);
CREATE INDEX api_token_member ON api_token (company_id, account_id);
