import { sql, type RawBuilder } from 'kysely';

import { PAGE_SIZE } from '../../domain/api/pages.ts';
import type { IsoDate } from '../../domain/date.ts';
import type { QuoteListQuery } from '../../domain/quote/quote.schema.ts';
import type { QuoteState } from '../../domain/quote/quote.state.ts';
import type { Db } from '../platform/db/database.ts';
import { searchWords } from '../../domain/search-text.ts';
import { matches } from '../platform/db/search.ts';

/** The quotes that a query finds, with the day in Oslo that their states depend on. */
export type QuoteFilter = Omit<QuoteListQuery, 'page'> & { readonly today: IsoDate };

/** The ids of a page, the newest quote first, and how many the filter finds. */
export async function findQuotePage(
  db: Db,
  companyId: number,
  { page, ...filter }: QuoteFilter & Pick<QuoteListQuery, 'page'>,
): Promise<{ readonly ids: number[]; readonly count: number }> {
  const found = foundBy(companyId, filter);
  const { rows } = await sql<{ ids: number[]; count: number }>`
    SELECT
      ARRAY(SELECT quote.id ${found} ORDER BY quote.id DESC
        LIMIT ${PAGE_SIZE} OFFSET ${(page - 1) * PAGE_SIZE}) AS ids,
      (SELECT count(*) ${found}) AS count`.execute(db);
  const [listed] = rows;
  if (!listed) throw new Error('A statement without rows answered none');
  return listed;
}

function foundBy(
  companyId: number,
  { state, query, customerNumber, today }: QuoteFilter,
): RawBuilder<unknown> {
  const conditions = [sql`quote.company_id = ${companyId}`];
  if (state !== undefined) conditions.push(isIn(state, today));
  const isOfRevision = query !== '' || customerNumber !== undefined;
  if (query !== '') {
    conditions.push(...searchWords(query).map(hasWord));
  }
  if (customerNumber !== undefined) {
    conditions.push(sql`shown.customer_id = (
      SELECT id FROM customer WHERE company_id = ${companyId} AND customer_number = ${customerNumber})`);
  }
  const revisions = isOfRevision
    ? sql`JOIN quote_revision shown ON shown.company_id = quote.company_id
        AND shown.quote_id = quote.id AND shown.revision = quote.revision`
    : sql``;
  return sql`FROM quote ${revisions} WHERE ${sql.join(conditions, sql` AND `)}`;
}

/** Whether a quote has a word of a search (QUO-21). Only of figures the number is looked at, so that others use the index. */
function hasWord(word: string): RawBuilder<unknown> {
  const inText = matches('shown.searchText', word);
  if (!/^\d+$/.test(word)) return inText;
  return sql`(${inText} OR ${matches(sql`(' ' || quote.quote_number)`, word)})`;
}

/** Whether a quote is in a state on a day, as `quoteStateOn` has it, in words that the index of states knows. */
function isIn(state: QuoteState, today: IsoDate): RawBuilder<unknown> {
  switch (state) {
    case 'SENT':
      return sql`quote.state = 'SENT' AND sent_valid_until >= ${today}::date`;
    case 'EXPIRED':
      return sql`quote.state = 'SENT' AND sent_valid_until < ${today}::date`;
    case 'ACCEPTED':
      return sql`quote.state = 'ACCEPTED' AND invoiced = 'NONE'`;
    case 'PARTLY_INVOICED':
      return sql`quote.state = 'ACCEPTED' AND invoiced = 'PART'`;
    case 'INVOICED':
      return sql`quote.state = 'ACCEPTED' AND invoiced = 'ALL'`;
    default:
      return sql`quote.state = ${state}`;
  }
}

/** Counts over all quotes of a company; pages and filters do not matter. */
export interface QuoteCounts {
  readonly drafts: number;
  readonly sent: number;
  readonly expired: number;
  readonly accepted: number;
  /** Øre without VAT. */
  readonly toInvoice: number;
}

/** The counts on a day in Oslo. Quotes that have ended are not read. */
export async function countQuotes(db: Db, companyId: number, today: IsoDate): Promise<QuoteCounts> {
  const { rows } = await sql<QuoteCounts>`
    SELECT count(*) FILTER (WHERE state = 'DRAFT') AS drafts,
      count(*) FILTER (WHERE state = 'SENT' AND sent_valid_until >= ${today}::date) AS sent,
      count(*) FILTER (WHERE state = 'SENT' AND sent_valid_until < ${today}::date) AS expired,
      count(*) FILTER (WHERE state = 'ACCEPTED') AS accepted, COALESCE(sum(left_net), 0)::bigint AS to_invoice
    FROM quote
    WHERE company_id = ${companyId} AND state IN ('DRAFT', 'SENT', 'ACCEPTED') AND invoiced <> 'ALL'`.execute(
    db,
  );
  const [counts] = rows;
  if (!counts) throw new Error('A count without rows answered none');
  return counts;
}
