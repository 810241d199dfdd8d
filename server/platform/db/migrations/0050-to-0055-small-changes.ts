import { sql } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

const UNPLACED = sql`invoice_id IS NULL AND NOT undone AND (undoes_id IS NULL OR kind = 'PAYMENT')`;

/** 0050: finds unplaced money that may be for the invoice of a reminder. */
export const unplacedNamedIndexes: Migration = {
  online: true,
  up: async (db) => {
    await createIndex(db, {
      name: 'payment_unplaced_kid',
      on: sql`payment (company_id, ltrim(regexp_replace(kid, '[^0-9-]', '', 'g'), '0'))
        WHERE kid IS NOT NULL AND ${UNPLACED}`,
    });
    await createIndex(db, {
      name: 'payment_unplaced_suggestion',
      on: sql`payment USING gin (company_id, (suggestion -> 'invoiceIds'))
        WHERE suggestion IS NOT NULL AND ${UNPLACED}`,
    });
  },
};

/** 0052: numbers of deleted customers that were recipients of an assignment, until its next run reports them. */
export const lostCustomers: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE assignment
        ADD COLUMN lost_customers integer[] NOT NULL DEFAULT '{}'`.execute(db);
  },
};

/**
 * 0053: a job undoes the rest of a large file, in the name of the user who requested it. A process of the previous
 * version undoes a file within its call, and uses neither column.
 */
export const halfDoneFiles: Migration = {
  up: async (db) => {
    await sql`
      ALTER TABLE bank_file
        ADD COLUMN undone_by_type text
          CHECK (undone_by_type IN ('ACCOUNT', 'TOKEN', 'STAFF', 'BANK', 'SYSTEM')),
        ADD COLUMN undone_by_name text`.execute(db);
  },
};

/** 0054: housekeeping looks for half-booked files and old previews, and reminders look for each invoice. */
export const halfDoneFilesIndexes: Migration = {
  online: true,
  up: async (db) => {
    await createIndex(db, {
      name: 'bank_file_half_done',
      on: sql`bank_file (company_id) WHERE state IN ('BOOKING', 'UNDOING')`,
    });
    await createIndex(db, {
      name: 'bank_file_preview',
      on: sql`bank_file (company_id, id) WHERE state = 'PREVIEW'`,
    });
  },
};

/** 0055: refusals of mails that may concern either the mail or its sender. */
export const mailRefusals: Migration = {
  up: async (db) => {
    await sql`
      CREATE TABLE mail_refusal (
        -- The same at every try of the mail.
        message_id text PRIMARY KEY,
        refused_at timestamptz NOT NULL DEFAULT now(),
        meaning text NOT NULL DEFAULT 'OPEN' CHECK (meaning IN ('OPEN', 'SENDER', 'MAIL')))`.execute(
      db,
    );
  },
};
