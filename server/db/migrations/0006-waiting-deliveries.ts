import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * Why a delivery waits, and how much a new company mails in a day. A process of the version before
 * mails on without counting, which is all that it does amiss.
 */
export const waitingDeliveries: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE delivery
      ADD COLUMN failed_at timestamptz,
      -- Of a QUEUED delivery; what it says of another is of no interest.
      ADD COLUMN waiting_reason text,
      -- Tries that the mail server refused us at, and not the mail.
      ADD COLUMN excused_attempts integer NOT NULL DEFAULT 0,
      -- Beyond what its company may mail in a day: it has no job, and is looked at again by then.
      ADD COLUMN deferred_until timestamptz,
      -- When it was counted among what its company mails in that day; NULL where nobody counts.
      ADD COLUMN counted_at timestamptz`.execute(db);
  // New companies that an operator lets mail as much as they like.
  await sql`
    CREATE TABLE delivery_allowance (
      company_id bigint PRIMARY KEY REFERENCES company ON DELETE CASCADE,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
}
