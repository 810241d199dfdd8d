import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0130: members make API tokens with scopes and a last day. The operator's have neither. */
export const apiKeys: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE api_token
        ADD COLUMN uuid uuid NOT NULL DEFAULT gen_random_uuid(),
        ADD COLUMN scopes text[] CONSTRAINT api_token_scopes CHECK (
          cardinality(scopes) > 0 AND scopes <@ '{see,edit,issue,payments,export}'::text[] AND 'see' = ANY (scopes)),
        ADD COLUMN expires_on date,
        ADD CONSTRAINT api_token_ends CHECK ((scopes IS NULL) = (expires_on IS NULL)),
        ADD CONSTRAINT api_token_uuid UNIQUE (company_id, uuid)`.execute(db);
  },
};
