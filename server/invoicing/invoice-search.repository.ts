import { sql, type RawBuilder } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type {
  InvoiceListQuery,
  InvoiceSortKey,
  ListedStatus,
} from '../../domain/invoice/invoice-list.schema.ts';
import { PAGE_SIZE } from '../../domain/invoice/invoice.schema.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import { kronerToOre, type Ore } from '../../domain/money.ts';
import { matches } from '../db/search.ts';
import { lastFailed } from '../delivery/delivery.selection.ts';

/** What is listed, and in which order. */
export interface ListFilter extends Omit<InvoiceListQuery, 'page'> {
  /** In Oslo. */
  readonly today: IsoDate;
}

interface Order {
  readonly key: InvoiceSortKey;
  readonly isDescending: boolean;
}

/** Of these an index has each status in each order. */
const NUMBERED = ['REGISTERED', 'PAID', 'CANCELLED'] as const satisfies readonly InvoiceStatus[];

/** As the indexes have it. */
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
  if (sort === undefined)
    return { key: isOwed(status) ? 'due_date' : 'number', isDescending: true };
  const key = sort.replace(/^-/, '') as InvoiceSortKey;
  return { key, isDescending: key !== sort };
}

/** Of the same the numbers decide, and of drafts, which have none, which was made first. */
function orderBy({ key, isDescending }: Order): RawBuilder<unknown> {
  const places = key === 'number' ? [] : ['sorted_by'];
  const direction = isDescending ? 'DESC NULLS FIRST' : 'ASC NULLS LAST';
  const columns = [...places, 'invoice_number', 'id'].map((column) => `${column} ${direction}`);
  return sql.raw(`ORDER BY ${columns.join(', ')}`);
}

function isOwed(status: ListedStatus | undefined): boolean {
  return status === 'OUTSTANDING' || status === 'OVERDUE';
}

/** The statuses that a list may have; null for all, in one order of an index. */
function statusesOf(
  { status, query }: ListFilter,
  { key }: Order,
): readonly (InvoiceStatus | null)[] {
  if (status === 'DRAFT' || status === 'PAID' || status === 'CANCELLED') return [status];
  if (status !== undefined) return ['REGISTERED'];
  if (key !== 'number') return ['DRAFT', ...NUMBERED];
  return query === '' ? [null] : ['DRAFT', null];
}

/** What is listed of a status. The words of indexes are not parameters, so that these are used. */
function wanted(
  companyId: number,
  filter: ListFilter,
  status: InvoiceStatus | null,
): RawBuilder<boolean> {
  const { customerNumber, amountDue, today, query } = filter;
  const conditions = [sql`invoice.company_id = ${companyId}`];
  if (status !== null) conditions.push(sql`invoice.status = ${sql.lit(status)}`);
  if (isOwed(filter.status)) conditions.push(sql`invoice.kind = 'INVOICE'`);
  if (filter.status === 'OVERDUE') conditions.push(sql`invoice.due_date < ${today}::date`);
  if (filter.status === 'FAILED') {
    conditions.push(sql`invoice.delivery_status = 'FAILED' AND (${lastFailed()})`);
  }
  if (customerNumber !== undefined) conditions.push(isOfCustomer(companyId, customerNumber));
  if (amountDue !== undefined) conditions.push(isDue(kronerToOre(amountDue)));
  // A draft has no text of its own, since its customer may still change. They are searched for apart:
  // an OR of both could use the index of neither.
  if (query !== '') {
    conditions.push(
      matches(status === 'DRAFT' ? 'customer.searchText' : 'invoice.searchText', query),
    );
  }
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}

function isOfCustomer(companyId: number, customerNumber: number): RawBuilder<unknown> {
  return sql`invoice.customer_id = (
    SELECT wanted.id FROM customer wanted
    WHERE wanted.company_id = ${companyId} AND wanted.customer_number = ${customerNumber})`;
}

function isDue(amount: Ore): RawBuilder<unknown> {
  return sql`invoice.kind = 'INVOICE' AND invoice.status = 'REGISTERED'
    AND invoice.gross_amount - invoice.paid_amount = ${amount}::bigint`;
}

/** What finds the invoices of a list, each a query of ids, numbers and what they are sorted by. */
export function searches(companyId: number, filter: ListFilter): RawBuilder<unknown>[] {
  const order = orderOf(filter);
  return statusesOf(filter, order).map((status) => {
    const isWanted = wanted(companyId, filter, status);
    if (status !== 'DRAFT') return select(SORTED_BY[order.key], sql`invoice WHERE ${isWanted}`);
    const sortedBy =
      order.key === 'customer' ? nameOrder(sql`customer.name`) : SORTED_BY[order.key];
    if (order.key !== 'customer' && filter.query === '') {
      return select(sortedBy, sql`invoice WHERE ${isWanted}`);
    }
    return select(
      sortedBy,
      sql`invoice
        JOIN customer ON customer.company_id = ${companyId} AND customer.id = invoice.customer_id
        WHERE ${isWanted}`,
    );
  });
}

function select(sortedBy: RawBuilder<unknown>, from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`SELECT invoice.id, invoice.invoice_number, ${sortedBy} AS sorted_by FROM ${from}`;
}

/** The ids of one page, with their places in its list; read from the index alone. */
export function pageOfIds(
  companyId: number,
  page: number,
  filter: ListFilter,
): RawBuilder<{ id: number; place: number }> {
  // The limit is not a parameter, so that PostgreSQL may keep its plan from one call to the next.
  const size = sql`LIMIT ${sql.lit(PAGE_SIZE)}`;
  const limit = page === 1 ? size : sql`${size} OFFSET ${(page - 1) * PAGE_SIZE}`;
  const order = orderBy(orderOf(filter));
  // Each is cut where the page ends, so that what is common need not be found whole.
  const most = sql`LIMIT ${sql.lit(page * PAGE_SIZE)}`;
  const [first, ...others] = searches(companyId, filter);
  const listed =
    others.length === 0
      ? sql`${first} ${order} ${limit}`
      : sql`SELECT * FROM (${sql.join(
          [first, ...others].map((search) => sql`(${search} ${order} ${most})`),
          sql` UNION ALL `,
        )}) found ${order} ${limit}`;
  return sql`SELECT id, row_number() OVER (${order}) AS place FROM (${listed}) listed`;
}
