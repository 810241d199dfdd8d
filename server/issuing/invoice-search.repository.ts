import { sql, type RawBuilder } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { EInvoiceVerdict } from '../../domain/einvoice/einvoice-duty.ts';
import {
  listsOwed,
  type InvoiceListQuery,
  type InvoiceSortKey,
} from '../../domain/invoice/invoice-list.schema.ts';
import { PAGE_SIZE } from '../../domain/api/pages.ts';
import { COUNTED_MAX } from '../../domain/invoice/invoice.schema.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import { kronerToOre } from '../../domain/money.ts';
import type { Db } from '../platform/db/database.ts';
import { hasVerdict } from '../einvoice/einvoice.selection.ts';
import { isDue, waysToFind } from './invoice-sought.repository.ts';

/** The filter and the order of a list. */
export interface ListFilter extends Omit<InvoiceListQuery, 'page'> {
  /** Today's date in Oslo. */
  readonly today: IsoDate;
  /** Whether a search reads all of the company's invoices because they are few; see `hasFew`. */
  readonly readsAll: boolean;
  /** Documents with one of these verdicts alone; all when absent. */
  readonly verdicts?: readonly EInvoiceVerdict[] | undefined;
}

/** Up to this many invoices, reading all is faster than the trigram index (docs/decisions/0009-performance.md). */
const FEW = 1000;

/** Whether a company has so few invoices that a search should read them all. */
export async function hasFew(db: Db, companyId: number): Promise<boolean> {
  const row = await db
    .selectFrom('invoiceCount')
    .select((count) =>
      count('drafts', '+', count('registered', '+', count('paid', '+', count.ref('cancelled')))).as(
        'invoices',
      ),
    )
    .where('companyId', '=', companyId)
    .executeTakeFirst();
  return (row?.invoices ?? 0) <= FEW;
}

interface Order {
  readonly key: InvoiceSortKey;
  readonly isDescending: boolean;
}

/** A search with another sort is cut in this order first: a common word matches too many invoices to sort all. */
const NEWEST_FIRST: Order = { key: 'number', isDescending: true };

/** An index has each of these statuses in each order. */
const NUMBERED = ['REGISTERED', 'PAID', 'CANCELLED'] as const satisfies readonly InvoiceStatus[];

/** The expressions of the indexes. */
const SORTED_BY: Readonly<Record<InvoiceSortKey, RawBuilder<unknown>>> = {
  number: sql`NULL::bigint`,
  customer: nameOrder(sql`invoice.buyer ->> 'name'`),
  issue_date: sql`invoice.issue_date`,
  due_date: sql`invoice.due_date`,
  amount: sql`invoice.gross_amount`,
};

function nameOrder(name: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`name_order(${name}) COLLATE "C"`;
}

function orderOf({ sort, status }: ListFilter): Order {
  if (sort === undefined && listsOwed(status)) return { key: 'due_date', isDescending: false };
  if (sort === undefined) return { key: 'number', isDescending: true };
  const key = sort.replace(/^-/, '') as InvoiceSortKey;
  return { key, isDescending: key !== sort };
}

/** Equal values are ordered by number. Drafts have no number, and come in the order of creation. */
function orderBy({ key, isDescending }: Order, hasDrafts: boolean): RawBuilder<unknown> {
  const direction = isDescending ? 'DESC NULLS FIRST' : 'ASC NULLS LAST';
  const columns = [
    ...(key === 'number' ? [] : ['sorted_by']),
    'invoice_number',
    ...(hasDrafts ? ['id'] : []),
  ];
  return sql.raw(`ORDER BY ${columns.map((column) => `${column} ${direction}`).join(', ')}`);
}

/** Whether the list's size must be counted. It is counted only up to a limit, which also bounds the pages. */
export function isSearch({
  status,
  query,
  customerNumber,
  amountDue,
  from,
  to,
  dueFrom,
  dueTo,
  verdicts,
}: ListFilter): boolean {
  const narrowing = customerNumber ?? amountDue ?? from ?? to ?? dueFrom ?? dueTo ?? verdicts;
  return query !== '' || narrowing !== undefined || status === 'FAILED';
}

/** The statuses whose lists are combined; null for all except drafts, which are added separately. */
function statusesOf(filter: ListFilter, { key }: Order): readonly (InvoiceStatus | null)[] {
  const { status, query, readsAll } = filter;
  if (status === 'DRAFT' || status === 'PAID' || status === 'CANCELLED') return [status];
  if (status !== undefined) return ['REGISTERED'];
  if (readsAll && key !== 'customer') return [null];
  if (isSearch(filter)) return key === 'number' && query === '' ? [null] : ['DRAFT', null];
  return key === 'number' ? [null] : ['DRAFT', ...NUMBERED];
}

/** The conditions for one status. Words in index conditions are literals, not parameters, so that the indexes apply. */
function wanted(
  companyId: number,
  filter: ListFilter,
  status: InvoiceStatus | null,
): RawBuilder<unknown>[] {
  const { customerNumber, amountDue, today } = filter;
  const conditions = [sql`invoice.company_id = ${companyId}`];
  if (status !== null) conditions.push(sql`invoice.status = ${sql.lit(status)}`);
  if (listsOwed(filter.status)) {
    conditions.push(
      sql`invoice.kind = 'INVOICE' AND invoice.gross_amount > invoice.credited_amount`,
    );
  }
  if (filter.status === 'OVERDUE') conditions.push(sql`invoice.due_date < ${today}::date`);
  if (filter.status === 'FAILED') conditions.push(sql`invoice.not_arrived`);
  if (customerNumber !== undefined) conditions.push(isOfCustomer(companyId, customerNumber));
  if (amountDue !== undefined) conditions.push(isDue(kronerToOre(amountDue)));
  if (filter.verdicts) conditions.push(hasVerdict(filter.verdicts));
  conditions.push(...ofDays(filter));
  return conditions;
}

function isOfCustomer(companyId: number, customerNumber: number): RawBuilder<unknown> {
  return sql`invoice.customer_id = (
    SELECT wanted.id FROM customer wanted
    WHERE wanted.company_id = ${companyId} AND wanted.customer_number = ${customerNumber})`;
}

/** The days of issue, of what has a number as in the overview's sums, and the days of payment. */
function ofDays({ from, to, dueFrom, dueTo }: ListFilter): RawBuilder<unknown>[] {
  return [
    ...((from ?? to) ? [sql`invoice.status <> 'DRAFT'`] : []),
    ...(from ? [sql`invoice.issue_date >= ${from}::date`] : []),
    ...(to ? [sql`invoice.issue_date <= ${to}::date`] : []),
    ...(dueFrom ? [sql`invoice.due_date >= ${dueFrom}::date`] : []),
    ...(dueTo ? [sql`invoice.due_date <= ${dueTo}::date`] : []),
  ];
}

/** The queries that find the invoices of a list; each returns ids, numbers and sort values. */
export function searches(companyId: number, filter: ListFilter): RawBuilder<unknown>[] {
  const order = orderOf(filter);
  const statuses = statusesOf(filter, order);
  const hasDraftsApart = statuses.length > 1;
  return statuses.flatMap((status) => {
    const isNumbered = hasDraftsApart && status === null;
    const conditions = [
      ...wanted(companyId, filter, status),
      ...(isNumbered ? [sql`invoice.invoice_number IS NOT NULL`] : []),
    ];
    return soughtBy(companyId, filter, status).map((sought) =>
      searchOf(companyId, order, status, sql`${sql.join([...conditions, ...sought], sql` AND `)}`),
    );
  });
}

/** The conditions of each way in which a search finds invoices; without a search there is one, without conditions. */
function soughtBy(
  companyId: number,
  { query, readsAll }: ListFilter,
  status: InvoiceStatus | null,
): RawBuilder<unknown>[][] {
  if (query === '') return [[]];
  const ways = waysToFind(companyId, { query, readsAll, isDraft: status === 'DRAFT' });
  return ways.map((way) => [way]);
}

/** A draft has no frozen buyer, since its customer may still change. */
function searchOf(
  companyId: number,
  { key }: Order,
  status: InvoiceStatus | null,
  isWanted: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (status !== 'DRAFT' || key !== 'customer') {
    return select(SORTED_BY[key], sql`invoice WHERE ${isWanted}`);
  }
  return select(
    nameOrder(sql`customer.name`),
    sql`invoice
      JOIN customer ON customer.company_id = ${companyId} AND customer.id = invoice.customer_id
      WHERE ${isWanted}`,
  );
}

/** The columns that a search returns. */
const FOUND = sql`id, invoice_number, sorted_by`;

function select(sortedBy: RawBuilder<unknown>, from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`SELECT invoice.id, invoice.invoice_number, ${sortedBy} AS sorted_by FROM ${from}`;
}

/**
 * The ids of one page with their positions in the list; mostly read from an index alone. A later page repeats the last
 * row of the page before as its first row.
 */
export function pageOfIds(
  companyId: number,
  page: number,
  filter: ListFilter,
): RawBuilder<{ id: number; place: number }> {
  // The first page's limit is not a parameter, so that PostgreSQL plans for it alone and keeps the plan. The best plan
  // for a later page depends on its position.
  const size = sql`LIMIT ${sql.lit(PAGE_SIZE)}`;
  const later = sql`LIMIT ${sql.lit(PAGE_SIZE + 1)} OFFSET ${(page - 1) * PAGE_SIZE - 1}`;
  const limit = page === 1 ? size : later;
  const most = page === 1 ? sql.lit(PAGE_SIZE) : sql`${page * PAGE_SIZE}`;
  const order = orderOf(filter);
  const hasDrafts = filter.status === undefined || filter.status === 'DRAFT';
  const ordered = orderBy(order, hasDrafts);
  const parts = searches(companyId, filter);
  const listed =
    isSearch(filter) && order.key !== 'number'
      ? sql`SELECT ${FOUND} FROM (${newestOf(parts, filter, hasDrafts)}) found ${ordered} ${limit}`
      : firstOf(parts, ordered, { most, limit, union: unionOf(filter) });
  return sql`SELECT id, row_number() OVER (${ordered}) AS place FROM (${listed}) listed`;
}

/** A search finds some invoices in several ways. */
function unionOf({ query }: ListFilter): RawBuilder<unknown> {
  return query === '' ? sql` UNION ALL ` : sql` UNION `;
}

function newestOf(
  parts: readonly RawBuilder<unknown>[],
  filter: ListFilter,
  hasDrafts: boolean,
): RawBuilder<unknown> {
  const most = sql.lit(COUNTED_MAX);
  const bounds = { most, limit: sql`LIMIT ${most}`, union: unionOf(filter) };
  return firstOf(parts, orderBy(NEWEST_FIRST, hasDrafts), bounds);
}

/** The first rows. Each part is cut at the limit of the whole: a common word need not be found completely. */
function firstOf(
  parts: readonly RawBuilder<unknown>[],
  ordered: RawBuilder<unknown>,
  { most, limit, union }: Readonly<Record<'most' | 'limit' | 'union', RawBuilder<unknown>>>,
): RawBuilder<unknown> {
  const [first, ...others] = parts;
  if (others.length === 0) return sql`${first} ${ordered} ${limit}`;
  const cut = parts.map((part) => sql`(${part} ${ordered} LIMIT ${most})`);
  return sql`SELECT ${FOUND} FROM (${sql.join(cut, union)}) found ${ordered} ${limit}`;
}

/** The invoices that a list's filter finds, in no order, and no more than are counted. */
export function foundOf(companyId: number, filter: ListFilter): RawBuilder<unknown> {
  const most = sql.lit(COUNTED_MAX);
  const cut = searches(companyId, filter).map((part) => sql`(${part} LIMIT ${most})`);
  return sql`SELECT FROM (${sql.join(cut, unionOf(filter))}) listed LIMIT ${most}`;
}

/** The numbers of all documents that a list's filter finds. */
export async function findNumbersOfList(
  db: Db,
  companyId: number,
  filter: ListFilter,
): Promise<number[]> {
  const { rows } = await sql<{ list: string | null }>`
    SELECT json_agg(invoice_number)::text AS list
    FROM (${sql.join(searches(companyId, filter), sql` UNION ALL `)}) found
    WHERE invoice_number IS NOT NULL`.execute(db);
  return JSON.parse(rows[0]?.list ?? '[]') as number[];
}
