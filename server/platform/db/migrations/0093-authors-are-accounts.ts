import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * 0093: exports and links to the overview know the account that made them, because names of tokens are not unique. The
 * rows of exports never change, so what becomes of a link when its author leaves stands in a table of its own. Earlier
 * ones get the account where their name leaves no doubt.
 */
export const authorsAreAccounts: Migration = {
  up: async (db) => {
    await sql`
      CREATE TABLE export_author (
        company_id bigint NOT NULL,
        export_id bigint NOT NULL,
        account_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        -- No reference: it tells two tokens apart after one was revoked.
        token_id bigint,
        -- The owner in whose name the link goes on after its author was removed.
        kept_by bigint REFERENCES account (id) ON DELETE SET NULL,
        link_ended_at timestamptz,
        PRIMARY KEY (company_id, export_id),
        FOREIGN KEY (company_id, export_id) REFERENCES export (company_id, id)
      )`.execute(db);
    await sql`
      INSERT INTO export_author (company_id, export_id, account_id, token_id)
      SELECT export.company_id, export.id, account.id, NULL FROM export
      JOIN account ON account.email = export.by_name
      WHERE export.by_type = 'ACCOUNT'
      UNION ALL
      SELECT export.company_id, export.id, min(api_token.account_id), min(api_token.id) FROM export
      JOIN api_token ON api_token.company_id = export.company_id AND api_token.name = export.by_name
      WHERE export.by_type = 'TOKEN'
      GROUP BY export.company_id, export.id HAVING count(*) = 1`.execute(db);
    await sql`
      ALTER TABLE overview_link ADD COLUMN account_id bigint REFERENCES account (id) ON DELETE SET NULL
    `.execute(db);
    await keepLinks(db);
    await sql`
      UPDATE overview_link SET account_id = account.id FROM account
      WHERE overview_link.by_type = 'ACCOUNT' AND account.email = overview_link.by_name`.execute(
      db,
    );
  },
};

/** The contents of a link never change. It may go on in the name of another owner. */
async function keepLinks(db: Parameters<Migration['up']>[0]): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION keep_overview_link() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (to_jsonb(NEW) - '{account_id,revoked_at,code_hash,code_expires_at,wrong_codes}'::text[])
          IS DISTINCT FROM (to_jsonb(OLD) - '{account_id,revoked_at,code_hash,code_expires_at,wrong_codes}'::text[])
        OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
      THEN
        RAISE EXCEPTION 'a link to the overview never changes' USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END
    $$`.execute(db);
}
