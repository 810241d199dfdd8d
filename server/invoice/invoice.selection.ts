import { sql, type AliasedRawBuilder, type RawBuilder } from 'kysely';

import { HOME_COUNTRY } from '../../domain/country.ts';
import type { IsoDate } from '../../domain/date.ts';
import { quantityParts } from '../../domain/invoice/invoice-line.schema.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { Db } from '../platform/db/database.ts';
import { jsonArrayFrom } from '../platform/db/json-rows.ts';
import {
  BUYER_COLUMNS,
  JUDGED_COLUMNS,
  LINE_COLUMNS,
  PRESENTED_COLUMNS,
  type PresentedRow,
} from './invoice.rows.ts';

/** Selects invoices with buyer, lines, credit notes, credited invoice and seller. */
export function selectInvoices(db: Db) {
  return selectShown(db).select('invoice.seller');
}

/** The buyer of the statement's `customer`, for drafts. */
const BUYER_OF_DRAFT = sql`CASE WHEN customer.id IS NOT NULL THEN jsonb_build_object(${sql.join([
  ...BUYER_COLUMNS.flatMap((column) => [sql.lit(column), sql.ref(`customer.${column}`)]),
  // Null where nothing was filled in, as in `Buyer`.
  sql`'country', NULLIF(customer.country, ${sql.lit(HOME_COUNTRY)})`,
  sql`'invoiceEmails', NULLIF(customer.invoice_emails, '{}')`,
])}) END`;

/** The credit notes of an invoice. The credited amount says whether there are any. */
const NOTES = sql<
  PresentedRow['notes']
>`CASE WHEN invoice.status = 'CANCELLED' OR invoice.credited_amount <> 0 THEN (
  SELECT json_agg(json_build_object('uuid', note.uuid, 'invoiceNumber', note.invoice_number)
    ORDER BY note.invoice_number)
  FROM invoice note
  WHERE note.company_id = invoice.company_id AND note.credits_invoice_id = invoice.id
    AND note.status <> 'DRAFT') END`;

const REGISTERED_ON = sql<IsoDate | null>`(invoice.registered_at AT TIME ZONE 'Europe/Oslo')::date`;

/** Like `selectInvoices`, without the seller: it is the same company on every row of a page. */
export function selectShown(db: Db) {
  return selectPresented(db)
    .select(JUDGED_COLUMNS.map((column) => `invoice.${column}` as const))
    .select(['original.issueDate as originalIssueDate', 'original.status as creditedStatus'])
    .select('customer.isPrivate as isBuyerPrivate');
}

/**
 * Selects what answers about invoices are made from. The credited invoice and the customer are looked up for each row: of
 * a join, PostgreSQL compares every invoice of a company with every other while it has no statistics.
 */
export function selectPresented(db: Db) {
  return db
    .selectFrom('invoice')
    .leftJoinLateral(
      (invoice) =>
        invoice
          .selectFrom('invoice as credited')
          .select(['uuid', 'invoiceNumber', 'issueDate', 'status', 'grossAmount'])
          .whereRef('credited.companyId', '=', 'invoice.companyId')
          .whereRef('credited.id', '=', 'invoice.creditsInvoiceId')
          // Without it an invoice that credits nothing is looked up too.
          .where('invoice.creditsInvoiceId', 'is not', null)
          .limit(1)
          .as('original'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (invoice) =>
        invoice
          .selectFrom('customer')
          .select([...BUYER_COLUMNS, 'id', 'country', 'invoiceEmails', 'isPrivate'])
          .whereRef('customer.id', '=', 'invoice.customerId')
          // No index has this condition. By '=' PostgreSQL may go by the index of numbers, and read all customers of a young company.
          .whereRef('customer.companyId', 'is not distinct from', 'invoice.companyId')
          .limit(1)
          .as('customer'),
      (join) => join.onTrue(),
    )
    .select(PRESENTED_COLUMNS.map((column) => `invoice.${column}` as const))
    .select(['original.uuid as originalUuid', 'original.invoiceNumber as originalNumber'])
    .select('customer.customerNumber as currentCustomerNumber')
    .select([REGISTERED_ON.as('registeredOn'), NOTES.as('notes')])
    .select((invoice) => [
      sql<Buyer>`COALESCE(invoice.buyer, ${BUYER_OF_DRAFT})`.as('buyer'),
      jsonArrayFrom(
        invoice
          .selectFrom('invoiceLine as line')
          .select(LINE_COLUMNS.map((column) => `line.${column}` as const))
          .select(exactQuantity('line'))
          .whereRef('line.companyId', '=', 'invoice.companyId')
          .whereRef('line.invoiceId', '=', 'invoice.id')
          .orderBy('line.position'),
      ).as('lines'),
    ]);
}

/** Selects the status of the invoice that the statement's `invoice` credits. */
export function creditedStatus() {
  return sql<InvoiceStatus | null>`(
    SELECT credited.status FROM invoice credited
    WHERE credited.company_id = invoice.company_id
      AND credited.id = invoice.credits_invoice_id)`.as('creditedStatus');
}

/** Selects a line's quantity, its whole part plus its thousandths. */
export function exactQuantity(line: string): AliasedRawBuilder<number, 'quantity'> {
  const [whole, thousandths] = [sql.ref(`${line}.quantity`), sql.ref(`${line}.thousandths`)];
  // Divided once, so that the result is the double nearest to the decimal value.
  return sql<number>`((${whole}::bigint * 1000 + ${thousandths})::float8 / 1000)`.as('quantity');
}

/** Converts a line to the columns of its table. */
export function toStoredLine<Line extends { readonly quantity: number }>(line: Line) {
  const { whole, thousandths } = quantityParts(line.quantity);
  return { ...line, quantity: whole, thousandths };
}

/**
 * Whether the row that the statement calls `invoice` has a line with a VAT rate. Uses no EXISTS: PostgreSQL would
 * turn it into a table of every company's lines.
 */
export function hasVat(invoice: string): RawBuilder<boolean> {
  const company = sql.ref(`${invoice}.companyId`);
  const id = sql.ref(`${invoice}.id`);
  return sql<boolean>`COALESCE((
    SELECT true FROM invoice_line line
    WHERE line.company_id = ${company} AND line.invoice_id = ${id} AND line.vat_rate <> 0
    LIMIT 1), false)`;
}

/** Whether that row, a draft, has a line that keeps it from being registered (VAT-5, VAT-6). */
export function hasBarredLine(draft: string): RawBuilder<boolean> {
  const [company, id] = [sql.ref(`${draft}.companyId`), sql.ref(`${draft}.id`)];
  const deliveredHere = sql`COALESCE(${sql.ref(`${draft}.deliveryCountry`)}, ${sql.lit(HOME_COUNTRY)})`;
  return sql<boolean>`COALESCE((
    SELECT true FROM invoice_line line JOIN company ON company.id = line.company_id
    LEFT JOIN customer ON customer.company_id = line.company_id
      AND customer.id = ${sql.ref(`${draft}.customerId`)}
    WHERE line.company_id = ${company} AND line.invoice_id = ${id} AND (
      (line.vat_treatment = 'NOT_REGISTERED') = company.vat_registered
      OR (line.vat_treatment = 'EXPORT'
        AND (${deliveredHere}, customer.country) = (${sql.lit(HOME_COUNTRY)}, ${sql.lit(HOME_COUNTRY)}))
      OR (line.vat_treatment = 'REVERSE' AND customer.vat_number IS NULL
        AND (customer.org_number IS NULL OR customer.country <> ${sql.lit(HOME_COUNTRY)})))
    LIMIT 1), false)`;
}

/** Whether an invoice has a line, called `line`, that meets a condition. */
export function hasLine(companyId: number, isSought: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql<boolean>`invoice.id IN (
    SELECT line.invoice_id FROM invoice_line line
    WHERE line.company_id = ${companyId} AND ${isSought})`;
}
