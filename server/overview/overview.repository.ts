import { sql } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { Ore } from '../../domain/money.ts';
import type { DaySums, DaysToPayment, DueSums } from '../../domain/overview/figures.ts';
import type { Period } from '../../domain/overview/periods.ts';
import type { Db } from '../platform/db/database.ts';

/** How many customers are listed (OVER-6). */
const MOST_CUSTOMERS = 10;

/** Sums of the documents of each day of a period. */
export async function sumDays(db: Db, companyId: number, { from, to }: Period): Promise<DaySums[]> {
  const { rows } = await sql<DaySums>`
    SELECT day, sum(net_amount)::bigint AS net, sum(vat_amount)::bigint AS vat
    FROM invoice_day
    WHERE company_id = ${companyId} AND day BETWEEN ${from}::date AND ${to}::date
    GROUP BY day`.execute(db);
  return rows;
}

/** The amounts owed at the end of a day, by due date: what is owed now, less what changed after the day. */
export async function sumOwed(db: Db, companyId: number, asOf: IsoDate): Promise<DueSums[]> {
  const { rows } = await sql<DueSums>`
    SELECT due_date, sum(amount)::bigint AS amount, sum(many)::bigint AS count FROM (
      SELECT due_date, outstanding_amount AS amount, outstanding AS many
      FROM invoice_due WHERE company_id = ${companyId}
      UNION ALL
      SELECT due_date, -outstanding_amount, -outstanding
      FROM invoice_day WHERE company_id = ${companyId} AND day > ${asOf}::date
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

/**
 * The index `invoice_figures` has all columns that this sum reads, so that no row of the table is read. A hash of 100,000
 * customers is half as large with floating numbers, which are exact for sums that JSON can hold.
 */
const NET = sql`sum((CASE kind WHEN 'INVOICE' THEN net_amount ELSE -net_amount END)::float8)::bigint`;

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
      (SELECT customer_id, NULL AS name, ${NET} AS net
      FROM invoice WHERE company_id = ${companyId} AND ${issued} AND customer_id IS NOT NULL
      GROUP BY customer_id ORDER BY net DESC, customer_id LIMIT ${MOST_CUSTOMERS})
      UNION ALL
      (SELECT NULL, buyer ->> 'name', ${NET}
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
