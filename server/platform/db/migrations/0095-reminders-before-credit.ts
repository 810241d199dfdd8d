import { sql } from 'kysely';

import type { Migration } from '../migration.ts';

/** 0095: claims of reminders tell when they were made, since a credit note may be of the same day (REM-19). */
export const remindersBeforeCredit: Migration = {
  up: async (db) => {
    await sql`
      -- The claims that payments and credit notes are compared with.
      CREATE OR REPLACE VIEW claims_of_reminders AS
      SELECT reminder.company_id, reminder.id AS reminder_id, reminder.invoice_id, reminder.sent_on,
        reminder.payment_deadline, reminder.principal, reminder.interest AS asked,
        COALESCE(recount.interest, reminder.interest) AS interest,
        COALESCE(recount.fee_waived, false) AS fee_waived, reminder.created_at
      FROM reminder LEFT JOIN reminder_recount recount
        ON recount.company_id = reminder.company_id AND recount.reminder_id = reminder.id
      WHERE reminder.waived_at IS NULL
        AND reminder.fee + reminder.compensation + reminder.interest > 0`.execute(db);
  },
};
