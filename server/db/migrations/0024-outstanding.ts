import { sql, type Kysely, type RawBuilder } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * What a company is owed, kept as its counts are: in all, and by the day on which it is due. What is
 * overdue today is what is owed less what is not due yet, which are few days however many invoices there
 * are. What was owed before is added by the migration after this one.
 */
export const outstanding: Migration = { up, runsBeside: '0005-staff' };

async function up(db: Kysely<unknown>): Promise<void> {
  // Øre; numeric, because the sum of many may be more than a bigint holds.
  await sql`
    ALTER TABLE invoice_count ADD COLUMN outstanding bigint NOT NULL DEFAULT 0,
      ADD COLUMN outstanding_amount numeric NOT NULL DEFAULT 0`.execute(db);
  await sql`
    CREATE TABLE invoice_due (
      company_id bigint NOT NULL REFERENCES company ON DELETE CASCADE,
      due_date date NOT NULL,
      outstanding bigint NOT NULL,
      outstanding_amount numeric NOT NULL,
      PRIMARY KEY (company_id, due_date))`.execute(db);
  await keepCounts(db);
}

async function keepCounts(db: Kysely<unknown>): Promise<void> {
  const changed = sql`${changes('after_rows', 1)} UNION ALL ${changes('before_rows', -1)}`;
  await sql`
    CREATE OR REPLACE FUNCTION count_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Transition tables differ by event; a branch is planned only when it runs. Drafts are all that is
      -- added and deleted, and nothing is due of them.
      IF TG_OP = 'INSERT' THEN ${countDrafts('after_rows', 1)};
      ELSIF TG_OP = 'DELETE' THEN ${countDrafts('before_rows', -1)};
      ELSE
        -- The company first, which makes what is due wait its turn.
        ${count(changed)};
        IF EXISTS (
          SELECT FROM after_rows JOIN before_rows USING (id)
          WHERE (after_rows.status, after_rows.paid_amount)
            <> (before_rows.status, before_rows.paid_amount))
        THEN ${countDue(changed)};
        END IF;
      END IF;
      RETURN NULL;
    END $$`.execute(db);
}

function countDrafts(table: 'before_rows' | 'after_rows', sign: 1 | -1): RawBuilder<unknown> {
  return sql`
    UPDATE invoice_count total SET drafts = total.drafts + delta.drafts
    FROM (
      SELECT company_id, ${sql.lit(sign)} * count(*) AS drafts
      FROM ${sql.table(table)} GROUP BY company_id
    ) delta
    WHERE total.company_id = delta.company_id`;
}

function changes(table: 'before_rows' | 'after_rows', sign: 1 | -1): RawBuilder<unknown> {
  return sql`
    SELECT company_id, status, delivery_status, due_date, ${sql.lit(sign)} AS change,
      CASE WHEN kind = 'INVOICE' AND status = 'REGISTERED'
        THEN ${sql.lit(sign)} * (gross_amount - paid_amount) END AS owed
    FROM ${sql.table(table)}`;
}

function count(changed: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    UPDATE invoice_count total SET
      drafts = total.drafts + delta.drafts,
      registered = total.registered + delta.registered,
      paid = total.paid + delta.paid,
      cancelled = total.cancelled + delta.cancelled,
      sent = total.sent + delta.sent,
      outstanding = total.outstanding + delta.outstanding,
      outstanding_amount = total.outstanding_amount + delta.outstanding_amount
    FROM (
      SELECT company_id,
        COALESCE(sum(change) FILTER (WHERE status = 'DRAFT'), 0) AS drafts,
        COALESCE(sum(change) FILTER (WHERE status = 'REGISTERED'), 0) AS registered,
        COALESCE(sum(change) FILTER (WHERE status = 'PAID'), 0) AS paid,
        COALESCE(sum(change) FILTER (WHERE status = 'CANCELLED'), 0) AS cancelled,
        COALESCE(sum(change) FILTER (WHERE delivery_status = 'SENT'), 0) AS sent,
        COALESCE(sum(change) FILTER (WHERE owed IS NOT NULL), 0) AS outstanding,
        COALESCE(sum(owed), 0) AS outstanding_amount
      FROM (${changed}) changed GROUP BY company_id
    ) delta
    WHERE total.company_id = delta.company_id
      AND (delta.drafts, delta.registered, delta.paid, delta.cancelled, delta.sent,
        delta.outstanding, delta.outstanding_amount) <> (0, 0, 0, 0, 0, 0, 0)`;
}

/** In one order, so that two never wait for each other. */
function countDue(changed: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    INSERT INTO invoice_due AS total (company_id, due_date, outstanding, outstanding_amount)
    SELECT company_id, due_date, sum(change), sum(owed)
    FROM (${changed}) changed WHERE owed IS NOT NULL
    GROUP BY company_id, due_date HAVING sum(change) <> 0 OR sum(owed) <> 0
    ORDER BY company_id, due_date
    ON CONFLICT (company_id, due_date) DO UPDATE SET
      outstanding = total.outstanding + excluded.outstanding,
      outstanding_amount = total.outstanding_amount + excluded.outstanding_amount`;
}
