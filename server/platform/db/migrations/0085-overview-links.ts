import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** Most links of a company that work at a time (OVER-13). */
const MOST_LINKS = 20;

/** 0085: links that show the overview, and the days on which each was used. */
export const overviewLinks: Migration = {
  up: async (db) => {
    await sql`
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
      )`.execute(db);
    // The audit of a link: no address and no other trace of a person.
    await sql`
      CREATE TABLE overview_link_use (
        company_id bigint NOT NULL,
        link_id bigint NOT NULL,
        day date NOT NULL,
        first_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (company_id, link_id, day),
        FOREIGN KEY (company_id, link_id) REFERENCES overview_link (company_id, id) ON DELETE CASCADE
      )`.execute(db);
    await keepFew(db);
    await keepLink(db);
  },
};

type Db = Parameters<Migration['up']>[0];

/** The lock of the company makes one wait for another that is adding too. */
async function keepFew(db: Db): Promise<void> {
  await sql`
    CREATE FUNCTION keep_few_overview_links() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM company WHERE id = NEW.company_id FOR NO KEY UPDATE;
      IF (SELECT count(*) FROM overview_link
          WHERE company_id = NEW.company_id AND revoked_at IS NULL AND expires_at > now()) >= ${sql.lit(MOST_LINKS)}
      THEN
        RAISE EXCEPTION 'a company has at most ${sql.lit(MOST_LINKS)} links to its overview' USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END
    $$`.execute(db);
  await sql`
    CREATE TRIGGER overview_link_few BEFORE INSERT ON overview_link
      FOR EACH ROW EXECUTE FUNCTION keep_few_overview_links()`.execute(db);
}

/** A link never changes, because its holder knows what it shows. It is deleted a month after its end. */
async function keepLink(db: Db): Promise<void> {
  await sql`
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
    $$`.execute(db);
  await sql`
    CREATE TRIGGER overview_link_kept BEFORE UPDATE ON overview_link
      FOR EACH ROW EXECUTE FUNCTION keep_overview_link()`.execute(db);
}
