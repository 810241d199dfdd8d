import { sql, type RawBuilder } from 'kysely';

import { PAGE_SIZE } from '../../domain/api/pages.ts';
import type { IsoDate } from '../../domain/date.ts';
import type { QuoteListQuery } from '../../domain/quote/quote.schema.ts';
import type { Db } from '../platform/db/database.ts';
import { matches } from '../platform/db/search.ts';
import { quoteState } from './quote.repository.ts';

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
  if (state !== undefined) conditions.push(sql`${quoteState(today)} = ${state}`);
  const isOfRevision = query !== '' || customerNumber !== undefined;
  if (query !== '') {
    conditions.push(
      matches(sql`(shown.search_text || COALESCE(' ' || quote.quote_number, ''))`, query),
    );
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

/** Counts over all quotes of a company; pages and filters do not matter. */
export interface QuoteCounts {
  readonly drafts: number;
  readonly sent: number;
  readonly expired: number;
  readonly accepted: number;
  /** Øre without VAT. */
  readonly toInvoice: number;
}

/** The counts on a day in Oslo. */
export async function countQuotes(db: Db, companyId: number, today: IsoDate): Promise<QuoteCounts> {
  const { rows } = await sql<QuoteCounts>`
    SELECT count(*) FILTER (WHERE quote.state = 'DRAFT') AS drafts,
      count(*) FILTER (WHERE quote.state = 'SENT' AND sent_valid_until >= ${today}::date) AS sent,
      count(*) FILTER (WHERE quote.state = 'SENT' AND sent_valid_until < ${today}::date) AS expired,
      count(*) FILTER (WHERE quote.state = 'ACCEPTED' AND invoiced <> 'ALL') AS accepted,
      COALESCE(sum((
        SELECT shown.net_amount FROM quote_revision shown WHERE shown.company_id = quote.company_id
          AND shown.quote_id = quote.id AND shown.revision = quote.revision) - invoiced_net)
        FILTER (WHERE quote.state = 'ACCEPTED' AND invoiced <> 'ALL'), 0)::bigint AS "toInvoice"
    FROM quote WHERE quote.company_id = ${companyId}`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('A count without rows answered none');
  return counts;
}
