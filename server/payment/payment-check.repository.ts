import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';

/**
 * Whether the stored sums of a company's invoices and customers equal the sums of its payments, at one moment. An
 * invoice is paid on the day of the last payment with which the sum reached the total. Reminder fees are excluded.
 * Once migration 0051 has run, payments made with credit count from the issue date at the earliest.
 */
export async function paymentsAreRight(db: Db, companyId: number): Promise<boolean> {
  const { rows } = await sql<{ right: boolean }>`
    WITH money AS (
      SELECT id, invoice_id, amount - reminder_amount AS amount, reminder_amount, paid_on,
        NOT undone AND (undoes_id IS NULL OR kind = 'PAYMENT') AS in_force,
        (source <> 'MANUAL' OR from_id IS NOT NULL) AS is_moved,
        payment.kid, payment.account
      FROM payment WHERE company_id = ${companyId} AND invoice_id IS NOT NULL
    ), reached AS (
      SELECT *, sum(amount) FILTER (WHERE in_force)
        OVER (PARTITION BY invoice_id ORDER BY paid_on, id) AS so_far
      FROM money
    ), said AS (
      SELECT invoice.id, sum(reached.amount) AS amount, bool_or(in_force) AS is_there,
        sum(reached.reminder_amount) AS for_reminders,
        gross_amount - credited_amount AS claim,
        GREATEST(credited_on, COALESCE(
          max(paid_on) FILTER (WHERE in_force AND so_far >= gross_amount - credited_amount
            AND so_far - reached.amount < gross_amount - credited_amount),
          min(paid_on) FILTER (WHERE in_force))) AS day,
        bool_or(in_force AND is_moved AND (reached.kid, reached.account)
          IS DISTINCT FROM (invoice.kid, invoice.bank_account_number)) AS has_credit
      FROM reached JOIN invoice ON company_id = ${companyId} AND invoice.id = invoice_id
      GROUP BY invoice.id
    )
    SELECT NOT EXISTS (
      SELECT FROM invoice LEFT JOIN said USING (id)
      LEFT JOIN (
        SELECT invoice_id AS id, amount FROM asked_by_reminders WHERE company_id = ${companyId}
      ) asked USING (id)
      WHERE company_id = ${companyId} AND (
        paid_amount <> COALESCE(said.amount, 0)
        OR (status = 'PAID') <> COALESCE(said.amount = said.claim AND is_there, false)
        OR paid_date IS DISTINCT FROM CASE status WHEN 'PAID' THEN said.day END
          AND NOT (has_credit AND said.day < issue_date AND paid_date = issue_date)
        OR reminder_amount <> CASE WHEN reminder_waived OR status = 'CANCELLED' THEN 0
          ELSE GREATEST(0, COALESCE(asked.amount, 0) - COALESCE(said.for_reminders, 0)) END)
    ) AND NOT EXISTS (
      SELECT FROM customer
      LEFT JOIN (
        SELECT customer_id, sum(amount) AS amount FROM payment
        WHERE company_id = ${companyId} AND invoice_id IS NULL AND NOT possible_copy
        GROUP BY customer_id
      ) unplaced ON unplaced.customer_id = customer.id
      WHERE company_id = ${companyId} AND credit <> COALESCE(unplaced.amount, 0)
    ) AS "right"`.execute(db);
  return rows[0]?.right ?? false;
}
