import { sql, type Kysely, type RawBuilder } from 'kysely';

import type { Migration } from '../migration.ts';

/**
 * An invoice of 0 kr is not outstanding, and an invoice paid with credit is not paid before its issue date. A process
 * of the previous version lists the first as outstanding, but does not count it.
 */
export const owedAndPaid: Migration = { up };

async function up(db: Kysely<unknown>): Promise<void> {
  // This locks the table against writes, so that no counts change while they are corrected.
  await payFromIssueDate(db);
  await keepCounts(db, WITHOUT_NOTHING);
  await correctCounts(db);
}

/**
 * A payment counts as credit if it was neither entered by hand on the invoice nor paid with its KID. Earlier payments
 * keep their date, which is in the history.
 */
async function payFromIssueDate(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION pay_from_issue_date() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (
        SELECT FROM payment
        WHERE company_id = NEW.company_id AND invoice_id = NEW.id
          AND NOT undone AND (undoes_id IS NULL OR kind = 'PAYMENT')
          AND (source <> 'MANUAL' OR from_id IS NOT NULL)
          AND (kid, account) IS DISTINCT FROM (NEW.kid, NEW.bank_account_number))
      THEN NEW.paid_date := NEW.issue_date; END IF;
      RETURN NEW;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER invoice_paid_from_issue_date BEFORE UPDATE OF paid_date ON invoice
    FOR EACH ROW WHEN (NEW.paid_date < NEW.issue_date)
    EXECUTE FUNCTION pay_from_issue_date()`.execute(db);
}

/** How the function that counts sees an invoice that waits for money. */
interface Counting {
  readonly isOwed: RawBuilder<unknown>;
  readonly amount: RawBuilder<unknown>;
}

/** As the previous function, but without invoices of 0 kr. */
const WITHOUT_NOTHING: Counting = {
  isOwed: sql`gross_amount > 0`,
  amount: sql`(gross_amount - paid_amount)`,
};

/** Replaces the function that counts invoices and what is due of them. */
export async function keepCounts(db: Kysely<unknown>, counting: Counting): Promise<void> {
  const changed = sql`${changes('after_rows', 1, counting)}
    UNION ALL ${changes('before_rows', -1, counting)}`;
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
        ${countDue(changed)};
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

function changes(
  table: 'before_rows' | 'after_rows',
  sign: 1 | -1,
  { isOwed, amount }: Counting,
): RawBuilder<unknown> {
  return sql`
    SELECT company_id, status, delivery_status, due_date, ${sql.lit(sign)} AS change,
      CASE WHEN kind = 'INVOICE' AND status = 'REGISTERED' AND ${isOwed}
        THEN ${sql.lit(sign)} * ${amount} END AS owed
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

/** One order of locks, so that two transactions never wait for each other. */
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

/** Finds invoices of 0 kr company by company, which uses an index. */
async function correctCounts(db: Kysely<unknown>): Promise<void> {
  const nothing = sql`
    SELECT company_id, due_date, count(*) AS many
    FROM invoice_count JOIN LATERAL (
      SELECT due_date FROM invoice
      WHERE invoice.company_id = invoice_count.company_id AND status = 'REGISTERED'
        AND gross_amount = 0 AND kind = 'INVOICE'
    ) invoice ON true
    GROUP BY company_id, due_date`;
  await sql`
    UPDATE invoice_count total SET outstanding = outstanding - less.many
    FROM (SELECT company_id, sum(many) AS many FROM (${nothing}) nothing GROUP BY company_id) less
    WHERE total.company_id = less.company_id`.execute(db);
  await sql`
    UPDATE invoice_due total SET outstanding = outstanding - less.many
    FROM (${nothing}) less
    WHERE total.company_id = less.company_id AND total.due_date = less.due_date`.execute(db);
}
