import { sql } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import { MOST_OF_ESTIMATE } from '../../domain/invoice/draft-hints.ts';
import { TERMS_OF_DRAFT } from '../../domain/invoice/invoice.terms.ts';
import type { TreatedLine } from '../../domain/invoice/invoice.totals.ts';
import { compiledOnce, partsOf, toRecords } from '../platform/db/frequent-statements.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { INVOICE_COLUMNS, type InvoiceRow } from './invoice.rows.ts';
import { hasVat, toStoredLine } from './invoice.selection.ts';

/** The columns that the caller sets on a new invoice; the database sets the others. */
const GIVEN = [
  'customerId',
  'kind',
  'creditsInvoiceId',
  'creditExtent',
  'vatSubtotals',
  'buyer',
  'buyerVatNumber',
  'sourceQuote',
  'deliveryType',
  'deliveryStatus',
  'dueDays',
  'netAmount',
  'vatAmount',
  'grossAmount',
  ...TERMS_OF_DRAFT,
] as const;
const GIVEN_OF_LINE = [
  'position',
  'quantity',
  'thousandths',
  'unit',
  'description',
  'netUnitAmount',
  'vatRate',
  'vatTreatment',
  'productNumber',
  'creditsLineId',
] as const;

export type NewInvoice = Row<'invoice', (typeof GIVEN)[number]>;

/** The columns of credit notes, on an invoice. */
export const NO_CREDIT = {
  creditsInvoiceId: null,
  creditExtent: null,
  vatSubtotals: null,
} as const;

/** The columns of the invoice itself, without buyer and links. */
export interface InsertedInvoice extends Pick<InvoiceRow, (typeof INVOICE_COLUMNS)[number]> {
  /** In the order of the lines. */
  readonly lineIds: readonly number[];
}

/** Adds invoices of a company as drafts, in the given order, each with the given lines. */
export async function insertInvoices(
  trx: Trx,
  companyId: number,
  invoices: readonly NewInvoice[],
  lines: readonly TreatedLine[],
): Promise<InsertedInvoice[]> {
  const given = toLineRecords(lines);
  const inserted: InsertedInvoice[] = [];
  for (const part of partsOf(invoices)) {
    inserted.push(...(await insertWithLines(trx, companyId, toRecords(part), given)));
  }
  return inserted;
}

function toLineRecords(lines: readonly TreatedLine[]): string {
  return toRecords(lines.map((line, position) => Object.assign(toStoredLine(line), { position })));
}

/** Adds the lines of a draft that has none. */
async function insertLines(
  trx: Trx,
  { companyId, invoiceId }: Row<'invoiceLine', 'companyId' | 'invoiceId'>,
  lines: readonly TreatedLine[],
): Promise<void> {
  await insertGivenLines(trx, companyId, invoiceId, toLineRecords(lines));
}

const insertGivenLines = compiledOnce((db, companyId: number, invoiceId: number, lines: string) =>
  db
    .insertInto('invoiceLine')
    .columns(['companyId', 'invoiceId', ...GIVEN_OF_LINE])
    .expression((from) =>
      from
        .selectFrom(givenLines(lines).as('given'))
        .select([
          sql<number>`${companyId}::bigint`.as('companyId'),
          sql<number>`${invoiceId}::bigint`.as('invoiceId'),
        ])
        .select(GIVEN_OF_LINE),
    ),
);

function givenLines(lines: string) {
  return sql<
    Row<'invoiceLine', (typeof GIVEN_OF_LINE)[number]>
  >`json_populate_recordset(NULL::invoice_line, ${lines})`;
}

const insertWithLines = compiledOnce((db, companyId: number, invoices: string, lines: string) =>
  db
    .with('made', (part) =>
      part
        .insertInto('invoice')
        .columns(['companyId', ...GIVEN])
        .expression((from) =>
          from
            .selectFrom(
              sql<NewInvoice>`json_populate_recordset(NULL::invoice, ${invoices})`.as('given'),
            )
            .select(sql<number>`${companyId}::bigint`.as('companyId'))
            .select(GIVEN),
        )
        .returning(INVOICE_COLUMNS),
    )
    .with('madeLine', (part) =>
      part
        .insertInto('invoiceLine')
        .columns(['companyId', 'invoiceId', ...GIVEN_OF_LINE])
        .expression((from) =>
          from
            .selectFrom(['made', givenLines(lines).as('given')])
            .select(['made.companyId', 'made.id'])
            .select(GIVEN_OF_LINE.map((column) => `given.${column}` as const)),
        )
        .returning(['id', 'invoiceId', 'position']),
    )
    .with('lineIds', (part) =>
      part
        .selectFrom('madeLine')
        .select('invoiceId')
        .select(sql<number[]>`json_agg(id ORDER BY position)`.as('lineIds'))
        .groupBy('invoiceId'),
    )
    .selectFrom('made')
    .innerJoin('lineIds', 'lineIds.invoiceId', 'made.id')
    .select(INVOICE_COLUMNS.map((column) => `made.${column}` as const))
    .select('lineIds.lineIds')
    .orderBy('made.id'),
);

/** The values of a draft to save; the database increments the version. */
export type SavedDraft = Omit<
  NewInvoice,
  | 'companyId'
  | 'kind'
  | 'creditsInvoiceId'
  | 'creditExtent'
  | 'vatSubtotals'
  | 'buyer'
  | 'buyerVatNumber'
  | 'sourceQuote'
>;

/** Saves a draft and replaces its lines. The caller holds the company lock. */
export async function saveDraft(
  trx: Trx,
  { companyId, id }: Row<'invoice', 'companyId' | 'id'>,
  draft: SavedDraft,
  lines: readonly TreatedLine[],
): Promise<void> {
  await trx
    .updateTable('invoice')
    .set(draft)
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
  await trx
    .deleteFrom('invoiceLine')
    .where('companyId', '=', companyId)
    .where('invoiceId', '=', id)
    .execute();
  await insertLines(trx, { companyId, invoiceId: id }, lines);
}

/** The customers of a company's drafts of a delivery type, or of the named drafts only; each once. */
export async function findDraftCustomerIds(
  db: Db,
  companyId: number,
  deliveryType: DeliveryType,
  uuids: readonly string[] | null,
): Promise<number[]> {
  const rows = await db
    .selectFrom('invoice')
    .select('customerId')
    .distinct()
    .where('companyId', '=', companyId)
    .where('status', '=', 'DRAFT')
    .where('deliveryType', '=', deliveryType)
    .$if(uuids !== null, (query) => query.where(sql<boolean>`uuid = ANY(${uuids}::uuid[])`))
    .execute();
  return rows.flatMap(({ customerId }) => customerId ?? []);
}

/** Counts a company's drafts. */
export async function countDrafts(db: Db, companyId: number): Promise<number> {
  const row = await db
    .selectFrom('invoiceCount')
    .select('drafts')
    .where('companyId', '=', companyId)
    .executeTakeFirst();
  return row?.drafts ?? 0;
}

/** Drafts of one delivery type to one organisation. */
interface DraftsForOrganisation {
  readonly orgNumber: string | null;
  readonly drafts: number;
  /** Øre with VAT. */
  readonly gross: number;
}

/**
 * Counts a company's drafts of a delivery type whose sums allow registering, by the buyer's organisation; on request
 * only those with VAT.
 */
export async function countDraftsByOrganisation(
  db: Db,
  companyId: number,
  { deliveryType, withVat }: { readonly deliveryType: DeliveryType; readonly withVat: boolean },
): Promise<DraftsForOrganisation[]> {
  const { rows } = await sql<DraftsForOrganisation>`
    SELECT customer.org_number, count(*)::integer AS drafts,
      sum(draft.gross_amount)::float8 AS gross
    FROM invoice draft
    JOIN customer ON customer.company_id = draft.company_id AND customer.id = draft.customer_id
    WHERE draft.company_id = ${companyId} AND draft.status = 'DRAFT' AND draft.gross_amount >= 0
      AND draft.delivery_type = ${deliveryType} ${withVat ? sql`` : sql`AND NOT ${hasVat('draft')}`}
    GROUP BY customer.org_number`.execute(db);
  return rows;
}

/** A regular expression of PostgreSQL: every font of the documents has the other characters. */
const UNCOMMON = '[^\\u0001-\\u024F\\u2010-\\u2026]';

/** Texts of a company, its drafts and their customers that have other characters than those of western Europe. */
export async function findUncommonTexts(
  db: Db,
  companyId: number,
  uuids: readonly string[] | null,
): Promise<string[]> {
  const isWanted =
    uuids === null
      ? sql`invoice.status = 'DRAFT'`
      : sql`invoice.status = 'DRAFT' AND invoice.uuid = ANY(${uuids}::uuid[])`;
  const { rows } = await sql<{ text: string }>`
    SELECT text FROM (
      SELECT concat_ws(' ', invoice.message, invoice.reference, customer.name, customer.address1,
        customer.address2, customer.city) AS text
      FROM invoice
      LEFT JOIN customer ON customer.company_id = invoice.company_id AND customer.id = invoice.customer_id
      WHERE invoice.company_id = ${companyId} AND ${isWanted}
      UNION ALL
      SELECT concat_ws(' ', line.description, line.product_number)
      FROM invoice
      JOIN invoice_line line ON line.company_id = invoice.company_id AND line.invoice_id = invoice.id
      WHERE invoice.company_id = ${companyId} AND ${isWanted}
      UNION ALL
      SELECT concat_ws(' ', company_name, billing_address1, billing_address2, billing_city)
      FROM company WHERE id = ${companyId}
    ) texts
    WHERE octet_length(text) <> length(text) AND text ~ ${UNCOMMON}`.execute(db);
  return rows.map(({ text }) => text);
}

/**
 * Which of these quotes are estimates to private customers whose invoices sum to more than the law allows, less what was
 * credited (QUO-58); by uuid.
 */
export async function findAboveEstimate(
  db: Db,
  companyId: number,
  quoteUuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (quoteUuids.length === 0) return new Set();
  const { rows } = await sql<{ uuid: string }>`
    SELECT source_quote ->> 'uuid' AS uuid FROM invoice
    WHERE company_id = ${companyId} AND source_quote ->> 'uuid' = ANY(${[...quoteUuids]}::text[])
    GROUP BY source_quote ->> 'uuid'
    HAVING sum(gross_amount - credited_amount) * 100
      > max((source_quote ->> 'estimate')::bigint) * ${sql.lit(MOST_OF_ESTIMATE)}`.execute(db);
  return new Set(rows.map(({ uuid }) => uuid));
}

/** The latest issue date of a company's registered documents; null without one. */
export async function findLastIssueDate(db: Db, companyId: number): Promise<IsoDate | null> {
  const row = await db
    .selectFrom('invoice')
    .select('issueDate')
    .where('companyId', '=', companyId)
    // Written out, so that the index without drafts serves.
    .where('status', '<>', sql.lit('DRAFT'))
    .orderBy('issueDate', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.issueDate ?? null;
}
