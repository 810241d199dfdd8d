import { sql, type AliasedRawBuilder, type RawBuilder } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';

import { HOME_COUNTRY } from '../../domain/country.ts';
import type { IsoDate } from '../../domain/date.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { Db } from '../platform/db/database.ts';
import { BUYER_COLUMNS, LINE_COLUMNS, SHOWN_COLUMNS } from './invoice.rows.ts';

/** Selects invoices with buyer, lines, credit note, credited invoice and seller. */
export function selectInvoices(db: Db) {
  return selectShown(db).select('invoice.seller');
}

/** Null where nothing was filled in, as in `Buyer`. */
const STATED_OF_BUYER = [
  sql`NULLIF(customer.country, ${sql.lit(HOME_COUNTRY)})`.as('country'),
  sql`NULLIF(customer.invoice_emails, '{}')`.as('invoiceEmails'),
];

const REGISTERED_ON = sql<IsoDate | null>`(invoice.registered_at AT TIME ZONE 'Europe/Oslo')::date`;

/** Like `selectInvoices`, without the seller. */
export function selectShown(db: Db) {
  return db
    .selectFrom('invoice')
    .leftJoin('invoice as note', (join) =>
      join
        .onRef('note.companyId', '=', 'invoice.companyId')
        .onRef('note.creditsInvoiceId', '=', 'invoice.id'),
    )
    .leftJoin('invoice as original', (join) =>
      join
        .onRef('original.companyId', '=', 'invoice.companyId')
        .onRef('original.id', '=', 'invoice.creditsInvoiceId'),
    )
    .select(SHOWN_COLUMNS.map((column) => `invoice.${column}` as const))
    .select([
      'note.uuid as noteUuid',
      'note.invoiceNumber as noteNumber',
      'original.uuid as originalUuid',
      'original.invoiceNumber as originalNumber',
      'original.issueDate as originalIssueDate',
    ])
    .select(REGISTERED_ON.as('registeredOn'))
    .select((invoice) => [
      invoice
        .selectFrom('customer')
        .select('customer.customerNumber')
        .whereRef('customer.companyId', '=', 'invoice.companyId')
        .whereRef('customer.id', '=', 'invoice.customerId')
        .as('currentCustomerNumber'),
      sql<Buyer>`COALESCE(invoice.buyer, ${jsonObjectFrom(
        invoice
          .selectFrom('customer')
          .select(BUYER_COLUMNS.map((column) => `customer.${column}` as const))
          .select(STATED_OF_BUYER)
          .whereRef('customer.companyId', '=', 'invoice.companyId')
          .whereRef('customer.id', '=', 'invoice.customerId'),
      )}::jsonb)`.as('buyer'),
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

/** Selects a line's quantity, its whole part plus its thousandths. */
export function exactQuantity(line: string): AliasedRawBuilder<number, 'quantity'> {
  const [whole, thousandths] = [sql.ref(`${line}.quantity`), sql.ref(`${line}.thousandths`)];
  // Added as decimals, so that the result is the double nearest to the decimal value.
  return sql<number>`(${whole} + ${thousandths} * 0.001)::float8`.as('quantity');
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

/** Whether that row has a line that its company may not use (VAT-5). */
export function hasLineOfOthers(invoice: string): RawBuilder<boolean> {
  const company = sql.ref(`${invoice}.companyId`);
  const id = sql.ref(`${invoice}.id`);
  return sql<boolean>`COALESCE((
    SELECT true FROM invoice_line line JOIN company ON company.id = line.company_id
    WHERE line.company_id = ${company} AND line.invoice_id = ${id}
      AND (line.vat_treatment = 'NOT_REGISTERED') = company.vat_registered
    LIMIT 1), false)`;
}
