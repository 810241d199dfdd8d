import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * Logos by what they are, and which of them a document was issued with. A process of the version before
 * issues documents without one.
 */
export const logos: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db);
  await forgetUnused(db);
  await nameInDocuments(db);
}

async function createTable(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE company_logo (
      company_id bigint NOT NULL REFERENCES company ON DELETE CASCADE,
      sha256 bytea NOT NULL,
      -- A PNG that we have made.
      content bytea NOT NULL CHECK (length(content) <= 1000000),
      -- New documents get it.
      is_current boolean NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (company_id, sha256),
      CONSTRAINT company_logo_sha256 CHECK (sha256 = sha256(content))
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX company_logo_current ON company_logo (company_id) WHERE is_current`.execute(
    db,
  );
}

/** What no document was issued with is gone as soon as it is not the logo any more. */
async function forgetUnused(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION forget_unused_logo() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Waits for whoever is issuing a document with it, which the next statement then sees.
      PERFORM FROM company_logo WHERE company_id = OLD.company_id AND sha256 = OLD.sha256 FOR UPDATE;
      DELETE FROM company_logo
      WHERE company_id = OLD.company_id AND sha256 = OLD.sha256 AND NOT is_current
        AND NOT EXISTS (
          SELECT FROM document WHERE company_id = OLD.company_id AND logo = OLD.sha256);
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER company_logo_unused AFTER UPDATE ON company_logo FOR EACH ROW
    WHEN (OLD.is_current AND NOT NEW.is_current)
    EXECUTE FUNCTION forget_unused_logo()`.execute(db);
}

/** A document keeps the logo that its text names, and no other. */
async function nameInDocuments(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE document
      ADD COLUMN logo bytea,
      ADD CONSTRAINT document_logo FOREIGN KEY (company_id, logo)
        REFERENCES company_logo (company_id, sha256) NOT VALID,
      -- What people write has its quotation marks escaped there.
      ADD CONSTRAINT document_names_logo CHECK (logo IS NOT DISTINCT FROM
        decode(substring(content FROM '"logo":"([0-9a-f]{64})"'), 'hex')) NOT VALID
  `.execute(db);
}
