import type {
  QuoteAuthor,
  QuoteEvent,
  QuoteEventDetails,
  QuoteEventKind,
} from '../../domain/quote/quote.schema.ts';
import type { Db } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

/** The quote of an event. */
type Quote = Pick<Row<'quote'>, 'companyId' | 'id'>;

/** Adds an event in the transaction that causes it. The caller holds the quote. */
export async function recordQuoteEvent(
  db: Db,
  { companyId, id: quoteId }: Quote,
  { type: byType, name: byName }: QuoteAuthor,
  { kind, details = {} }: { readonly kind: QuoteEventKind; readonly details?: QuoteEventDetails },
): Promise<void> {
  await db
    .insertInto('quoteEvent')
    .values({ companyId, quoteId, kind, byType, byName, details })
    .execute();
}

/** The history of a quote, newest event first. */
export async function findQuoteHistory(
  db: Db,
  { companyId, id: quoteId }: Quote,
): Promise<QuoteEvent[]> {
  const rows = await db
    .selectFrom('quoteEvent')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('quoteId', '=', quoteId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ at, kind, byType, byName, details }) => ({
    at: at.toISOString(),
    kind,
    by: { type: byType, name: byName },
    details,
  }));
}
