import { sql, type Kysely } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * Interest that was asked for stays asked for when a later reminder asks for none, or was stopped. What is
 * owed of invoices where it was forgotten is counted anew.
 */
export const interestAsked: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Fees and compensation add up, and interest that is asked for anew is in place of that before.
    CREATE OR REPLACE VIEW asked_by_reminders AS
    SELECT company_id, invoice_id,
      (COALESCE(sum(fee + compensation) FILTER (WHERE waived_at IS NULL), 0)
        + COALESCE((array_agg(interest ORDER BY step DESC)
          FILTER (WHERE waived_at IS NULL AND interest > 0))[1], 0))::bigint AS amount
    FROM reminder GROUP BY company_id, invoice_id`.execute(db);
  // Only the trigger of reminders may say what they ask for, so it is told of these invoices.
  await sql`
    CREATE TEMPORARY TABLE recounted (company_id bigint, invoice_id bigint)`.execute(db);
  await sql`
    CREATE TRIGGER recounted_followed AFTER INSERT ON recounted REFERENCING NEW TABLE AS after_rows
    FOR EACH STATEMENT EXECUTE FUNCTION follow_reminders()`.execute(db);
  await sql`
    INSERT INTO recounted (company_id, invoice_id)
    SELECT company_id, invoice_id FROM reminder
    GROUP BY company_id, invoice_id
    HAVING bool_or(interest > 0) AND count(*) > 1`.execute(db);
  await sql`DROP TABLE recounted`.execute(db);
}
