import { sql, type RawBuilder } from 'kysely';

import { addDays, type IsoDate } from '../../domain/date.ts';
import type { Point } from './books.ts';

const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

/** The index of issue dates is one for each status; see schema/05-invoices.sql. */
const ISSUED = sql`status IN ('REGISTERED', 'PAID', 'CANCELLED') AND status <> 'DRAFT'`;

/** The documents after a point, as a table. */
export function documentsAfter(companyId: number, { date, number }: Point): RawBuilder<unknown> {
  const later = sql`SELECT * FROM invoice WHERE company_id = ${companyId} AND invoice_number > ${number}::bigint`;
  if (date === null) return sql`(${later})`;
  return sql`(${later} UNION ALL
    SELECT * FROM invoice WHERE company_id = ${companyId} AND ${ISSUED}
      AND issue_date > ${date}::date AND invoice_number <= ${number}::bigint)`;
}

/** The documents of a period, as a table. */
export function documentsOf(
  companyId: number,
  from: IsoDate | null,
  to: IsoDate,
): RawBuilder<unknown> {
  return sql`(SELECT * FROM invoice WHERE company_id = ${companyId} AND ${ISSUED}
    AND issue_date BETWEEN ${from ?? FIRST_DAY}::date AND ${to}::date)`;
}

/** Whether a row takes back a refund, or a reversal of the bank. It is booked on the day of what it takes back. */
const RESTORES = sql`kind = 'PAYMENT' AND undoes_id IS NOT NULL`;

/** The day on which the row that the statement calls `payment` is booked. */
export const BOOKED_ON = sql<IsoDate>`CASE
  WHEN payment.kind = 'PAYMENT' AND payment.undoes_id IS NOT NULL THEN (
    SELECT taken.paid_on FROM payment taken
    WHERE taken.company_id = payment.company_id AND taken.id = payment.undoes_id)
  ELSE payment.paid_on END`;

/** A possible copy is not booked while it is on no invoice. */
export const IS_BOOKED = sql<boolean>`NOT (payment.possible_copy AND payment.invoice_id IS NULL)`;

/** The payments that are booked on these days, as a table. */
export function paymentsOf(
  companyId: number,
  from: IsoDate | null,
  to: IsoDate | null,
): RawBuilder<unknown> {
  const days = sql`BETWEEN ${from ?? FIRST_DAY}::date AND ${to ?? LAST_DAY}::date`;
  return sql`(
    SELECT * FROM payment
    WHERE company_id = ${companyId} AND paid_on ${days} AND NOT (${RESTORES})
    UNION ALL
    SELECT again.* FROM payment taken
    JOIN payment again ON again.company_id = taken.company_id AND again.undoes_id = taken.id
    WHERE taken.company_id = ${companyId} AND taken.paid_on ${days} AND again.kind = 'PAYMENT')`;
}

/** The payments after a point, as a table. */
export function paymentsAfter(companyId: number, { date, paymentId }: Point): RawBuilder<unknown> {
  const later = sql`SELECT * FROM payment WHERE company_id = ${companyId} AND id > ${paymentId}::bigint`;
  if (date === null) return sql`(${later})`;
  return sql`(${later} UNION ALL
    SELECT * FROM ${paymentsOf(companyId, addDays(date, 1), null)} dated WHERE id <= ${paymentId}::bigint)`;
}
