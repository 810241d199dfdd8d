import { sql, type RawBuilder } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { BookDocument } from '../../domain/export/figures.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { Ore } from '../../domain/money.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { Db } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import type { BookSums, ExportScope, Point } from './books.ts';
import { BOOKED_ON, documentsAfter, documentsOf, paymentsAfter } from './figures.selection.ts';

/** The last number that was given, and the last payment that was recorded. Whoever adds one holds the company. */
export async function findMoment(
  db: Db,
  companyId: number,
): Promise<Pick<ExportScope, 'lastNumber' | 'lastPaymentId'>> {
  const { rows } = await sql<Pick<ExportScope, 'lastNumber' | 'lastPaymentId'>>`
    SELECT
      COALESCE((SELECT max(invoice_number) FROM invoice WHERE company_id = ${companyId}), 0) AS last_number,
      COALESCE((SELECT max(id) FROM payment WHERE company_id = ${companyId}), 0) AS last_payment_id`.execute(
    db,
  );
  return rows[0] ?? { lastNumber: 0, lastPaymentId: 0 };
}

function documentsIn({ companyId, from, to, after, lastNumber }: ExportScope): RawBuilder<unknown> {
  const all = after ? documentsAfter(companyId, after) : documentsOf(companyId, from, to);
  return sql`(SELECT * FROM ${all} every WHERE invoice_number <= ${lastNumber}::bigint)`;
}

/** The numbers of the documents that an export covers, whatever its filter, in order. */
export async function findNumbers(db: Db, scope: ExportScope): Promise<number[]> {
  return findList(db, sql`invoice_number`, documentsIn(scope));
}

/** One list in one value, which takes a fraction of the memory of its rows. */
async function findList(
  db: Db,
  column: RawBuilder<unknown>,
  table: RawBuilder<unknown>,
): Promise<number[]> {
  const { rows } = await sql<{ list: string | null }>`
    SELECT json_agg(${column} ORDER BY ${column})::text AS list FROM ${table} listed`.execute(db);
  return JSON.parse(rows[0]?.list ?? '[]') as number[];
}

/** @param numbers those that a filter has left; null is all */
export async function sumDocuments(
  db: Db,
  scope: ExportScope,
  numbers: readonly number[] | null,
): Promise<BookSums> {
  const filtered =
    numbers === null ? sql`true` : sql`invoice_number = ANY(${[...numbers]}::bigint[])`;
  const signed = (column: string) =>
    sql`COALESCE(sum(CASE kind WHEN 'INVOICE' THEN 1 ELSE -1 END * ${sql.ref(column)}), 0)::bigint`;
  const { rows } = await sql<BookSums>`
    SELECT count(*) FILTER (WHERE kind = 'INVOICE') AS invoices,
      count(*) FILTER (WHERE kind = 'CREDIT_NOTE') AS credit_notes,
      min(invoice_number) AS first_number, max(invoice_number) AS last_number,
      ${signed('net_amount')} AS net, ${signed('vat_amount')} AS vat, ${signed('gross_amount')} AS gross
    FROM ${documentsIn(scope)} issued WHERE ${filtered}`.execute(db);
  const [sums] = rows;
  if (!sums) throw new Error('A sum has one row');
  return sums;
}

type Copied = Pick<
  BookDocument,
  | 'kind'
  | 'number'
  | 'creditsNumber'
  | 'issueDate'
  | 'dueDate'
  | 'deliveryDate'
  | 'reference'
  | 'kid'
  | 'net'
  | 'vat'
  | 'gross'
  | 'lines'
  | 'paid'
  | 'credited'
  | 'deliveryType'
  | 'deliveryStatus'
>;

/** A document as it is read; `toDocument` of open-books.ts makes a figure of it. */
export interface DocumentRow extends Copied, Pick<Row<'invoice'>, 'vatSubtotals'> {
  readonly status: InvoiceStatus;
  /** ISO 8601 in the time zone of the database. */
  readonly registeredAt: string;
  readonly bankAccountNumber: string;
  readonly buyer: Buyer;
  /** Null of a customer that was deleted. */
  readonly customerNumber: number | null;
  readonly paidDate: IsoDate | null;
  /** The day of the last payment or credit note. */
  readonly lastOn: IsoDate | null;
  readonly notes: number;
}

/** The lines of the row of the statement's `invoice`. */
const LINES = sql`(
  SELECT json_agg(json_build_object(
    'productNumber', line.product_number, 'description', line.description,
    'quantity', (line.quantity + line.thousandths * 0.001)::float8, 'unit', line.unit,
    'netUnitAmount', line.net_unit_amount, 'vatRate', line.vat_rate,
    'vatTreatment', line.vat_treatment) ORDER BY line.position)
  FROM invoice_line line
  WHERE line.company_id = invoice.company_id AND line.invoice_id = invoice.id)`;

/** The documents with these numbers, in order, with what was paid and credited of them by a point. */
export async function findDocuments(
  db: Db,
  companyId: number,
  numbers: readonly number[],
  by: Point,
): Promise<DocumentRow[]> {
  // One value: as rows it costs a sixth more of the time of a whole export.
  const { rows } = await sql<{ list: string | null }>`
    SELECT json_agg(issued ORDER BY issued.number)::text AS list FROM (
    SELECT invoice.kind, invoice.invoice_number AS number,
      original.invoice_number AS "creditsNumber", invoice.status, invoice.issue_date AS "issueDate",
      invoice.due_date AS "dueDate", invoice.delivery_date AS "deliveryDate",
      invoice.registered_at AS "registeredAt", invoice.reference, invoice.kid,
      invoice.bank_account_number AS "bankAccountNumber", invoice.net_amount AS net, invoice.vat_amount AS vat,
      invoice.gross_amount AS gross, invoice.vat_subtotals AS "vatSubtotals",
      invoice.delivery_type AS "deliveryType", invoice.delivery_status AS "deliveryStatus",
      invoice.paid_date AS "paidDate", invoice.buyer, customer.customer_number AS "customerNumber",
      COALESCE(paid.amount, 0) AS paid, COALESCE(credited.amount, 0) AS credited,
      COALESCE(credited.notes, 0) AS notes, GREATEST(paid.last_on, credited.last_on) AS "lastOn",
      ${LINES} AS lines
    FROM invoice
    LEFT JOIN invoice original ON original.company_id = invoice.company_id
      AND original.id = invoice.credits_invoice_id
    LEFT JOIN customer ON customer.company_id = invoice.company_id AND customer.id = invoice.customer_id
    LEFT JOIN LATERAL (
      SELECT sum(payment.amount - payment.reminder_amount)::bigint AS amount, max(${BOOKED_ON}) AS last_on
      FROM payment
      WHERE payment.company_id = invoice.company_id AND payment.invoice_id = invoice.id
        AND payment.id <= ${by.paymentId}::bigint
        AND (${by.date}::date IS NULL OR ${BOOKED_ON} <= ${by.date}::date)
    ) paid ON invoice.kind = 'INVOICE'
    LEFT JOIN LATERAL (
      SELECT sum(note.gross_amount)::bigint AS amount, count(*) AS notes, max(note.issue_date) AS last_on
      FROM invoice note
      WHERE note.company_id = invoice.company_id AND note.credits_invoice_id = invoice.id
        AND note.invoice_number <= ${by.number}::bigint
        AND (${by.date}::date IS NULL OR note.issue_date <= ${by.date}::date)
    ) credited ON invoice.kind = 'INVOICE'
    WHERE invoice.company_id = ${companyId}
      AND invoice.invoice_number = ANY(${[...numbers]}::bigint[])
    ) issued`.execute(db);
  return JSON.parse(rows[0]?.list ?? '[]') as DocumentRow[];
}

/** The numbers of invoices that may have been open, or paid in advance, at a point. */
export async function findOpenNumbers(db: Db, companyId: number, by: Point): Promise<number[]> {
  return findList(
    db,
    sql`invoice_number`,
    sql`(
      SELECT invoice_number FROM invoice
      WHERE company_id = ${companyId} AND status = 'REGISTERED' AND kind = 'INVOICE'
      UNION
      SELECT invoice.invoice_number FROM ${paymentsAfter(companyId, by)} later
      JOIN invoice ON invoice.company_id = ${companyId} AND invoice.id = later.invoice_id
      UNION
      SELECT invoice.invoice_number FROM ${documentsAfter(companyId, by)} note
      JOIN invoice ON invoice.company_id = ${companyId} AND invoice.id = note.credits_invoice_id
      UNION
      SELECT later.invoice_number FROM ${documentsAfter(companyId, by)} later
      JOIN payment ON payment.company_id = ${companyId} AND payment.invoice_id = later.id)`,
  );
}

/** The debt of a customer at both ends of the books. */
export interface BalanceRow {
  readonly customerId: number | null;
  /** The name of a deleted customer. It and `customerId` are null for unplaced money. */
  readonly deletedName: string | null;
  readonly customerNumber: number | null;
  readonly opening: Ore;
  readonly closing: Ore;
}

/**
 * The debts of all customers that have one at either end, or were booked on between. Each is reckoned back from what is owed now, so
 * that a short period of a large company is read alone.
 */
export async function findBalances(
  db: Db,
  companyId: number,
  opening: Point,
  closing: Point,
): Promise<BalanceRow[]> {
  const { rows } = await sql<BalanceRow>`
    SELECT debt.customer_id, debt.deleted_name, customer.customer_number,
      debt.now - debt.since_opening AS opening, debt.now - debt.since_closing AS closing
    FROM (
      SELECT customer_id, deleted_name,
        COALESCE(sum(amount) FILTER (WHERE since = 0), 0)::bigint AS now,
        COALESCE(sum(amount) FILTER (WHERE since = 1), 0)::bigint AS since_opening,
        COALESCE(sum(amount) FILTER (WHERE since = 2), 0)::bigint AS since_closing,
        count(*) FILTER (WHERE since = 1) - count(*) FILTER (WHERE since = 2) AS booked
      FROM (
        ${owedNow(companyId)}
        UNION ALL ${bookedAfter(companyId, opening, 1)}
        UNION ALL ${bookedAfter(companyId, closing, 2)}
      ) booking
      GROUP BY customer_id, deleted_name
    ) debt
    LEFT JOIN customer ON customer.company_id = ${companyId} AND customer.id = debt.customer_id
    WHERE debt.booked <> 0 OR debt.now <> debt.since_opening OR debt.now <> debt.since_closing
    ORDER BY customer.customer_number, debt.deleted_name`.execute(db);
  return rows;
}

/** Documents of a deleted customer keep the name that they were issued with. */
const CUSTOMER = sql`invoice.customer_id,
  CASE WHEN invoice.customer_id IS NULL THEN invoice.buyer ->> 'name' END AS deleted_name`;

function owedNow(companyId: number): RawBuilder<unknown> {
  return sql`
    SELECT 0 AS since, ${CUSTOMER},
      invoice.gross_amount - invoice.credited_amount - invoice.paid_amount AS amount
    FROM invoice
    WHERE company_id = ${companyId} AND status = 'REGISTERED' AND kind = 'INVOICE'
    UNION ALL
    SELECT 0, payment.customer_id, NULL, -payment.amount FROM payment
    WHERE company_id = ${companyId} AND NOT possible_copy
      AND invoice_id IS NULL AND NOT undone AND (undoes_id IS NULL OR kind = 'PAYMENT')`;
}

function bookedAfter(companyId: number, point: Point, since: number): RawBuilder<unknown> {
  const at = sql.lit(since);
  return sql`
    SELECT ${at} AS since, ${CUSTOMER},
      CASE invoice.kind WHEN 'INVOICE' THEN invoice.gross_amount ELSE -invoice.gross_amount END AS amount
    FROM ${documentsAfter(companyId, point)} invoice
    UNION ALL
    SELECT ${at}, COALESCE(invoice.customer_id, CASE WHEN invoice.id IS NULL THEN payment.customer_id END),
      CASE WHEN invoice.id IS NOT NULL AND invoice.customer_id IS NULL THEN invoice.buyer ->> 'name' END,
      payment.reminder_amount - payment.amount
    FROM ${paymentsAfter(companyId, point)} payment
    LEFT JOIN invoice ON invoice.company_id = ${companyId} AND invoice.id = payment.invoice_id
    WHERE NOT (payment.possible_copy AND payment.invoice_id IS NULL)`;
}

/** The customers with these ids, as they are now. */
export async function findCustomers(db: Db, companyId: number, ids: readonly number[]) {
  return db
    .selectFrom('customer')
    .select(['id', 'customerNumber', 'name', 'orgNumber', 'address1', 'address2'])
    .select(['postalCode as zipCode', 'city'])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`id = ANY(${[...ids]}::bigint[])`)
    .execute();
}
