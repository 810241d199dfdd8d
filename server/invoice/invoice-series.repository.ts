import { sql } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { Ore } from '../../domain/money.ts';
import type { Db } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { selectInvoices } from './invoice.selection.ts';
import type { InvoiceRow } from './invoice.rows.ts';

/** The number series that a company has stored, and the one that its invoices show. */
export interface SeriesRow {
  readonly companyId: number;
  readonly email: string;
  readonly startInvoiceNumber: number;
  readonly lastInvoiceNumber: number | null;
  readonly lastDocumentHash: Uint8Array | null;
  readonly lowestNumber: number | null;
  readonly highestNumber: number | null;
}

/** A registered invoice, with the invoice that it credits and the sum of its credit notes. */
export interface RegisteredRow extends InvoiceRow {
  readonly originalGross: Ore | null;
  readonly noteAmount: Ore;
}

/** The address of an account, or the id of a company; null for every company. */
export type SeriesOf = string | number | null;

/** The next companies by id, or those of one account, or the one. One statement, so all rows are of one moment. */
export async function findSeries(
  db: Db,
  { afterId, most, only }: { afterId: number; most: number; only: SeriesOf },
): Promise<SeriesRow[]> {
  const query = db
    .selectFrom('company')
    .innerJoin('account', 'account.id', 'company.accountId')
    .select([
      'company.id as companyId',
      'account.email',
      'company.startInvoiceNumber',
      'company.lastInvoiceNumber',
      'company.lastDocumentHash',
    ])
    .select((company) => [
      company
        .selectFrom('invoice')
        .select((row) => row.fn.min('invoiceNumber').as('lowest'))
        .whereRef('invoice.companyId', '=', 'company.id')
        .as('lowestNumber'),
      company
        .selectFrom('invoice')
        .select((row) => row.fn.max('invoiceNumber').as('highest'))
        .whereRef('invoice.companyId', '=', 'company.id')
        .as('highestNumber'),
    ])
    .where('company.id', '>', afterId)
    .orderBy('company.id')
    .limit(most);
  if (only === null) return query.execute();
  return typeof only === 'string'
    ? query.where('account.email', '=', only).execute()
    : query.where('company.id', '=', only).execute();
}

/** Registered documents ordered by number, from this number on. */
export async function findRegistered(
  db: Db,
  companyId: number,
  { from, to, most }: { from: number; to: number; most: number },
): Promise<RegisteredRow[]> {
  return selectInvoices(db)
    .select('original.grossAmount as originalGross')
    .select(
      sql<Ore>`COALESCE((
        SELECT sum(note.gross_amount)::bigint FROM invoice note
        WHERE note.company_id = invoice.company_id AND note.credits_invoice_id = invoice.id
          AND note.status <> 'DRAFT'), 0)`.as('noteAmount'),
    )
    .where('invoice.companyId', '=', companyId)
    .where('invoice.invoiceNumber', '>=', from)
    .where('invoice.invoiceNumber', '<=', to)
    .orderBy('invoice.invoiceNumber')
    .limit(most)
    .execute();
}

/** Does what triggers do for a company whose rows were written without them: the sums by day, and what did not arrive. */
export async function followRows(db: Db, companyId: number): Promise<void> {
  await sql`SELECT count_invoice_days(${companyId})`.execute(db);
  await sql`
    UPDATE invoice SET not_arrived = true
    WHERE company_id = ${companyId} AND has_not_arrived(company_id, id)`.execute(db);
}

/** Whether the stored counts equal freshly counted ones, at one moment. */
export async function countsAreRight(db: Db, companyId: number): Promise<boolean> {
  const { rows } = await sql<{ right: boolean }>`
    SELECT (kept.drafts, kept.registered, kept.paid, kept.cancelled, kept.sent, kept.outstanding,
      kept.outstanding_amount) = (
      SELECT
        count(*) FILTER (WHERE status = 'DRAFT'),
        count(*) FILTER (WHERE status = 'REGISTERED'),
        count(*) FILTER (WHERE status = 'PAID'),
        count(*) FILTER (WHERE status = 'CANCELLED'),
        count(*) FILTER (WHERE delivery_status = 'SENT'),
        count(*) FILTER (WHERE kind = 'INVOICE' AND status = 'REGISTERED' AND gross_amount > credited_amount),
        COALESCE(sum(gross_amount - credited_amount - paid_amount)
          FILTER (WHERE kind = 'INVOICE' AND status = 'REGISTERED'), 0)
      FROM invoice WHERE company_id = ${companyId}
    ) AND NOT EXISTS (
      SELECT FROM (
        SELECT due_date, count(*) AS outstanding, sum(gross_amount - credited_amount - paid_amount) AS amount
        FROM invoice
        WHERE company_id = ${companyId} AND kind = 'INVOICE' AND status = 'REGISTERED'
          AND gross_amount > credited_amount
        GROUP BY due_date
      ) counted FULL JOIN (
        SELECT due_date, outstanding, outstanding_amount AS amount FROM invoice_due
        WHERE company_id = ${companyId}
      ) due USING (due_date)
      WHERE (COALESCE(counted.outstanding, 0), COALESCE(counted.amount, 0))
        <> (COALESCE(due.outstanding, 0), COALESCE(due.amount, 0))
    ) AND NOT EXISTS (
      SELECT FROM invoice_days(${companyId}) counted
      FULL JOIN (SELECT * FROM invoice_day WHERE company_id = ${companyId}) day USING (day, due_date)
      WHERE (COALESCE(counted.net_amount, 0), COALESCE(counted.vat_amount, 0),
          COALESCE(counted.outstanding_amount, 0), COALESCE(counted.outstanding, 0))
        <> (COALESCE(day.net_amount, 0), COALESCE(day.vat_amount, 0),
          COALESCE(day.outstanding_amount, 0), COALESCE(day.outstanding, 0))
    ) AS "right"
    FROM invoice_count kept WHERE company_id = ${companyId}`.execute(db);
  return rows[0]?.right ?? false;
}

/** The ends of a company's series, and the latest date of its documents; null where there is none. */
export async function findLastIssued(
  db: Db,
  companyId: number,
): Promise<Row<'company', 'lastInvoiceNumber'> & { readonly issueDate: IsoDate | null }> {
  return db
    .selectFrom('company')
    .select('lastInvoiceNumber')
    .select((company) =>
      company
        .selectFrom('invoice')
        .select((row) => row.fn.max('issueDate').as('issueDate'))
        .where('companyId', '=', companyId)
        .where('status', '<>', 'DRAFT')
        .as('issueDate'),
    )
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow();
}
