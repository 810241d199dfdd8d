import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0122: an account may have passkeys, which log it in and prove its sessions. */
export const passkeys: Migration = {
  up: async (db) => {
    // The id by which authenticators know the account: it never changes, and is not the address.
    await sql`ALTER TABLE account ADD COLUMN user_handle uuid NOT NULL DEFAULT gen_random_uuid()`.execute(
      db,
    );
    await sql`
      CREATE TABLE passkey (
        account_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        id bigint GENERATED ALWAYS AS IDENTITY,
        uuid uuid NOT NULL DEFAULT gen_random_uuid(),
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
        credential_id bytea NOT NULL CONSTRAINT passkey_credential UNIQUE
          CHECK (length(credential_id) BETWEEN 1 AND 1023),
        -- COSE_Key.
        public_key bytea NOT NULL,
        -- Counts the signatures of its authenticator; 0 where it counts none.
        counter bigint NOT NULL CHECK (counter >= 0),
        is_synced boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz,
        PRIMARY KEY (account_id, id),
        UNIQUE (account_id, uuid))`.execute(db);
    await sql`
      CREATE TABLE passkey_challenge (
        -- A keyed hash.
        challenge_hash bytea PRIMARY KEY,
        purpose text NOT NULL CHECK (purpose IN ('ADD', 'LOGIN', 'PROOF')),
        account_id bigint REFERENCES account (id) ON DELETE CASCADE,
        expires_at timestamptz NOT NULL,
        CONSTRAINT passkey_challenge_account CHECK ((purpose = 'LOGIN') = (account_id IS NULL)))`.execute(
      db,
    );
    await sql`CREATE INDEX passkey_challenge_account_id ON passkey_challenge (account_id)`.execute(
      db,
    );
    // Found by housekeeping.
    await sql`CREATE INDEX passkey_challenge_expiry ON passkey_challenge (expires_at)`.execute(db);
  },
};
