import { sql, type RawBuilder } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { BookDocument } from '../../domain/export/figures.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { Ore } from '../../domain/money.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { Db } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { VERDICT } from '../einvoice/einvoice.selection.ts';
import type { BookSums, ExportScope, Point, Whose } from './books.ts';
import {
  BOOKED_ON,
  BUYER_OF_CREDIT,
  documentsAfter,
  documentsIn,
  isDocumentOf,
  IS_BOOKED,
  paymentsAfter,
  paymentsIn,
  paymentsOfWhom,
} from './figures.selection.ts';

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

/** Whether the documents of an export have more lines than these. */
export async function hasMoreLines(db: Db, scope: ExportScope, most: number): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM (
      SELECT 1 FROM ${documentsIn(scope)} issued
      JOIN invoice_line line ON line.company_id = issued.company_id AND line.invoice_id = issued.id
      WHERE ${scope.listed ? sql`issued.invoice_number = ANY(${[...scope.listed]}::bigint[])` : sql`true`}
      LIMIT ${most + 1}) counted`.execute(db);
  return (rows[0]?.count ?? 0) > most;
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
  | 'verdict'
>;

/** A document as it is read; `toDocument` of open-books.ts makes a figure of it. */
export interface DocumentRow extends Copied, Pick<Row<'invoice'>, 'vatSubtotals'> {
  readonly status: InvoiceStatus;
  /** ISO 8601 in the time zone of the database. */
  readonly registeredAt: string;
  /** Null of a deleted customer. */
  readonly customerId: number | null;
  readonly bankAccountNumber: string;
  readonly buyer: Buyer;
  /** The day of the last credit note, and of the last row of a payment. */
  readonly creditedOn: IsoDate | null;
  readonly lastPaidOn: IsoDate | null;
  readonly notes: number;
  /** Rows of payments, also those that were taken back. */
  readonly payments: number;
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
      invoice.registered_at AS "registeredAt", invoice.customer_id AS "customerId", invoice.reference, invoice.kid,
      invoice.bank_account_number AS "bankAccountNumber", invoice.net_amount AS net, invoice.vat_amount AS vat,
      invoice.gross_amount AS gross, invoice.vat_subtotals AS "vatSubtotals",
      invoice.delivery_type AS "deliveryType", invoice.delivery_status AS "deliveryStatus",
      invoice.buyer, ${VERDICT} AS verdict,
      COALESCE(paid.amount, 0) AS paid, COALESCE(credited.amount, 0) AS credited,
      COALESCE(credited.notes, 0) AS notes, credited.last_on AS "creditedOn",
      COALESCE(paid.rows, 0) AS payments, paid.last_on AS "lastPaidOn",
      ${LINES} AS lines
    FROM invoice
    LEFT JOIN invoice original ON original.company_id = invoice.company_id
      AND original.id = invoice.credits_invoice_id
    LEFT JOIN LATERAL (
      SELECT sum(payment.amount - payment.reminder_amount)::bigint AS amount, max(${BOOKED_ON}) AS last_on,
        count(*) AS rows
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

/**
 * The days on which the sums of these invoices' payments reached what they had to by a point, in order of dates (as
 * `settle_invoices` has it), by number. Payments that were taken back by then count nothing.
 */
export async function findPaidDays(
  db: Db,
  companyId: number,
  claims: ReadonlyMap<number, number>,
  by: Point,
): Promise<ReadonlyMap<number, IsoDate>> {
  const { rows } = await sql<{ readonly number: number; readonly paidOn: IsoDate }>`
    SELECT number, COALESCE(
      max(paid_on) FILTER (WHERE so_far >= claim AND so_far - amount < claim), min(paid_on)) AS paid_on
    FROM (
      SELECT claimed.number, claimed.claim, payment.paid_on,
        payment.amount - payment.reminder_amount AS amount,
        sum(payment.amount - payment.reminder_amount)
          OVER (PARTITION BY invoice.id ORDER BY payment.paid_on, payment.id) AS so_far
      FROM unnest(${[...claims.keys()]}::bigint[], ${[...claims.values()]}::bigint[]) AS claimed (number, claim)
      JOIN invoice ON invoice.company_id = ${companyId} AND invoice.invoice_number = claimed.number
      JOIN payment ON payment.company_id = ${companyId} AND payment.invoice_id = invoice.id
      WHERE payment.id <= ${by.paymentId}::bigint
        AND (${by.date}::date IS NULL OR ${BOOKED_ON} <= ${by.date}::date)
        AND (payment.undoes_id IS NULL OR payment.kind = 'PAYMENT')
        AND NOT EXISTS (
          SELECT FROM payment opposite
          WHERE opposite.company_id = ${companyId} AND opposite.undoes_id = payment.id
            AND opposite.id <= ${by.paymentId}::bigint)
    ) counted
    GROUP BY number`.execute(db);
  return new Map(rows.map(({ number, paidOn }) => [number, paidOn]));
}

/** The numbers of invoices that may have been open, or paid in advance, at a point. */
export async function findOpenNumbers(db: Db, whose: Whose, by: Point): Promise<number[]> {
  const { companyId } = whose;
  return findList(
    db,
    sql`invoice_number`,
    sql`(
      SELECT invoice_number FROM invoice
      WHERE ${isDocumentOf(whose)} AND status = 'REGISTERED' AND kind = 'INVOICE'
      UNION
      SELECT invoice.invoice_number FROM ${paymentsAfter(whose, by)} later
      JOIN invoice ON invoice.company_id = ${companyId} AND invoice.id = later.invoice_id
      UNION
      SELECT invoice.invoice_number FROM ${documentsAfter(whose, by)} note
      JOIN invoice ON invoice.company_id = ${companyId} AND invoice.id = note.credits_invoice_id
      UNION
      SELECT later.invoice_number FROM ${documentsAfter(whose, by)} later
      JOIN payment ON payment.company_id = ${companyId} AND payment.invoice_id = later.id)`,
  );
}

/** The debt at both ends of the books of the customer that documents call by a number; null is nobody's money. */
export interface BalanceRow {
  readonly customerNumber: number | null;
  /** The last document and the last payment that name it. */
  readonly invoiceNumber: number | null;
  readonly paymentId: number | null;
  readonly opening: Ore;
  readonly closing: Ore;
}

/**
 * The debts of customers who owe something at either end, or have something in the books (EXP-27). They are reckoned back
 * from what is owed now, so that a short period of a large company is read alone.
 */
export async function findBalances(
  db: Db,
  scope: ExportScope,
  closing: Point,
): Promise<BalanceRow[]> {
  const { companyId } = scope;
  const later = bookedIn(companyId, 2, {
    documents: documentsAfter(scope, closing),
    payments: paymentsAfter(scope, closing),
  });
  const own = bookedIn(companyId, 1, {
    documents: documentsIn(scope),
    payments: paymentsIn(scope),
  });
  const { rows } = await sql<BalanceRow>`
    SELECT customer_number, invoice_number, payment_id,
      now - since_closing - within AS opening, now - since_closing AS closing
    FROM (
      SELECT customer_number,
        max(invoice_number) FILTER (WHERE invoice_number <= ${closing.number}::bigint) AS invoice_number,
        max(payment_id) FILTER (WHERE payment_id <= ${closing.paymentId}::bigint) AS payment_id,
        COALESCE(sum(amount) FILTER (WHERE part = 0), 0)::bigint AS now,
        COALESCE(sum(amount) FILTER (WHERE part = 1), 0)::bigint AS within,
        COALESCE(sum(amount) FILTER (WHERE part = 2), 0)::bigint AS since_closing,
        count(*) FILTER (WHERE part = 1) AS booked
      FROM (${owedNow(scope)} UNION ALL ${own} UNION ALL ${later}) booking
      GROUP BY customer_number
    ) debt
    WHERE booked <> 0 OR now <> since_closing OR now - since_closing <> within
    ORDER BY customer_number`.execute(db);
  return rows;
}

const NUMBER_OF_CREDIT = sql`(${BUYER_OF_CREDIT} ->> 'customerNumber')::integer`;
const NUMBER_OF_DOCUMENT = sql`(invoice.buyer ->> 'customerNumber')::integer`;

/** The customer of money on no invoice, where the row itself does not name it. */
function joinCustomer(companyId: number): RawBuilder<unknown> {
  return sql`LEFT JOIN customer ON payment.invoice_id IS NULL AND payment.buyer IS NULL
    AND customer.company_id = ${companyId} AND customer.id = payment.customer_id`;
}

function owedNow(whose: Whose): RawBuilder<unknown> {
  const { companyId } = whose;
  return sql`
    SELECT 0 AS part, ${NUMBER_OF_DOCUMENT} AS customer_number, invoice.invoice_number, NULL::bigint AS payment_id,
      invoice.gross_amount - invoice.credited_amount - invoice.paid_amount AS amount
    FROM invoice
    WHERE ${isDocumentOf(whose)} AND status = 'REGISTERED' AND kind = 'INVOICE'
    UNION ALL
    SELECT 0, ${NUMBER_OF_CREDIT}, NULL, payment.id, -payment.amount
    FROM ${paymentsOfWhom(whose)} payment ${joinCustomer(companyId)}
    WHERE NOT payment.possible_copy AND payment.invoice_id IS NULL
      AND NOT payment.undone AND (payment.undoes_id IS NULL OR payment.kind = 'PAYMENT')`;
}

function bookedIn(
  companyId: number,
  part: number,
  { documents, payments }: Record<'documents' | 'payments', RawBuilder<unknown>>,
): RawBuilder<unknown> {
  return sql`
    SELECT ${sql.lit(part)} AS part, ${NUMBER_OF_DOCUMENT}, invoice.invoice_number, NULL::bigint,
      CASE invoice.kind WHEN 'INVOICE' THEN invoice.gross_amount ELSE -invoice.gross_amount END
    FROM ${documents} invoice
    UNION ALL
    SELECT ${sql.lit(part)}, CASE WHEN invoice.id IS NULL THEN ${NUMBER_OF_CREDIT} ELSE ${NUMBER_OF_DOCUMENT} END,
      invoice.invoice_number, CASE WHEN invoice.id IS NULL THEN payment.id END,
      payment.reminder_amount - payment.amount
    FROM ${payments} payment
    LEFT JOIN invoice ON invoice.company_id = ${companyId} AND invoice.id = payment.invoice_id
    ${joinCustomer(companyId)}
    WHERE ${IS_BOOKED}`;
}

/** The customers of balances, as their last documents name them, else as their last payments do; by number. */
export async function findCustomers(
  db: Db,
  companyId: number,
  balances: readonly BalanceRow[],
): Promise<ReadonlyMap<number, Omit<Buyer, 'email'>>> {
  const numbers = balances.flatMap(({ invoiceNumber }) => invoiceNumber ?? []);
  const ids = balances.flatMap((row) => (row.invoiceNumber === null && row.paymentId) || []);
  const { rows } = await sql<{ readonly buyer: Omit<Buyer, 'email'> }>`
    SELECT invoice.buyer FROM invoice
    WHERE invoice.company_id = ${companyId} AND invoice.invoice_number = ANY(${numbers}::bigint[])
    UNION ALL
    SELECT ${BUYER_OF_CREDIT} FROM payment ${joinCustomer(companyId)}
    WHERE payment.company_id = ${companyId} AND payment.id = ANY(${ids}::bigint[])
      AND ${BUYER_OF_CREDIT} IS NOT NULL`.execute(db);
  return new Map(rows.map(({ buyer }) => [buyer.customerNumber, buyer]));
}
