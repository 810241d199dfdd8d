import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/** Refusals of mails of which it is not known whether they are the mail's own or the sender's. */
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
