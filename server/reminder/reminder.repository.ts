import { sql, type RawBuilder } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { DeliveryStatus, DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { Ore } from '../../domain/money.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row, Tables } from '../platform/db/tables.ts';

const COLUMNS = [
  'id',
  'uuid',
  'companyId',
  'invoiceId',
  'documentId',
  'step',
  'kind',
  'sentOn',
  'dueDate',
  'principal',
  'fee',
  'interest',
  'compensation',
  'earlier',
  'waivedAt',
  'paymentDeadline',
  'letGo',
] as const satisfies readonly (keyof Tables['reminder'])[];

type Stored = Row<'reminder', (typeof COLUMNS)[number]>;
export type NewReminder = Omit<Stored, 'id' | 'uuid' | 'waivedAt' | 'letGo'> &
  Row<'reminder', 'byType' | 'byName'>;

/** A reminder, with what is left of its claim after the recount for earlier payments (REM-19). */
export interface ReminderRow extends Stored {
  readonly interestLeft: Ore;
  /** Whether its fee and compensation are waived. */
  readonly feeWaived: boolean;
  /** Whether a person waived the rest of it ('Ettergi'). */
  readonly isLetGo: boolean;
}

/** Adds a reminder; its document must exist. */
export async function insertReminder(trx: Trx, reminder: NewReminder): Promise<ReminderRow> {
  const row = await trx
    .insertInto('reminder')
    .values(reminder)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return { ...row, interestLeft: row.interest, feeWaived: false, isLetGo: false };
}

/** The reminders of these invoices, in the order of their steps. */
export async function findReminders(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<ReminderRow[]> {
  return db
    .selectFrom('reminder')
    .leftJoin('reminderRecount as recount', (join) =>
      join
        .onRef('recount.companyId', '=', 'reminder.companyId')
        .onRef('recount.reminderId', '=', 'reminder.id'),
    )
    .select(COLUMNS.map((column) => `reminder.${column}` as const))
    .select((row) => [
      row.fn.coalesce('recount.interest', 'reminder.interest').as('interestLeft'),
      sql<boolean>`recount.fee_waived IS TRUE`.as('feeWaived'),
      sql<boolean>`bool_or(reminder.let_go > 0)
        OVER (PARTITION BY reminder.invoice_id ORDER BY reminder.step DESC)`.as('isLetGo'),
    ])
    .where('reminder.companyId', '=', companyId)
    .where(sql<boolean>`reminder.invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .orderBy('reminder.invoiceId')
    .orderBy('reminder.step')
    .execute();
}

/** Waives an amount (øre) of what the reminders of an invoice ask for. The caller holds the invoice. */
export async function letGo(
  trx: Trx,
  companyId: number,
  invoiceId: number,
  amount: Ore,
): Promise<void> {
  await sql`
    UPDATE reminder SET let_go = let_go + ${amount}
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND step = (
      SELECT max(last.step) FROM reminder last
      WHERE last.company_id = ${companyId} AND last.invoice_id = ${invoiceId})`.execute(trx);
}

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
  /** The sum less what is credited (øre). */
  readonly claim: Ore;
  readonly amountDue: Ore;
  readonly disputed: boolean;
  readonly deliveryType: DeliveryType;
  readonly deliveryStatus: DeliveryStatus | null;
  readonly buyer: Buyer;
  /** The customer's current data; null when the customer was deleted. */
  readonly customer: {
    readonly email: string | null;
    readonly invoiceEmails: readonly string[] | null;
    readonly credit: Ore;
  } | null;
  /** Øre that reminders asked for and that are neither paid nor waived. */
  readonly reminderAmount: Ore;
}

/** The position of an invoice in the order of proposals. */
export interface Place {
  readonly dueDate: IsoDate;
  readonly invoiceNumber: number;
}

export interface LateFilter {
  /** In Oslo. */
  readonly today: IsoDate;
  /** Days after the due date at which each step comes. */
  readonly days: readonly number[];
  readonly most: number;
  readonly offset?: number;
  /** Only invoices after this position. */
  readonly after?: Place | null;
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
  { today, days, most, offset = 0, after = null, uuids }: LateFilter,
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
      invoice.gross_amount - invoice.credited_amount AS claim,
      invoice.gross_amount - invoice.credited_amount - invoice.paid_amount AS amount_due,
      invoice.disputed, invoice.delivery_type, invoice.delivery_status, invoice.buyer,
      CASE WHEN customer.id IS NOT NULL
        THEN jsonb_build_object('email', customer.email,
          'invoice_emails', NULLIF(customer.invoice_emails, '{}'), 'credit', customer.credit) END AS customer,
      invoice.reminder_amount
    FROM (
      SELECT invoice.* FROM invoice
      LEFT JOIN (${remindersCounted(companyId, uuids)}) reminded ON reminded.invoice_id = invoice.id
      WHERE invoice.company_id = ${companyId}
        AND invoice.kind = 'INVOICE' AND invoice.status = 'REGISTERED'
        AND invoice.due_date < ${today}::date AND ${isAfter} AND ${isOneOf}
        AND invoice.gross_amount > invoice.credited_amount + invoice.paid_amount
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
function remindersCounted(companyId: number, uuids: LateFilter['uuids']): RawBuilder<unknown> {
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

/** Returns those of these companies that are not finished on a day. */
export async function findUnfinished(
  db: Db,
  companyIds: readonly number[],
  today: IsoDate,
): Promise<number[]> {
  const rows = await db
    .selectFrom('reminderDay')
    .select('companyId')
    .where(sql<boolean>`company_id = ANY(${[...companyIds]}::bigint[])`)
    .where('finishedOn', '>=', today)
    .execute();
  const finished = new Set(rows.map(({ companyId }) => companyId));
  return companyIds.filter((companyId) => !finished.has(companyId));
}

/** Notes that automation has finished a company for the day. */
export async function finishDay(db: Db, companyId: number, today: IsoDate): Promise<void> {
  await db
    .insertInto('reminderDay')
    .values({ companyId, finishedOn: today })
    .onConflict((conflict) => conflict.column('companyId').doUpdateSet({ finishedOn: today }))
    .execute();
}

/** The date of the last mail to the owner and the number of waiting reminders in it. */
export async function findLastNotice(
  db: Db,
  companyId: number,
): Promise<{ toldOn: IsoDate | null; toldMany: number }> {
  const row = await db
    .selectFrom('reminderDay')
    .select(['toldOn', 'toldMany'])
    .where('companyId', '=', companyId)
    .executeTakeFirst();
  return row ?? { toldOn: null, toldMany: 0 };
}

/** Saves the date of the mail to the owner and the number of reminders in it. */
export async function saveLastNotice(
  db: Db,
  companyId: number,
  notice: { readonly toldOn: IsoDate | null; readonly toldMany: number },
): Promise<void> {
  await db
    .insertInto('reminderDay')
    .values({ companyId, ...notice })
    .onConflict((conflict) => conflict.column('companyId').doUpdateSet(notice))
    .execute();
}
