import { sql, type RawBuilder } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { BookPayment } from '../../domain/export/figures.ts';
import type { Ore } from '../../domain/money.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { Db } from '../platform/db/database.ts';
import type { ExportScope, Point, Whose } from './books.ts';
import {
  BOOKED_ON,
  BUYER_OF_CREDIT,
  IS_BOOKED,
  paymentsAfter,
  paymentsIn,
  paymentsOfWhom,
} from './figures.selection.ts';

type Copied = Pick<
  BookPayment,
  | 'date'
  | 'kind'
  | 'source'
  | 'amount'
  | 'isBooked'
  | 'isMoved'
  | 'kid'
  | 'payer'
  | 'reference'
  | 'takesBack'
>;

/** A payment as it is read; `toPayment` of open-books.ts makes a figure of it. */
export interface PaymentFigureRow extends Copied {
  readonly id: number;
  readonly createdAt: Date;
  readonly reminderAmount: Ore;
  readonly ownAccount: string | null;
  readonly bankAccountNumber: string | null;
  readonly undoesId: number | null;
  readonly fromId: number | null;
  readonly invoiceId: number | null;
  readonly invoiceNumber: number | null;
  readonly invoiceKid: string | null;
  readonly dueDate: IsoDate | null;
  /** The customer of its invoice as the invoice names it; of money on no invoice, whose credit it is. */
  readonly buyer: Omit<Buyer, 'email'> | null;
  /** Null of a deleted customer. */
  readonly buyerId: number | null;
}

function selectPayments(companyId: number, condition: RawBuilder<unknown>) {
  return sql<PaymentFigureRow>`
    SELECT payment.id, ${BOOKED_ON} AS date, payment.created_at, payment.kind, payment.source,
      payment.amount, payment.reminder_amount, ${IS_BOOKED} AS is_booked, ${IS_MOVED} AS is_moved,
      payment.account AS own_account,
      invoice.bank_account_number, payment.kid, payment.payer,
      payment.reference, payment.undoes_id, payment.from_id, taken.paid_on AS takes_back,
      payment.invoice_id, invoice.invoice_number, invoice.kid AS invoice_kid, invoice.due_date,
      CASE WHEN invoice.id IS NULL THEN ${BUYER_OF_CREDIT} ELSE invoice.buyer END AS buyer,
      CASE WHEN invoice.id IS NULL THEN payment.customer_id ELSE invoice.customer_id END AS buyer_id
    FROM payment
    LEFT JOIN invoice ON invoice.company_id = payment.company_id AND invoice.id = payment.invoice_id
    LEFT JOIN customer ON payment.invoice_id IS NULL
      AND customer.company_id = payment.company_id AND customer.id = payment.customer_id
    LEFT JOIN payment taken ON taken.company_id = payment.company_id AND taken.id = payment.undoes_id
    WHERE payment.company_id = ${companyId} AND ${condition}
    ORDER BY payment.id`;
}

/** Whether the row has money that an UNDO took from its place; both were added in one transaction. */
const IS_MOVED = sql<boolean>`COALESCE((
  SELECT opposite.kind = 'UNDO' FROM payment opposite
  WHERE opposite.company_id = payment.company_id AND opposite.undoes_id = payment.from_id), false)`;

/** The payments with these ids, in order. */
export async function findPayments(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<PaymentFigureRow[]> {
  const condition = sql`payment.id = ANY(${[...ids]}::bigint[])`;
  return (await selectPayments(companyId, condition).execute(db)).rows;
}

/** The rows to which the money of these rows was moved, in order. */
export async function findMoved(
  db: Db,
  companyId: number,
  fromIds: readonly number[],
): Promise<PaymentFigureRow[]> {
  if (fromIds.length === 0) return [];
  const condition = sql`payment.from_id = ANY(${[...fromIds]}::bigint[])`;
  return (await selectPayments(companyId, condition).execute(db)).rows;
}

/** The ids with their ranks among the company's payments after one. Each page of ids goes on where the last one ended. */
export async function rankPayments(
  db: Db,
  companyId: number,
  after: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ bucket: number; count: number }>`
    SELECT width_bucket(id, ${[...ids]}::bigint[]) AS bucket, count(*) AS count FROM payment
    WHERE company_id = ${companyId} AND id > ${after}::bigint AND id <= ${ids.at(-1) ?? 0}::bigint
    GROUP BY 1`.execute(db);
  const counts = new Map(rows.map(({ bucket, count }) => [bucket, count]));
  let rank = 1;
  return new Map(ids.map((id, bucket) => [id, (rank += counts.get(bucket) ?? 0)]));
}

/** Money that came before any reminder was put on its invoice later, and pays what was asked for since. */
const FEES = sql`SELECT sum(reminder.fee + reminder.compensation)::bigint FROM reminder
  WHERE reminder.company_id = payment.company_id AND reminder.invoice_id = payment.invoice_id
    AND (reminder.waived_at IS NULL OR reminder.waived_at > payment.created_at)`;

/** The rows that pay reminders of these invoices, with the fees and compensations that had been asked for by then. */
export async function findPaidReminders(db: Db, companyId: number, invoiceIds: readonly number[]) {
  if (invoiceIds.length === 0) return [];
  const { rows } = await sql<{
    readonly id: number;
    readonly invoiceId: number;
    readonly amount: Ore;
    readonly undoesId: number | null;
    readonly fees: Ore;
  }>`
    SELECT payment.id, payment.invoice_id, payment.reminder_amount AS amount, payment.undoes_id,
      COALESCE(
        (${FEES} AND reminder.created_at <= payment.created_at),
        (${FEES}), 0) AS fees
    FROM payment
    WHERE payment.company_id = ${companyId} AND payment.reminder_amount <> 0
      AND payment.invoice_id = ANY(${[...invoiceIds]}::bigint[])
    ORDER BY payment.id`.execute(db);
  return rows;
}

/**
 * The payments that an export covers, in the order in which they were recorded; of a customer also the rows that moved
 * money to it from another's, since both are one voucher.
 */
export async function findPaymentIds(db: Db, scope: ExportScope): Promise<number[]> {
  const { companyId, customerId, lastPaymentId } = scope;
  const moving = sql`
    UNION SELECT moving.id FROM ${paymentsIn(scope)} moved
    JOIN payment moving ON moving.company_id = ${companyId} AND moving.undoes_id = moved.from_id
    WHERE moving.kind = 'UNDO' AND moving.id <= ${lastPaymentId}::bigint`;
  const { rows } = await sql<{ list: string | null }>`
    SELECT json_agg(id ORDER BY id)::text AS list FROM (
      SELECT id FROM ${paymentsIn(scope)} own ${customerId === undefined ? sql`` : moving}
    ) covered`.execute(db);
  return JSON.parse(rows[0]?.list ?? '[]') as number[];
}

/** Whether an export covers any payment. */
export async function hasPayments(db: Db, scope: ExportScope): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    SELECT EXISTS ${paymentsIn(scope)} AS has`.execute(db);
  return rows[0]?.has ?? false;
}

/** The money on no invoice at a point, by customer; the number and the buyer of nobody's money are null. */
export async function findCredit(db: Db, whose: Whose, by: Point) {
  const { companyId } = whose;
  const { rows } = await sql<{
    readonly customerNumber: number | null;
    readonly buyer: Omit<Buyer, 'email'> | null;
    readonly credit: Ore;
  }>`
    SELECT (buyer ->> 'customerNumber')::integer AS customer_number,
      (array_agg(buyer ORDER BY id DESC))[1] AS buyer, sum(amount)::bigint AS credit
    FROM (
      SELECT payment.id, ${BUYER_OF_CREDIT} AS buyer, payment.amount * payment.sign AS amount
      FROM (
        SELECT *, 1 AS sign FROM ${paymentsOfWhom(whose)} owned
        WHERE invoice_id IS NULL
          AND NOT undone AND (undoes_id IS NULL OR kind = 'PAYMENT')
        UNION ALL
        SELECT *, -1 FROM ${paymentsAfter(whose, by)} later
      ) payment
      LEFT JOIN customer ON customer.company_id = ${companyId} AND customer.id = payment.customer_id
      WHERE payment.invoice_id IS NULL AND NOT payment.possible_copy
    ) money
    GROUP BY 1
    HAVING sum(amount) <> 0
    ORDER BY 1`.execute(db);
  return rows;
}
