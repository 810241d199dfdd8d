import { sql, type RawBuilder } from 'kysely';

import { COUNTED_MAX, PAGE_SIZE } from '../../domain/invoice/invoice.schema.ts';
import type { IsoDate } from '../../domain/date.ts';
import { bareKid } from '../../domain/kid.ts';
import { ore, type Ore } from '../../domain/money.ts';
import type { PaymentKind, PaymentSource } from '../../domain/payment/payment.schema.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { insertAll, type OwnedRow } from '../platform/db/insert-all.ts';
import type { StoredSuggestion } from '../platform/db/payment-tables.ts';
import type { Row } from '../platform/db/tables.ts';
import { inForce } from './payment.selection.ts';

export const PAYMENT_COLUMNS = [
  'id',
  'uuid',
  'invoiceId',
  'customerId',
  'amount',
  'reminderAmount',
  'paidOn',
  'source',
  'kind',
  'account',
  'kid',
  'text',
  'payer',
  'payerAccountHash',
  'reference',
  'entryId',
  'possibleCopy',
  'suggestion',
  'undoesId',
  'fromId',
  'undone',
] as const;

export type PaymentRow = Row<'payment', (typeof PAYMENT_COLUMNS)[number]>;

/** A payment with the fields that the list shows. */
export interface ListedPayment {
  readonly id: number;
  readonly uuid: string;
  readonly paidOn: IsoDate;
  readonly amount: Ore;
  readonly reminderAmount: Ore;
  readonly source: PaymentSource;
  readonly kind: PaymentKind;
  readonly account: string | null;
  readonly kid: string | null;
  readonly text: string | null;
  readonly payer: string | null;
  readonly possibleCopy: boolean;
  readonly suggestion: StoredSuggestion | null;
  readonly invoiceUuid: string | null;
  readonly invoiceNumber: number | null;
  readonly customerNumber: number | null;
  readonly customerName: string | null;
  readonly isUnplaced: boolean;
  readonly wasPlaced: boolean;
  readonly undoes: string | null;
  readonly undoneBy: string | null;
}

/** Filters payments of a company. */
export interface PaymentFilter {
  readonly invoiceId: number | null;
  readonly customerNumber: number | null;
  readonly isUnplaced: boolean;
}

/** Must equal the predicate of the index of unplaced payments. */
const unplaced = sql<boolean>`payment.invoice_id IS NULL AND ${inForce}`;

/** Adds payments of a company; the database derives the sums of their invoices and customers. */
export async function insertPayments(
  trx: Trx,
  companyId: number,
  rows: readonly OwnedRow<'payment'>[],
): Promise<Pick<PaymentRow, 'id' | 'uuid'>[]> {
  return insertAll(trx, { companyId, table: 'payment' }, rows.map(toRecord), ['id', 'uuid']);
}

/** Rows travel as JSON, which cannot hold bytes. */
function toRecord(row: OwnedRow<'payment'>): OwnedRow<'payment'> {
  const { payerAccountHash: hash } = row;
  if (!hash) return row;
  const text = `\\x${hexOf(hash)}`;
  return { ...row, payerAccountHash: text as unknown as Uint8Array };
}

/** Places an unplaced payment. */
export async function setInvoice(
  trx: Trx,
  companyId: number,
  id: number,
  { invoiceId, reminderAmount }: { readonly invoiceId: number; readonly reminderAmount: Ore },
): Promise<void> {
  await trx
    .updateTable('payment')
    .set({ invoiceId, reminderAmount })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

export async function findPayment(
  db: Db,
  companyId: number,
  uuid: string,
): Promise<PaymentRow | null> {
  const row = await db
    .selectFrom('payment')
    .select(PAYMENT_COLUMNS)
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row ?? null;
}

/** The day of a payment. */
export async function findPaidOn(db: Db, companyId: number, id: number): Promise<string> {
  const { paidOn } = await db
    .selectFrom('payment')
    .select('paidOn')
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return paidOn;
}

/** The current payments on these invoices, in the order in which they were placed. */
export async function findOnInvoices(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<PaymentRow[]> {
  return db
    .selectFrom('payment')
    .select(PAYMENT_COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where(inForce)
    .orderBy('id')
    .execute();
}

/** The current payments on these invoices, by date. */
export async function findPaid(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<{ invoiceId: number; date: IsoDate; amount: Ore }[]> {
  return db
    .selectFrom('payment')
    .select(['invoiceId', 'paidOn as date'])
    .select(sql<Ore>`amount - reminder_amount`.as('amount'))
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where(inForce)
    .orderBy('paidOn')
    .orderBy('id')
    .$narrowType<{ invoiceId: number }>()
    .execute();
}

/** A KID normalised as by `bareKid`. */
const BARE_KID = sql<string>`ltrim(regexp_replace(payment.kid, '[^0-9-]', '', 'g'), '0')`;

/** Must equal the expressions of the indexes of migration 0050. */
function names(invoices: readonly { readonly id: number; readonly kid: string | null }[]) {
  return sql<boolean>`(${sql.join(
    invoices.flatMap(({ id, kid }) => [
      sql`(payment.suggestion -> 'invoiceIds') @> ${String(id)}::jsonb`,
      ...(kid === null ? [] : [sql`${BARE_KID} = ${bareKid(kid)}`]),
    ]),
    sql` OR `,
  )})`;
}

/** Unplaced money that names an invoice (null: any), by the KID or by the suggestion made when it came. */
export async function findUnplacedNaming(
  db: Db,
  companyId: number,
  invoices: readonly { readonly id: number; readonly kid: string | null }[] | null,
): Promise<Pick<PaymentRow, 'kid' | 'suggestion'>[]> {
  return db
    .selectFrom('payment')
    .select(['kid', 'suggestion'])
    .where('companyId', '=', companyId)
    .where(unplaced)
    .where('amount', '>', ore(0))
    .$if(invoices !== null && invoices.length > 0, (query) => query.where(names(invoices ?? [])))
    .where((payment) =>
      payment.or([payment('kid', 'is not', null), payment('suggestion', 'is not', null)]),
    )
    .execute();
}

/** Payments with the fields that the list shows. */
function selectListed(db: Db, companyId: number) {
  return db
    .selectFrom('payment')
    .leftJoin('invoice', (join) =>
      join
        .onRef('invoice.companyId', '=', 'payment.companyId')
        .onRef('invoice.id', '=', 'payment.invoiceId'),
    )
    .leftJoin('customer', (join) =>
      join
        .onRef('customer.companyId', '=', 'payment.companyId')
        .onRef('customer.id', '=', 'payment.customerId'),
    )
    .leftJoin('payment as original', (join) =>
      join
        .onRef('original.companyId', '=', 'payment.companyId')
        .onRef('original.id', '=', 'payment.undoesId'),
    )
    .leftJoin('payment as opposite', (join) =>
      join
        .onRef('opposite.companyId', '=', 'payment.companyId')
        .onRef('opposite.undoesId', '=', 'payment.id'),
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
      'original.uuid as undoes',
      'opposite.uuid as undoneBy',
    ])
    .select([unplaced.as('isUnplaced'), wasPlaced.as('wasPlaced')])
    .where('payment.companyId', '=', companyId);
}

/** Whether the money of a row was on an invoice, or is a part of one bank payment. */
const wasPlaced = sql<boolean>`(payment.from_id IS NOT NULL OR payment.source = 'MANUAL' OR (
  SELECT count(*) FROM payment part
  WHERE part.company_id = payment.company_id AND part.entry_id = payment.entry_id
    AND part.invoice_id IS NOT NULL) > 0)`;

export async function findListed(
  db: Db,
  companyId: number,
  uuid: string,
): Promise<ListedPayment | null> {
  const row = await selectListed(db, companyId).where('payment.uuid', '=', uuid).executeTakeFirst();
  return row ?? null;
}

function isAskedFor(companyId: number, filter: PaymentFilter): RawBuilder<boolean> {
  const { invoiceId, customerNumber, isUnplaced } = filter;
  const conditions = [
    ...(invoiceId === null ? [] : [sql`payment.invoice_id = ${invoiceId}`]),
    ...(customerNumber === null
      ? []
      : [
          sql`payment.customer_id = (
            SELECT id FROM customer
            WHERE company_id = ${companyId} AND customer_number = ${customerNumber})`,
        ]),
    ...(isUnplaced ? [unplaced] : []),
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
  return selectListed(db, companyId)
    .where(isAskedFor(companyId, filter))
    .orderBy('payment.id', 'desc')
    .limit(page === 1 ? PAGE_SIZE : PAGE_SIZE + 1)
    .offset(Math.max(0, (page - 1) * PAGE_SIZE - 1))
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
