import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * What is not mailed because its invoice was cancelled or paid before. A process of the version before
 * mails it, which is all that it does amiss.
 */
export const unsent: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE delivery
      -- Asked for by hand although the invoice is paid, or was never sent to be credited.
      ADD COLUMN forced boolean NOT NULL DEFAULT false,
      -- A try ended without anybody knowing whether the mail server took the mail.
      ADD COLUMN may_have_arrived boolean NOT NULL DEFAULT false,
      -- Failed without being mailed, because the invoice had become this.
      ADD COLUMN stopped_by text,
      ADD CONSTRAINT delivery_stopped CHECK (
        stopped_by IS NULL OR status = 'FAILED' AND stopped_by IN ('CANCELLED', 'PAID')) NOT VALID
  `.execute(db);
}
