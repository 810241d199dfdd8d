import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * 0120: a person sees and ends the own sessions, and is told of a login from a new browser. Sessions from before, and
 * those that a process of the previous version starts, have no browser.
 */
export const sessionsShown: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE session
        ADD COLUMN uuid uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT session_uuid_key UNIQUE,
        -- Right to the hour.
        ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN how text NOT NULL DEFAULT 'CODE'
          CONSTRAINT session_how CHECK (how IN ('CODE', 'LINK', 'PASSKEY', 'INVITATION')),
        -- Family and system, without versions; null for an unknown one.
        ADD COLUMN browser text`.execute(db);
    await sql`
      CREATE TABLE known_browser (
        account_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        -- '' for an unknown one.
        browser text NOT NULL,
        last_login_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (account_id, browser))`.execute(db);
    // Found by housekeeping.
    await sql`CREATE INDEX known_browser_age ON known_browser (last_login_at)`.execute(db);
  },
};
