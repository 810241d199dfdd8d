import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * 0081: a company has members, and an account may belong to several companies. The account of each company becomes its
 * first owner. A process of the previous version still makes a company with its account alone, so a trigger makes the
 * owner.
 */
export const members: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE account ADD COLUMN last_login_at timestamptz,
        ADD CONSTRAINT account_email_of UNIQUE (id, email)`.execute(db);
    await sql`
      ALTER TABLE company
        ADD COLUMN uuid uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT company_uuid_key UNIQUE,
        ADD COLUMN created_at timestamptz NOT NULL DEFAULT now(),
        -- One of the owners; not UNIQUE any more, because an account may own several companies.
        DROP CONSTRAINT company_account_id_key`.execute(db);
    await sql`
      UPDATE company SET created_at = account.created_at FROM account
      WHERE account.id = company.account_id`.execute(db);
    await sql`
      UPDATE account SET last_login_at = (
        SELECT max(created_at) FROM session WHERE session.account_id = account.id)`.execute(db);
    await createTable(db);
    await sql`
      INSERT INTO member (company_id, account_id, email, role)
      SELECT company.id, account.id, account.email, 'OWNER'
      FROM company JOIN account ON account.id = company.account_id`.execute(db);
    await keepOwners(db);
    await nameCompanies(db);
  },
};

async function createTable(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    )`.execute(db);
  await sql`CREATE INDEX member_account ON member (account_id)`.execute(db);
}

/** A company always has an owner without a last day. Its row is locked, so two owners cannot both leave at once. */
async function keepOwners(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION add_first_owner() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO member (company_id, account_id, email, role)
      SELECT NEW.id, id, email, 'OWNER' FROM account WHERE id = NEW.account_id;
      RETURN NULL;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER company_first_owner AFTER INSERT ON company
      FOR EACH ROW EXECUTE FUNCTION add_first_owner()`.execute(db);
  await sql`
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
    $$`.execute(db);
  await sql`
    CREATE CONSTRAINT TRIGGER member_owner_kept AFTER UPDATE OR DELETE ON member FOR EACH ROW
      WHEN (OLD.role = 'OWNER' AND OLD.account_id IS NOT NULL AND OLD.ends_on IS NULL)
      EXECUTE FUNCTION keep_owner()`.execute(db);
}

/** A session chooses a company, and a token has one. Both lose it with the membership. */
async function nameCompanies(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE session ADD COLUMN company_id bigint,
      ADD CONSTRAINT session_member FOREIGN KEY (company_id, account_id)
        REFERENCES member (company_id, account_id) ON DELETE SET NULL (company_id)`.execute(db);
  await sql`CREATE INDEX session_member ON session (company_id, account_id)`.execute(db);
  await sql`ALTER TABLE api_token ADD COLUMN company_id bigint`.execute(db);
  await sql`
    UPDATE api_token SET company_id = company.id FROM company
    WHERE company.account_id = api_token.account_id`.execute(db);
  await sql`
    ALTER TABLE api_token ALTER COLUMN company_id SET NOT NULL,
      ADD CONSTRAINT api_token_member FOREIGN KEY (company_id, account_id)
        REFERENCES member (company_id, account_id) ON DELETE CASCADE`.execute(db);
  await sql`CREATE INDEX api_token_member ON api_token (company_id, account_id)`.execute(db);
}
