import { sql } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { Ore } from '../../domain/money.ts';
import type { DaySums, DaysToPayment, DueSums } from '../../domain/overview/figures.ts';
import type { Period } from '../../domain/overview/periods.ts';
import { documentsAfter, paymentsAfter } from '../export/figures.selection.ts';
import type { Db } from '../platform/db/database.ts';

/** How many customers are listed (OVER-6). */
const MOST_CUSTOMERS = 10;
/** No number and no payment comes after this: only the date matters. */
const ALL = { number: Number.MAX_SAFE_INTEGER, paymentId: Number.MAX_SAFE_INTEGER };

// The index `invoice_figures` has all columns that these statements read, so that they read no row of the table.
const SIGN = sql`CASE kind WHEN 'INVOICE' THEN 1 ELSE -1 END`;

/** Sums of the documents of each day of a period. */
export async function sumDays(db: Db, companyId: number, { from, to }: Period): Promise<DaySums[]> {
  const { rows } = await sql<DaySums>`
    SELECT issue_date AS day, sum(${SIGN} * net_amount)::bigint AS net,
      sum(${SIGN} * vat_amount)::bigint AS vat
    FROM invoice
    WHERE company_id = ${companyId} AND status <> 'DRAFT'
      AND issue_date BETWEEN ${from}::date AND ${to}::date
    GROUP BY issue_date`.execute(db);
  return rows;
}

/**
 * The amounts owed at the end of a day, by due date: the sums that are kept, and for each invoice that changed after the
 * day the difference between then and now.
 */
export async function sumOwed(db: Db, companyId: number, asOf: IsoDate): Promise<DueSums[]> {
  const point = { date: asOf, ...ALL };
  const { rows } = await sql<DueSums>`
    WITH changed AS MATERIALIZED (
      SELECT id, sum(amount) AS since FROM (
        SELECT COALESCE(issued.credits_invoice_id, issued.id) AS id,
          CASE issued.kind WHEN 'CREDIT_NOTE' THEN issued.gross_amount ELSE 0 END AS amount
        FROM ${documentsAfter(companyId, point)} issued
        UNION ALL
        SELECT later.invoice_id, later.amount - later.reminder_amount
        FROM ${paymentsAfter(companyId, point)} later WHERE later.invoice_id IS NOT NULL
      ) change GROUP BY id
    )
    SELECT due_date, sum(amount)::bigint AS amount, sum(many)::bigint AS count FROM (
      SELECT due_date, outstanding_amount AS amount, outstanding AS many
      FROM invoice_due WHERE company_id = ${companyId}
      UNION ALL
      SELECT due_date, rest - CASE WHEN is_counted THEN rest_now ELSE 0 END,
        CASE WHEN rest > 0 THEN 1 ELSE 0 END - CASE WHEN is_counted THEN 1 ELSE 0 END
      FROM (
        SELECT due_date, rest_now, is_counted,
          CASE WHEN issue_date <= ${asOf}::date THEN rest_now + since ELSE 0 END AS rest
        FROM (
          SELECT due_date, issue_date, changed.since,
            gross_amount - credited_amount - paid_amount AS rest_now,
            status = 'REGISTERED' AND gross_amount > credited_amount AS is_counted
          FROM changed JOIN invoice ON invoice.company_id = ${companyId} AND invoice.id = changed.id
        ) now
      ) was
    ) owed
    GROUP BY due_date HAVING sum(amount) <> 0 OR sum(many) <> 0`.execute(db);
  return rows;
}

/** A customer with the sum of a period. */
export interface CustomerSum {
  /** Null of a customer that was deleted. */
  readonly customerNumber: number | null;
  readonly name: string;
  readonly net: Ore;
}

/** The customers to whom most was invoiced in a period. Those that were deleted are told apart by name. */
export async function findLargest(
  db: Db,
  companyId: number,
  { from, to }: Period,
): Promise<CustomerSum[]> {
  const issued = sql`status <> 'DRAFT' AND issue_date BETWEEN ${from}::date AND ${to}::date`;
  const { rows } = await sql<CustomerSum>`
    SELECT customer.customer_number, COALESCE(customer.name, largest.name) AS name, largest.net
    FROM (
      (SELECT customer_id, NULL AS name, sum(${SIGN} * net_amount)::bigint AS net
      FROM invoice WHERE company_id = ${companyId} AND ${issued} AND customer_id IS NOT NULL
      GROUP BY customer_id ORDER BY net DESC, customer_id LIMIT ${MOST_CUSTOMERS})
      UNION ALL
      (SELECT NULL, buyer ->> 'name', sum(${SIGN} * net_amount)::bigint
      FROM invoice WHERE company_id = ${companyId} AND ${issued} AND customer_id IS NULL
      GROUP BY buyer ->> 'name' ORDER BY 3 DESC, 2 LIMIT ${MOST_CUSTOMERS})
    ) largest
    LEFT JOIN customer ON customer.company_id = ${companyId} AND customer.id = largest.customer_id
    WHERE largest.net > 0
    ORDER BY largest.net DESC, customer.customer_number, 2 LIMIT ${MOST_CUSTOMERS}`.execute(db);
  return rows;
}

/** Days from issue to payment of the invoices that were paid in a period. */
export async function countDaysToPayment(
  db: Db,
  companyId: number,
  { from, to }: Period,
): Promise<DaysToPayment[]> {
  const { rows } = await sql<DaysToPayment>`
    SELECT paid_date - issue_date AS days, count(*) AS count
    FROM invoice
    WHERE company_id = ${companyId} AND status = 'PAID'
      AND paid_date BETWEEN ${from}::date AND ${to}::date
    GROUP BY 1`.execute(db);
  return rows;
}
