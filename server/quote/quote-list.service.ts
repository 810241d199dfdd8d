import { PAGE_SIZE } from '../../domain/api/pages.ts';
import { todayInOslo } from '../../domain/date.ts';
import { ore, oreToKroner } from '../../domain/money.ts';
import type { QuoteListQuery, QuotePage } from '../../domain/quote/quote.schema.ts';
import type { Actor, Context } from '../context.ts';
import { pagesBeside } from '../platform/http/paging.ts';
import { countFoundQuotes, countQuotes, findQuotePage, isSearch } from './quote-list.repository.ts';
import { presentQuote } from './quote.presenter.ts';
import { findWholeQuotes } from './whole-quote.repository.ts';

/** Up to this many quotes, reading all is faster than the index of words (decision 9). */
const FEW = 1000;

/** A page of quotes, the newest first, with the counts of the whole company (QUO-20). */
export async function listQuotes(
  context: Context,
  actor: Actor,
  query: QuoteListQuery,
): Promise<QuotePage> {
  const { db } = context;
  const { companyId } = actor;
  const day = { ...query, today: todayInOslo() };
  const { listed, all, toInvoice, ...counts } = await countQuotes(db, companyId, day);
  const filter = { ...day, readsAll: all <= FEW };
  const [ids, count] = await Promise.all([
    findQuotePage(db, companyId, filter),
    isSearch(filter) ? countFoundQuotes(db, companyId, filter) : listed,
  ]);
  const rows = ids.length === 0 ? [] : await findWholeQuotes(db, companyId, ids);
  return {
    count,
    ...pagesBeside('/api/quotes/', query, { count, size: PAGE_SIZE }),
    results: rows.map((row) => presentQuote(row, context, actor)),
    summary: { ...counts, toInvoice: oreToKroner(ore(toInvoice)) },
  };
}
