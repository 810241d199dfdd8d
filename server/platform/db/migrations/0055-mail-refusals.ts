import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Refusals of mails that may concern either the mail or its sender. */
export const mailRefusals: Migration = { up };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE mail_refusal (
      -- The same at every try of the mail.
      message_id text PRIMARY KEY,
      refused_at timestamptz NOT NULL DEFAULT now(),
      meaning text NOT NULL DEFAULT 'OPEN' CHECK (meaning IN ('OPEN', 'SENDER', 'MAIL')))`.execute(
    db,
  );
}
