import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0121: a session is proved by its login or by a code that is for nothing else. */
export const proofs: Migration = {
  up: async (db) => {
    // A session of a process of the previous version has none.
    await sql`ALTER TABLE session ADD COLUMN proved_at timestamptz`.execute(db);
    await sql`
      ALTER TABLE login_challenge
        ADD COLUMN purpose text NOT NULL DEFAULT 'LOGIN'
          CONSTRAINT login_challenge_purpose CHECK (purpose IN ('LOGIN', 'PROOF')),
        -- A proof has a code alone.
        ALTER COLUMN token_hash DROP NOT NULL`.execute(db);
  },
};
