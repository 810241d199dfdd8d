import { expressionBuilder, sql, type InferResult, type RawBuilder } from 'kysely';

import { PAGE_SIZE } from '../../domain/api/pages.ts';
import { COUNTED_MAX } from '../../domain/invoice/invoice.schema.ts';
import type { PaymentListQuery } from '../../domain/payment/payment.schema.ts';
import type { Db } from '../platform/db/database.ts';
import type { Tables } from '../platform/db/tables.ts';
import { unplaced } from './payment.repository.ts';

export interface PaymentFilter {
  readonly invoiceId: number | null;
  readonly customerNumber: number | null;
  readonly state: PaymentListQuery['state'];
}

/**
 * Payments with the fields that the list shows. What belongs to a payment is looked up for each row by its key: of
 * joins, PostgreSQL compares all payments with each other while it has no statistics.
 */
function selectListed(db: Db, companyId: number) {
  return db
    .selectFrom('payment')
    .leftJoinLateral(
      (payment) =>
        payment
          .selectFrom('invoice as paid')
          .select(['uuid', 'invoiceNumber'])
          .whereRef('paid.companyId', '=', 'payment.companyId')
          .whereRef('paid.id', '=', 'payment.invoiceId')
          .limit(1)
          .as('invoice'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (payment) =>
        payment
          .selectFrom('customer as payer')
          .select(['customerNumber', 'name'])
          .whereRef('payer.companyId', '=', 'payment.companyId')
          .whereRef('payer.id', '=', 'payment.customerId')
          .limit(1)
          .as('customer'),
      (join) => join.onTrue(),
    )
    .select([
      'payment.id',
      'payment.uuid',
      'payment.paidOn',
      'payment.amount',
      'payment.reminderAmount',
      'payment.source',
      'payment.kind',
      'payment.account',
      'payment.kid',
      'payment.text',
      'payment.payer',
      'payment.possibleCopy',
      'payment.suggestion',
      'invoice.uuid as invoiceUuid',
      'invoice.invoiceNumber',
      'customer.customerNumber',
      'customer.name as customerName',
    ])
    .select([originalOf(), oppositeOf()])
    .select([unplaced.as('isUnplaced'), mayBeDropped.as('mayBeDropped')])
    .where('payment.companyId', '=', companyId);
}

/** The payment that a row takes back. */
function originalOf() {
  return expressionBuilder<Tables, 'payment'>()
    .selectFrom('payment as original')
    .select('original.uuid')
    .whereRef('original.companyId', '=', 'payment.companyId')
    .whereRef('original.id', '=', 'payment.undoesId')
    .as('undoes');
}

/** The row that takes a payment back. */
function oppositeOf() {
  return expressionBuilder<Tables, 'payment'>()
    .selectFrom('payment as opposite')
    .select('opposite.uuid')
    .whereRef('opposite.companyId', '=', 'payment.companyId')
    .whereRef('opposite.undoesId', '=', 'payment.id')
    .as('undoneBy');
}

/** A payment with the fields that the list shows. */
export type ListedPayment = InferResult<ReturnType<typeof selectListed>>[number];

/** Whether a row is money by hand, or money of the bank that was on no invoice, and is no part of such money. */
const mayBeDropped = sql<boolean>`(payment.source = 'MANUAL' OR (payment.from_id IS NULL AND (
  SELECT count(*) FROM payment part
  WHERE part.company_id = payment.company_id AND part.entry_id = payment.entry_id
    AND part.invoice_id IS NOT NULL) = 0))`;

export async function findListed(
  db: Db,
  companyId: number,
  uuid: string,
): Promise<ListedPayment | null> {
  const row = await selectListed(db, companyId).where('payment.uuid', '=', uuid).executeTakeFirst();
  return row ?? null;
}

function isRefunded(companyId: number): RawBuilder<boolean> {
  return sql`payment.id IN (
    SELECT undoes_id FROM payment
    WHERE company_id = ${companyId} AND undoes_id IS NOT NULL AND kind = 'REFUND' AND NOT undone)`;
}

function isAskedFor(companyId: number, filter: PaymentFilter): RawBuilder<boolean> {
  const { invoiceId, customerNumber, state } = filter;
  const conditions = [
    ...(invoiceId === null ? [] : [sql`payment.invoice_id = ${invoiceId}`]),
    ...(customerNumber === null
      ? []
      : [
          sql`payment.customer_id = (
            SELECT id FROM customer
            WHERE company_id = ${companyId} AND customer_number = ${customerNumber})`,
        ]),
    ...(state === 'UNPLACED' ? [unplaced] : []),
    ...(state === 'REFUNDED' ? [isRefunded(companyId)] : []),
  ];
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}

/** A page of payments, newest first. A later page begins with the last payment of the previous one. */
export async function findPage(
  db: Db,
  companyId: number,
  page: number,
  filter: PaymentFilter,
): Promise<ListedPayment[]> {
  const ids = db
    .selectFrom('payment')
    .select('id')
    .where('companyId', '=', companyId)
    .where(isAskedFor(companyId, filter))
    .orderBy('id', 'desc')
    .limit(page === 1 ? PAGE_SIZE : PAGE_SIZE + 1)
    .offset(Math.max(0, (page - 1) * PAGE_SIZE - 1));
  return selectListed(db, companyId)
    .where(sql<boolean>`payment.id = ANY(ARRAY(${ids}))`)
    .orderBy('payment.id', 'desc')
    .execute();
}

/** The number of payments, counted up to a limit. */
export async function countFound(
  db: Db,
  companyId: number,
  filter: PaymentFilter,
): Promise<number> {
  const found = db
    .selectFrom('payment')
    .select(sql.lit(1).as('one'))
    .where('companyId', '=', companyId)
    .where(isAskedFor(companyId, filter))
    .limit(COUNTED_MAX);
  const { count } = await db
    .selectFrom(found.as('found'))
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
