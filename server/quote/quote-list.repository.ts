import { sql, type RawBuilder } from 'kysely';

import { PAGE_SIZE } from '../../domain/api/pages.ts';
import type { IsoDate } from '../../domain/date.ts';
import { COUNTED_MAX } from '../../domain/invoice/invoice.schema.ts';
import type { QuoteListQuery } from '../../domain/quote/quote.schema.ts';
import type { Db } from '../platform/db/database.ts';
import { matches } from '../platform/db/search.ts';

/** The quotes that a query finds, with the day in Oslo that their states depend on. */
export interface QuoteFilter extends QuoteListQuery {
  readonly today: IsoDate;
  /** Whether a search reads all of the company's quotes, because they are few. */
  readonly readsAll: boolean;
}

/** Whether the kept counts do not say how many a filter finds. */
export function isSearch({ query, customerNumber }: Pick<QuoteFilter, 'query' | 'customerNumber'>) {
  return query !== '' || customerNumber !== undefined;
}

/** The ids of a page, the newest quote first. */
export async function findQuotePage(
  db: Db,
  companyId: number,
  filter: QuoteFilter,
): Promise<number[]> {
  const { page } = filter;
  // The first page is written out, so that PostgreSQL plans for it alone and keeps the plan.
  const skipped = page === 1 ? sql`` : sql`OFFSET ${(page - 1) * PAGE_SIZE}`;
  const { rows } = await sql<{ id: number }>`
    SELECT quote.id ${foundBy(companyId, filter)}
    ORDER BY quote.id DESC LIMIT ${sql.lit(PAGE_SIZE)} ${skipped}`.execute(db);
  return rows.map(({ id }) => id);
}

/** How many quotes a search finds, counted up to a limit. */
export async function countFoundQuotes(
  db: Db,
  companyId: number,
  filter: QuoteFilter,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM (
      SELECT ${foundBy(companyId, filter)} LIMIT ${sql.lit(COUNTED_MAX)}) found`.execute(db);
  return rows[0]?.count ?? 0;
}

function foundBy(companyId: number, filter: QuoteFilter): RawBuilder<unknown> {
  const { query, customerNumber, readsAll } = filter;
  const conditions = [sql`quote.company_id = ${companyId}`, isIn(filter)];
  if (query !== '') conditions.push(matches('shown.searchText', query, readsAll));
  if (customerNumber !== undefined) {
    conditions.push(sql`shown.customer_id = (
      SELECT id FROM customer WHERE company_id = ${companyId} AND customer_number = ${customerNumber})`);
  }
  const revisions = isSearch(filter)
    ? sql`JOIN quote_revision shown ON shown.company_id = quote.company_id
        AND shown.quote_id = quote.id AND shown.revision = quote.revision`
    : sql``;
  return sql`FROM quote ${revisions} WHERE ${sql.join(conditions, sql` AND `)}`;
}

/** Whether a quote, or a count of quotes, is of a listed state, as `quoteStateOn` has it, in words that the indexes know. */
function isIn({ state, today }: Pick<QuoteFilter, 'state' | 'today'>): RawBuilder<unknown> {
  switch (state) {
    case undefined:
      return sql`true`;
    case 'SENT':
      return sql`state = 'SENT' AND sent_valid_until >= ${today}::date`;
    case 'EXPIRED':
      return sql`state = 'SENT' AND sent_valid_until < ${today}::date`;
    case 'ACCEPTED':
      return sql`state = 'ACCEPTED' AND invoiced <> 'ALL' AND invoiced = 'NONE'`;
    case 'PARTLY_INVOICED':
      return sql`state = 'ACCEPTED' AND invoiced <> 'ALL' AND invoiced = 'PART'`;
    case 'TO_INVOICE':
      return sql`state = 'ACCEPTED' AND invoiced <> 'ALL'`;
    case 'OPEN':
      return sql`state IN ('DRAFT', 'SENT', 'ACCEPTED') AND invoiced <> 'ALL'`;
    case 'INVOICED':
      return sql`state = 'ACCEPTED' AND invoiced = 'ALL'`;
    default:
      return sql`state = ${sql.lit(state)}`;
  }
}

/** Kept counts of a company's quotes. */
interface QuoteCounts {
  /** Those of the listed state. */
  readonly listed: number;
  readonly all: number;
  readonly drafts: number;
  readonly sent: number;
  readonly expired: number;
  readonly accepted: number;
  /** Øre without VAT. */
  readonly toInvoice: number;
}

/** The counts on a day in Oslo: a row for each state, and for each last day of those that were sent. */
export async function countQuotes(
  db: Db,
  companyId: number,
  listed: Pick<QuoteFilter, 'state' | 'today'>,
): Promise<QuoteCounts> {
  const { today } = listed;
  const sumOf = (column: 'quotes' | 'left_net', state: QuoteFilter['state']) =>
    sql`COALESCE(sum(${sql.ref(column)}) FILTER (WHERE ${isIn({ state, today })}), 0)::bigint`;
  const { rows } = await sql<QuoteCounts>`
    SELECT ${sumOf('quotes', listed.state)} AS listed, ${sumOf('quotes', undefined)} AS "all",
      ${sumOf('quotes', 'DRAFT')} AS drafts, ${sumOf('quotes', 'SENT')} AS sent,
      ${sumOf('quotes', 'EXPIRED')} AS expired, ${sumOf('quotes', 'TO_INVOICE')} AS accepted,
      ${sumOf('left_net', 'TO_INVOICE')} AS to_invoice
    FROM quote_count WHERE company_id = ${companyId}`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('A sum answered no row');
  return counts;
}
