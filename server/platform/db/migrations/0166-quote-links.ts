import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0166: links of quotes for their customers. */
export const quoteLinks: Migration = {
  up: async (db) => {
    await sql`
      CREATE TABLE quote_link (
        company_id bigint NOT NULL,
        quote_id bigint NOT NULL,
        -- The token is derived from it and the secret key. Only its hash is kept.
        uuid uuid NOT NULL,
        token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
        -- The last code that was mailed, while it can be used.
        code_hash bytea CHECK (length(code_hash) = 32),
        code_expires_at timestamptz,
        wrong_codes integer NOT NULL DEFAULT 0 CHECK (wrong_codes >= 0),
        PRIMARY KEY (company_id, quote_id),
        UNIQUE (company_id, uuid),
        FOREIGN KEY (company_id, quote_id) REFERENCES quote (company_id, id) ON DELETE CASCADE,
        CONSTRAINT quote_link_code CHECK ((code_hash IS NULL) = (code_expires_at IS NULL)))`.execute(
      db,
    );
  },
};
