-- Accounts of people, and how they log in; members follow the companies. Codes and tokens are kept as keyed hashes: a
-- copy of the database logs nobody in.

CREATE TABLE account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL UNIQUE,
  -- Set by `npm run staff`; STAFF_EMAILS names more.
  is_staff boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_login_at timestamptz,
  CONSTRAINT account_email_of UNIQUE (id, email)
);

CREATE TABLE login_challenge (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL,
  code_hash bytea NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  wrong_codes integer NOT NULL DEFAULT 0,
  code_used_at timestamptz,
  token_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX login_challenge_email ON login_challenge (email);
CREATE INDEX login_challenge_expiry ON login_challenge (expires_at);

-- Counters that all processes share. A crash may lose them, so they need no WAL.
CREATE UNLOGGED TABLE rate_limit (
  key text PRIMARY KEY,
  hits integer NOT NULL,
  resets_at timestamptz NOT NULL
);
