import { sql, type RawBuilder } from 'kysely';

import { addDays, type IsoDate } from '../../domain/date.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { ExportScope, Point, Range, Whose } from './books.ts';

const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

/** The index of issue dates is one for each status; see schema/07-invoices.sql. */
const ISSUED = sql`status IN ('REGISTERED', 'PAID', 'CANCELLED') AND status <> 'DRAFT'`;

/** The condition on rows of `invoice`. */
export function isDocumentOf({ companyId, customerId }: Whose): RawBuilder<unknown> {
  const ofCompany = sql`company_id = ${companyId}`;
  return customerId === undefined
    ? ofCompany
    : sql`${ofCompany} AND customer_id = ${customerId}::bigint`;
}

/** The payments, as a table: of a customer those on its invoices, and its money on no invoice. */
export function paymentsOfWhom({ companyId, customerId }: Whose): RawBuilder<unknown> {
  if (customerId === undefined) return sql`(SELECT * FROM payment WHERE company_id = ${companyId})`;
  return sql`(
    SELECT paying.* FROM invoice
    JOIN payment paying ON paying.company_id = ${companyId} AND paying.invoice_id = invoice.id
    WHERE invoice.company_id = ${companyId} AND invoice.customer_id = ${customerId}::bigint
    UNION ALL
    SELECT * FROM payment
    WHERE company_id = ${companyId} AND customer_id = ${customerId}::bigint AND invoice_id IS NULL)`;
}

/** The documents after a point, as a table. */
export function documentsAfter(whose: Whose, { date, number }: Point): RawBuilder<unknown> {
  const later = sql`SELECT * FROM invoice WHERE ${isDocumentOf(whose)} AND invoice_number > ${number}::bigint`;
  if (date === null) return sql`(${later})`;
  return sql`(${later} UNION ALL
    SELECT * FROM invoice WHERE ${isDocumentOf(whose)} AND ${ISSUED}
      AND issue_date > ${date}::date AND invoice_number <= ${number}::bigint)`;
}

/** The documents that an export covers, whatever its filter, as a table. */
export function documentsIn(scope: ExportScope): RawBuilder<unknown> {
  const { companyId, ranges, from, to, lastNumber } = scope;
  if (ranges) {
    const parts = ranges.map((range) => documentsOfRange(companyId, range));
    const none = sql`SELECT * FROM invoice WHERE company_id = ${companyId} AND false`;
    return sql`(${sql.join([none, ...parts], sql` UNION ALL `)})`;
  }
  return sql`(SELECT * FROM invoice WHERE ${isDocumentOf(scope)} AND ${ISSUED}
    AND ${isDated({ from, to })} AND invoice_number <= ${lastNumber}::bigint)`;
}

function documentsOfRange(companyId: number, range: Range): RawBuilder<unknown> {
  const isLater = sql`SELECT * FROM invoice WHERE company_id = ${companyId}
    AND invoice_number > ${range.after.number}::bigint AND invoice_number <= ${range.through.number}::bigint`;
  return isWhole(range) ? isLater : sql`${isLater} AND ${ISSUED} AND ${isDated(range)}`;
}

function isDated({ from, to }: Days): RawBuilder<unknown> {
  return sql`issue_date BETWEEN ${from ?? FIRST_DAY}::date AND ${to ?? LAST_DAY}::date`;
}

type Days = { readonly from: IsoDate | null; readonly to: IsoDate | null };

function isWhole({ from, to }: Days): boolean {
  return from === null && to === null;
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

/** The payments that an export covers, as a table. */
export function paymentsIn(scope: ExportScope): RawBuilder<unknown> {
  const { companyId, ranges, from, to, lastPaymentId } = scope;
  if (ranges) {
    const parts = ranges.map((range) => paymentsOfRange(companyId, range));
    const none = sql`SELECT * FROM payment WHERE company_id = ${companyId} AND false`;
    return sql`(${sql.join([none, ...parts], sql` UNION ALL `)})`;
  }
  return sql`(SELECT * FROM ${paymentsDated(scope, { from, to })} dated WHERE id <= ${lastPaymentId}::bigint)`;
}

function paymentsOfRange(companyId: number, range: Range): RawBuilder<unknown> {
  const { after, through } = range;
  const cameBetween = sql`id > ${after.paymentId}::bigint AND id <= ${through.paymentId}::bigint`;
  return isWhole(range)
    ? sql`SELECT * FROM payment WHERE company_id = ${companyId} AND ${cameBetween}`
    : sql`SELECT * FROM ${paymentsDated({ companyId }, range)} dated WHERE ${cameBetween}`;
}

/** The payments that are booked on these days, as a table. */
function paymentsDated(whose: Whose, { from, to }: Days): RawBuilder<unknown> {
  const { companyId } = whose;
  const days = sql`BETWEEN ${from ?? FIRST_DAY}::date AND ${to ?? LAST_DAY}::date`;
  return sql`(
    SELECT * FROM ${paymentsOfWhom(whose)} payment
    WHERE paid_on ${days} AND NOT (${RESTORES})
    UNION ALL
    SELECT again.* FROM ${paymentsOfWhom(whose)} again
    JOIN payment taken ON taken.company_id = again.company_id AND taken.id = again.undoes_id
    WHERE taken.company_id = ${companyId} AND taken.paid_on ${days} AND again.kind = 'PAYMENT')`;
}

/** The payments after a point, as a table. */
export function paymentsAfter(whose: Whose, { date, paymentId }: Point): RawBuilder<unknown> {
  const later = sql`SELECT * FROM ${paymentsOfWhom(whose)} payment WHERE id > ${paymentId}::bigint`;
  if (date === null) return sql`(${later})`;
  const days = { from: addDays(date, 1), to: null };
  return sql`(${later} UNION ALL
    SELECT * FROM ${paymentsDated(whose, days)} dated WHERE id <= ${paymentId}::bigint)`;
}

/**
 * The customer of the statement's `payment` while it is on no invoice, as it was when the row was recorded; of rows of
 * before that was kept, as it is now. The statement joins `customer`.
 */
export const BUYER_OF_CREDIT = sql<Omit<Buyer, 'email'> | null>`COALESCE(payment.buyer,
  CASE WHEN customer.id IS NOT NULL THEN jsonb_build_object(
    'customerNumber', customer.customer_number, 'name', customer.name, 'orgNumber', customer.org_number,
    'address1', customer.address1, 'address2', customer.address2,
    'postalCode', customer.postal_code, 'city', customer.city) END)`;
