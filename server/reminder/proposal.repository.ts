import { sql, type RawBuilder } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { DeliveryStatus, DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { Ore } from '../../domain/money.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { Db } from '../platform/db/database.ts';

/** A late invoice as read from the database. */
export interface LateRow {
  readonly id: number;
  readonly uuid: string;
  readonly invoiceNumber: number;
  readonly kid: string | null;
  /** As printed. */
  readonly dueDate: IsoDate;
  readonly dueDays: number;
  /** The day of the first sending; without one, the day of registration (REM-1). */
  readonly presentedOn: IsoDate;
  readonly grossAmount: Ore;
  readonly amountDue: Ore;
  readonly disputed: boolean;
  readonly deliveryType: DeliveryType;
  readonly deliveryStatus: DeliveryStatus | null;
  readonly buyer: Buyer;
  /** The customer's current data; null when the customer was deleted. */
  readonly customer: { readonly email: string | null; readonly credit: Ore } | null;
  /** Øre that reminders asked for and that are neither paid nor waived. */
  readonly reminderAmount: Ore;
}

/** The position of an invoice in the order of proposals. */
export interface Place {
  readonly dueDate: IsoDate;
  readonly invoiceNumber: number;
}

interface Filter {
  /** In Oslo. */
  readonly today: IsoDate;
  /** Days after the due date at which each step comes. */
  readonly days: readonly number[];
  readonly most: number;
  readonly offset?: number;
  /** Only invoices after this position. */
  readonly after?: Place | null;
  /** Only these invoices. */
  readonly uuids?: readonly string[];
}

/**
 * Invoices that are late enough for their next step and whose last reminder's deadline has passed, oldest due date
 * first. The law may still forbid the reminder: this query does not move a due date from a weekend to the next
 * working day (REM-2).
 */
export async function findLate(
  db: Db,
  companyId: number,
  { today, days, most, offset = 0, after = null, uuids }: Filter,
): Promise<LateRow[]> {
  const isAfter =
    after === null
      ? sql`true`
      : sql`(invoice.due_date, invoice.invoice_number)
          > (${after.dueDate}::date, ${after.invoiceNumber}::bigint)`;
  const isOneOf = uuids === undefined ? sql`true` : sql`invoice.uuid = ANY(${[...uuids]}::uuid[])`;
  const daysOfStep = sql`(${[...days]}::integer[])[COALESCE(reminded.many, 0) + 1]`;
  // The first conditions match the partial index of open invoices, which also gives the order. Only the rows found
  // are read in full.
  const { rows } = await sql<LateRow>`
    SELECT invoice.id, invoice.uuid, invoice.invoice_number, invoice.kid, invoice.due_date,
      invoice.due_days, ${PRESENTED_ON} AS presented_on,
      invoice.gross_amount, invoice.gross_amount - invoice.paid_amount AS amount_due,
      invoice.disputed, invoice.delivery_type, invoice.delivery_status, invoice.buyer,
      CASE WHEN customer.id IS NOT NULL
        THEN jsonb_build_object('email', customer.email, 'credit', customer.credit) END AS customer,
      invoice.reminder_amount
    FROM (
      SELECT invoice.* FROM invoice
      LEFT JOIN (${remindersCounted(companyId, uuids)}) reminded ON reminded.invoice_id = invoice.id
      WHERE invoice.company_id = ${companyId}
        AND invoice.kind = 'INVOICE' AND invoice.status = 'REGISTERED'
        AND invoice.due_date < ${today}::date AND ${isAfter} AND ${isOneOf}
        AND invoice.gross_amount > invoice.paid_amount
        AND ${today}::date - invoice.due_date >= ${daysOfStep}
        AND (reminded.due_date IS NULL OR reminded.due_date < ${today}::date)
        AND ${today}::date - (${PRESENTED_ON} + invoice.due_days) >= ${daysOfStep}
      ORDER BY invoice.due_date, invoice.invoice_number
      LIMIT ${most} OFFSET ${offset}
    ) invoice
    LEFT JOIN customer
      ON customer.company_id = ${companyId} AND customer.id = invoice.customer_id
    ORDER BY invoice.due_date, invoice.invoice_number`.execute(db);
  return rows;
}

/** See `presentedOn`. An invoice that was never sent waits; its day is that of the registration. */
const PRESENTED_ON = sql<IsoDate>`(COALESCE(
  CASE invoice.delivery_type WHEN 'NONE' THEN NULL ELSE (
    SELECT min(delivery.sent_time) FROM delivery
    WHERE delivery.company_id = invoice.company_id AND delivery.invoice_id = invoice.id
      AND delivery.reminder_principal IS NULL AND delivery.status = 'SENT') END,
  invoice.registered_at) AT TIME ZONE 'Europe/Oslo')::date`;

/**
 * Counts the reminders of each invoice, with the last deadline. For a page, all reminders of the company are
 * counted in one pass, because most of its invoices may have had all their reminders.
 */
function remindersCounted(companyId: number, uuids: Filter['uuids']): RawBuilder<unknown> {
  const isOneOf =
    uuids === undefined
      ? sql`true`
      : sql`reminder.invoice_id = ANY(ARRAY(
          SELECT asked.id FROM invoice asked
          WHERE asked.company_id = ${companyId} AND asked.uuid = ANY(${[...uuids]}::uuid[])))`;
  return sql`
    SELECT reminder.invoice_id, count(*)::integer AS many, max(reminder.due_date) AS due_date
    FROM reminder WHERE reminder.company_id = ${companyId} AND ${isOneOf}
    GROUP BY reminder.invoice_id`;
}
