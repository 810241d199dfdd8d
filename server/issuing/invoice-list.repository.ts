import { sql, type RawBuilder } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { InvoiceListQuery } from '../../domain/invoice/invoice-list.schema.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import { compiledOnce } from '../platform/db/frequent-statements.ts';
import type { Db } from '../platform/db/database.ts';
import { named } from '../platform/db/json-rows.ts';
import type { JsonDelivery } from '../delivery/delivery.rows.ts';
import { deliveriesOfInvoice } from '../delivery/delivery.selection.ts';
import type { PresentedRow, ShownRow } from '../invoice/invoice.rows.ts';
import { hasBarredLine, selectPresented, selectShown } from '../invoice/invoice.selection.ts';
import { AppError } from '../errors.ts';
import { foundOf, isSearch, pageOfIds, type ListFilter } from './invoice-search.repository.ts';

/** A company's stored counts of invoices. */
export interface InvoiceCounts {
  readonly drafts: number;
  readonly registered: number;
  readonly paid: number;
  readonly cancelled: number;
  readonly sent: number;
  readonly sentFrom: string | null;
  readonly sentTo: string | null;
  readonly outstanding: number;
  /** Kroner due. */
  readonly outstandingAmount: number;
  readonly overdue: { readonly many: number; readonly amount: number };
  /** How many did not arrive: those of the filter FAILED. */
  readonly failed: number;
}

/** One page of the list with the counts of the whole company. */
export interface ListedPage extends InvoiceCounts {
  readonly invoices: readonly ListedRow[];
}

/** The same with its invoices as JSON text: Kysely would rename what is nested in them. */
interface ReadPage extends InvoiceCounts {
  readonly invoices: string;
}

/** One page. Only the rows of the page are read completely. */
export async function findPage(
  db: Db,
  companyId: number,
  { page, ...filter }: InvoiceListQuery & ListFilter,
): Promise<ListedPage> {
  const [listed] = await readPage(db, companyId, page, filter);
  if (!listed) throw new Error(`Company ${companyId} has no counts`);
  const { invoices, ...counts } = listed;
  return { ...counts, invoices: JSON.parse(invoices) as ListedRow[] };
}

function isPlain(filter: ListFilter): boolean {
  return filter.status === undefined && filter.sort === undefined && !isSearch(filter);
}

async function readPage(
  db: Db,
  companyId: number,
  page: number,
  filter: ListFilter,
): Promise<ReadPage[]> {
  if (page === 1 && isPlain(filter)) return readFirstPage(db, companyId, filter.today);
  // The best plan depends on the filter and the place in the list, so PostgreSQL plans this query each time. The rest
  // does not depend on the filter.
  const { rows } = await pageOfIds(companyId, page, filter).execute(db);
  const found = rows.toSorted((one, other) => one.place - other.place).map(({ id }) => id);
  return readListed(db, companyId, filter.today, found);
}

/** The first page without a filter, which is requested most. */
const readFirstPage = compiledOnce((db, companyId: number, today: IsoDate) =>
  selectPage(db, companyId, today, pageOfIds(companyId, 1, { query: '', today, readsAll: false })),
);

const readListed = compiledOnce((db, companyId: number, today: IsoDate, ids: readonly number[]) =>
  selectPage(
    db,
    companyId,
    today,
    sql`SELECT id, place FROM unnest(${ids}::bigint[]) WITH ORDINALITY AS listed (id, place)`,
  ),
);

/**
 * The counts and the invoices with these ids, in one statement: all are of one moment. Each invoice is read by its key
 * after the page is chosen. A join leaves that to PostgreSQL, which reads all invoices of a company while it has no
 * statistics.
 */
function selectPage(db: Db, companyId: number, today: IsoDate, ids: RawBuilder<unknown>) {
  const shown = selectPresented(db)
    .select(deliveriesOfInvoice().as('deliveries'))
    .where('invoice.companyId', '=', companyId)
    .where(sql<boolean>`invoice.id = page.id`)
    .limit(1);
  return db
    .selectFrom('invoiceCount as total')
    .select(['drafts', 'registered', 'paid', 'cancelled', 'sent', 'outstanding'])
    .select([
      sentDate(companyId, 'min').as('sentFrom'),
      sentDate(companyId, 'max').as('sentTo'),
      sql<number>`total.outstanding_amount::float8 / 100`.as('outstandingAmount'),
      overdue(companyId, today).as('overdue'),
      failed(companyId).as('failed'),
      sql<string>`(
        SELECT COALESCE(json_agg(shown ORDER BY page.place), '[]')::text
        FROM (${ids}) page CROSS JOIN LATERAL (${named(shown)}) shown)`.as('invoices'),
    ])
    .where('total.companyId', '=', companyId);
}

/**
 * The first or last issue date among sent invoices, from the end of an index. It depends on no row of the page, so it
 * is looked up once.
 */
function sentDate(companyId: number, end: 'min' | 'max'): RawBuilder<string | null> {
  const first = end === 'min' ? sql`min` : sql`max`;
  return sql`(
    SELECT ${first}(sent.issue_date) FROM invoice sent
    WHERE sent.company_id = ${companyId} AND sent.delivery_status = 'SENT')`;
}

/** How many did not arrive (DEL-25). */
function failed(companyId: number): RawBuilder<number> {
  return sql`(
    SELECT count(*) FROM invoice lost
    WHERE lost.company_id = ${companyId} AND lost.not_arrived AND lost.status = 'REGISTERED')`;
}

/** The outstanding amount minus the part not yet due, which is few rows: one per due date. */
function overdue(companyId: number, today: IsoDate): RawBuilder<InvoiceCounts['overdue']> {
  return sql`(
    SELECT json_build_object(
      'many', total.outstanding - COALESCE(sum(later.outstanding), 0),
      'amount', (total.outstanding_amount - COALESCE(sum(later.outstanding_amount), 0))::float8 / 100)
    FROM invoice_due later
    WHERE later.company_id = ${companyId} AND later.due_date >= ${today}::date)`;
}

/**
 * Predicts what registering all drafts does, by the rules of `judgeDrafts` (registration-judging.service.ts). It is
 * not stored like the counts, because it changes with the customers' addresses, and not counted with them, because most
 * companies have no draft. Drafts are few, and gone once registered; ten thousand take some 15 ms. A scalar subquery, because
 * PostgreSQL turns EXISTS into a table of every company's customers; the customer's id alone finds it, as in `selectPresented`.
 */
export const countQueueableDrafts = compiledOnce((db, companyId: number, vat: boolean) =>
  db
    .selectFrom('invoice as draft')
    .select([
      sql<number>`count(*)`.as('drafts'),
      sql<number>`count(*) FILTER (WHERE draft.delivery_type = 'EMAIL')`.as('emails'),
      sql<number>`COALESCE(sum(draft.gross_amount), 0)::float8 / 100`.as('gross'),
    ])
    .where('draft.companyId', '=', companyId)
    .where(
      sql<boolean>`draft.status = 'DRAFT' AND draft.gross_amount >= 0
        AND CASE draft.delivery_type WHEN 'NONE' THEN true WHEN 'EMAIL' THEN (
          SELECT customer.email <> '' OR customer.invoice_emails <> '{}' FROM customer
          WHERE customer.id = draft.customer_id AND customer.company_id IS NOT DISTINCT FROM draft.company_id) END
        AND NOT (${vat}::boolean AND ${hasBarredLine('draft')})`,
    ),
);

/**
 * How many invoices a search finds, counted up to a limit: a common word among a million invoices takes longer to
 * count than to find. Without a search the stored counts are used.
 */
export async function countFound(db: Db, companyId: number, filter: ListFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM (${foundOf(companyId, filter)}) found`.execute(db);
  return rows[0]?.count ?? 0;
}

/** An invoice of a page, from which the API's response is built. */
export interface ListedRow extends PresentedRow {
  readonly deliveries: readonly JsonDelivery[];
}

/** An invoice by itself, with what decides about its next steps. */
export interface AnswerRow extends ListedRow, ShownRow {}

/** An invoice as JSON text, like those of a page: one long value is read in less time than fifty short ones. */
function selectAnswer(db: Db, companyId: number, is: RawBuilder<boolean>) {
  const answer = selectShown(db)
    .select(deliveriesOfInvoice().as('deliveries'))
    .where('invoice.companyId', '=', companyId)
    .where(is);
  return db.selectNoFrom(
    sql<string | null>`(SELECT to_json(shown)::text FROM (${named(answer)}) shown)`.as('answer'),
  );
}

/** The company's invoice or credit note with this number or uuid. @throws AppError not_found */
export async function requireAnswerRow(
  db: Db,
  companyId: number,
  name: NumberOrUuid,
): Promise<AnswerRow> {
  const [found] =
    typeof name === 'number'
      ? await findByNumber(db, companyId, name)
      : await findByUuid(db, companyId, name);
  if (typeof found?.answer !== 'string') throw new AppError('not_found');
  return JSON.parse(found.answer) as AnswerRow;
}

const findByNumber = compiledOnce((db, companyId: number, invoiceNumber: number) =>
  selectAnswer(db, companyId, sql`invoice.invoice_number = ${invoiceNumber}`),
);

const findByUuid = compiledOnce((db, companyId: number, uuid: string) =>
  selectAnswer(db, companyId, sql`invoice.uuid = ${uuid}`),
);
