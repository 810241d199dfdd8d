import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0112: links of invoices for their customers, and whether a company has them. */
export const invoiceLinks: Migration = {
  up: async (db) => {
    await sql`
      CREATE TABLE portal_settings (
        company_id bigint PRIMARY KEY REFERENCES company (id) ON DELETE CASCADE,
        enabled boolean NOT NULL,
        show_all boolean NOT NULL)`.execute(db);
    await sql`
      CREATE TABLE invoice_link (
        company_id bigint NOT NULL,
        invoice_id bigint NOT NULL,
        -- The token is derived from it and the secret key. Only its hash is kept.
        uuid uuid NOT NULL,
        token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
        renewed_at timestamptz,
        -- The last code that was mailed, while it can be used.
        code_hash bytea CHECK (length(code_hash) = 32),
        code_expires_at timestamptz,
        wrong_codes integer NOT NULL DEFAULT 0 CHECK (wrong_codes >= 0),
        PRIMARY KEY (company_id, invoice_id),
        UNIQUE (company_id, uuid),
        FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id) ON DELETE CASCADE,
        CONSTRAINT invoice_link_code CHECK ((code_hash IS NULL) = (code_expires_at IS NULL)))`.execute(
      db,
    );
  },
};
