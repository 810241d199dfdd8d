import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';

import { toSnakeKey } from '../../domain/api/case.ts';
import type { InvoiceListQuery } from '../../domain/invoice/invoice.schema.ts';
import { COUNTED_MAX, PAGE_SIZE } from '../../domain/invoice/invoice.schema.ts';
import type { Db } from '../db/database.ts';
import { matches } from '../db/search.ts';
import type { Tables } from '../db/tables.ts';
import { DELIVERIES_OF_INVOICE, type ShownDelivery } from '../delivery/delivery.rows.ts';
import { LIST_COLUMNS } from './invoice.repository.ts';
import type { InvoiceCounts, LineRow, ListedRow } from './invoice.rows.ts';

type ListFilter = Pick<InvoiceListQuery, 'status' | 'query'> & {
  /** Customers that the query finds; their drafts match, which have no text of their own yet. */
  readonly customerIds: readonly number[];
};

/** One page of the list with the counts of the whole account. */
export interface ListedPage {
  readonly counts: InvoiceCounts;
  readonly rows: readonly WholeRow[];
}

/** A row of the list with all that belongs to it. */
export interface WholeRow extends ListedRow {
  readonly lines: readonly LineRow[];
  readonly deliveries: readonly ShownDelivery[];
}

interface Answer extends InvoiceCounts {
  readonly rows: readonly WholeRow[];
}

function filtered<O>(
  query: SelectQueryBuilder<Tables, 'invoice', O>,
  companyId: number,
  filter: ListFilter,
): SelectQueryBuilder<Tables, 'invoice', O> {
  let result = query.where('invoice.companyId', '=', companyId);
  if (filter.status !== undefined) result = result.where('invoice.status', '=', filter.status);
  if (filter.query === '') return result;
  return result.where((row) =>
    row.or([
      matches('invoice.searchText', filter.query),
      row.and([
        row('invoice.status', '=', 'DRAFT'),
        sql<boolean>`invoice.customer_id = ANY(${[...filter.customerIds]}::bigint[])`,
      ]),
    ]),
  );
}

/** The ids of one page: drafts first, then the highest number; read from the index alone. */
function pageOfIds(db: Db, companyId: number, page: number, filter: ListFilter) {
  const first = filtered(db.selectFrom('invoice').select('invoice.id'), companyId, filter)
    .orderBy('invoice.invoiceNumber', (order) => order.desc().nullsFirst())
    .orderBy('invoice.id', 'desc')
    // Not a parameter, so that PostgreSQL may keep its plan from one call to the next.
    .limit(sql.lit(PAGE_SIZE));
  return page === 1 ? first : first.offset((page - 1) * PAGE_SIZE);
}

/**
 * One page, in one statement: each statement costs a system call on both sides, and more than its
 * rows do. The rows come as JSON, which is parsed several times as fast as so many columns, and
 * names every property as the code does. Only the page's own rows are read whole.
 */
export async function findPage(
  db: Db,
  companyId: number,
  page: number,
  filter: ListFilter,
): Promise<ListedPage> {
  const { rows: answers } = await pageQuery(db, companyId, page, filter).execute(db);
  const [counts] = answers;
  if (!counts) throw new Error(`Company ${companyId} has no counts`);
  return { counts, rows: counts.rows };
}

/** The statement of `findPage`. */
export function pageQuery(
  db: Db,
  companyId: number,
  page: number,
  filter: ListFilter,
): RawBuilder<Answer> {
  return sql<Answer>`
    SELECT total.drafts, total.registered, total.paid, total.cancelled, total.sent,
      ${sentDate(companyId, 'min')} AS sent_from, ${sentDate(companyId, 'max')} AS sent_to,
      COALESCE((
        SELECT json_agg(${ROW} ORDER BY invoice.invoice_number DESC NULLS FIRST, invoice.id DESC)
        FROM (${pageOfIds(db, companyId, page, filter)}) page
        JOIN invoice ON invoice.id = page.id
        LEFT JOIN invoice note ON note.credits_invoice_id = invoice.id
        LEFT JOIN invoice original ON original.id = invoice.credits_invoice_id
      ), '[]') AS rows
    FROM invoice_count total WHERE total.company_id = ${companyId}`;
}

const LINES = `(
  SELECT COALESCE(json_agg(json_build_object(
    'id', line.id, 'invoiceId', line.invoice_id, 'quantity', line.quantity,
    'description', line.description, 'netUnitAmount', line.net_unit_amount,
    'vatRate', line.vat_rate) ORDER BY line.position), '[]')
  FROM invoice_line line
  WHERE line.company_id = invoice.company_id AND line.invoice_id = invoice.id)`;

/** Only what is under way, sent or failed has deliveries. */
const DELIVERIES = `CASE
  WHEN COALESCE(invoice.delivery_status, 'PENDING') = 'PENDING' THEN '[]'
  ELSE ${DELIVERIES_OF_INVOICE} END`;

/** An invoice as JSON, of the columns that every query of invoices takes. */
const ROW = sql.raw(
  `json_build_object(${[
    ...LIST_COLUMNS.map(toProperty),
    `'lines', ${LINES}`,
    `'deliveries', ${DELIVERIES}`,
  ].join(', ')})`,
);

/** 'note.uuid as noteUuid' → "'noteUuid', note.uuid" */
function toProperty(column: string): string {
  const [source = '', alias] = column.split(' as ');
  const [table = '', name = ''] = source.split('.');
  return `'${alias ?? name}', ${table}.${toSnakeKey(name)}`;
}

/**
 * The first or last issue date among the sent; an index has it at its end. It depends on no row of
 * the page, so it is looked up once.
 */
function sentDate(companyId: number, end: 'min' | 'max') {
  return sql`(
    SELECT ${sql.raw(end)}(sent.issue_date) FROM invoice sent
    WHERE sent.company_id = ${companyId} AND sent.delivery_status = 'SENT')`;
}

/**
 * How many invoices a search finds, counted up to a limit: what is common among a million would take
 * longer to count than to find. Without a search the counts are kept, not counted.
 */
export async function countFound(db: Db, companyId: number, filter: ListFilter): Promise<number> {
  const found = filtered(db.selectFrom('invoice').select('invoice.id'), companyId, filter).limit(
    sql.lit(COUNTED_MAX),
  );
  const row = await db
    .selectFrom(found.as('found'))
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}
