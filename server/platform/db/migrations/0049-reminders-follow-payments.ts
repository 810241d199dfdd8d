import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * The claims of reminders follow the dates of payments, and may be waived by hand. A process of the previous version
 * does not recompute them, and leaves the stored sums unchanged.
 */
export const remindersFollowPayments: Migration = { up };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE reminder
      -- The day from which interest was counted; null in older rows, which used the invoice's due date.
      ADD COLUMN payment_deadline date,
      -- Øre waived of the claims of this reminder and the earlier ones.
      ADD COLUMN let_go bigint NOT NULL DEFAULT 0`.execute(db);
  await sql`
    -- The rest of a reminder's claim after payments dated before it.
    CREATE TABLE reminder_recount (
      company_id bigint NOT NULL,
      reminder_id bigint NOT NULL,
      invoice_id bigint NOT NULL,
      interest bigint NOT NULL CHECK (interest >= 0),
      -- Its fee and its compensation.
      fee_waived boolean NOT NULL,
      PRIMARY KEY (company_id, reminder_id),
      FOREIGN KEY (company_id, reminder_id) REFERENCES reminder (company_id, id),
      FOREIGN KEY (company_id, invoice_id) REFERENCES invoice (company_id, id)
    )`.execute(db);
  await sql`
    CREATE OR REPLACE FUNCTION freeze_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        IF (to_jsonb(NEW) - '{waived_at,let_go}'::text[])
            IS NOT DISTINCT FROM (to_jsonb(OLD) - '{waived_at,let_go}'::text[])
          AND (NEW.waived_at IS NOT DISTINCT FROM OLD.waived_at OR OLD.waived_at IS NULL)
          AND NEW.let_go >= OLD.let_go
        THEN RETURN NEW; END IF;
      END IF;
      RAISE EXCEPTION 'a reminder never changes' USING ERRCODE = 'check_violation';
    END
    $$`.execute(db);
  await sql`
    CREATE OR REPLACE VIEW asked_by_reminders AS
    SELECT company_id, invoice_id,
      (COALESCE(sum(fee + compensation)
          FILTER (WHERE waived_at IS NULL AND fee_waived IS NOT TRUE), 0)
        + COALESCE((array_agg(interest_left ORDER BY step DESC)
            FILTER (WHERE waived_at IS NULL AND interest > 0))[1], 0)
        - sum(let_go))::bigint AS amount
    FROM (
      SELECT reminder.*, recount.fee_waived, COALESCE(recount.interest, reminder.interest) AS interest_left
      FROM reminder LEFT JOIN reminder_recount recount
        ON recount.company_id = reminder.company_id AND recount.reminder_id = reminder.id
    ) asked
    GROUP BY company_id, invoice_id`.execute(db);
  await sql`
    -- The claims that a payment is compared with.
    CREATE VIEW claims_of_reminders AS
    SELECT reminder.company_id, reminder.id AS reminder_id, reminder.invoice_id, reminder.sent_on,
      reminder.payment_deadline, reminder.principal, reminder.interest AS asked,
      COALESCE(recount.interest, reminder.interest) AS interest,
      COALESCE(recount.fee_waived, false) AS fee_waived
    FROM reminder LEFT JOIN reminder_recount recount
      ON recount.company_id = reminder.company_id AND recount.reminder_id = reminder.id
    WHERE reminder.waived_at IS NULL
      AND reminder.fee + reminder.compensation + reminder.interest > 0`.execute(db);
  for (const event of ['INSERT', 'UPDATE']) {
    await sql`
      CREATE TRIGGER ${sql.raw(`reminder_recount_followed_${event.toLowerCase()}`)}
      AFTER ${sql.raw(event)} ON reminder_recount REFERENCING NEW TABLE AS after_rows
      FOR EACH STATEMENT EXECUTE FUNCTION follow_reminders()`.execute(db);
  }
}
