import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0105: answers that are given again. A process of the previous version takes no key. */
export const idempotencyKeys: Migration = {
  up: async (db) => {
    await sql`
      CREATE TABLE idempotency_key (
        -- A keyed hash of account, company and key.
        id bytea PRIMARY KEY CHECK (length(id) = 32),
        account_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        -- SHA-256 of method, path and body. NULL while an upload is read.
        request_hash bytea CHECK (length(request_hash) = 32),
        status integer,
        -- Encrypted with a key that the caller alone has.
        answer bytea,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT idempotency_key_answered CHECK ((status IS NULL) = (answer IS NULL)))`.execute(
      db,
    );
    await sql`CREATE INDEX idempotency_key_age ON idempotency_key (created_at)`.execute(db);
    await sql`CREATE INDEX idempotency_key_account ON idempotency_key (account_id)`.execute(db);
  },
};
