import { sql, type UpdateObject } from 'kysely';

import type { InvoiceTotals, TreatedLine } from '../../domain/invoice/invoice.totals.ts';
import type { Buyer } from '../../domain/parties.ts';
import { LINE_CONTENT } from '../invoice/invoice.rows.ts';
import { exactQuantity, toStoredLine } from '../invoice/invoice.selection.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { insertAll } from '../platform/db/frequent-statements.ts';
import type { Row, Tables } from '../platform/db/tables.ts';

export const QUOTE_COLUMNS = [
  'companyId',
  'id',
  'uuid',
  'quoteNumber',
  'state',
  'revision',
  'sentRevision',
  'sentState',
  'sentValidUntil',
  'invoiced',
  'invoicedNet',
  'version',
] as const;

/** A quote without its revisions. */
export type QuoteRow = Row<'quote', (typeof QUOTE_COLUMNS)[number]>;

/** The columns of a revision that its form fills in. */
export const REVISION_CONTENT = [
  'customerId',
  'priceKind',
  'validUntil',
  'title',
  'reference',
  'message',
  'terms',
  'confirmByCode',
] as const;

export type RevisionContent = Row<'quoteRevision', (typeof REVISION_CONTENT)[number]>;

export interface QuoteLineRow extends Row<'quoteLine', 'id' | (typeof LINE_CONTENT)[number]> {
  readonly quantity: number;
}

/** The values of a draft. */
export interface QuoteDraft extends RevisionContent {
  readonly customerId: number;
  readonly totals: InvoiceTotals;
  readonly searchText: string;
  readonly lines: readonly TreatedLine[];
}

/** A quote; null when the company has none with this uuid. */
export async function findQuote(db: Db, companyId: number, uuid: string): Promise<QuoteRow | null> {
  return (await selectQuote(db, companyId, uuid).executeTakeFirst()) ?? null;
}

/** A quote by its id. */
export async function requireQuoteById(db: Db, companyId: number, id: number): Promise<QuoteRow> {
  return db
    .selectFrom('quote')
    .select(QUOTE_COLUMNS)
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** The same, locked until the transaction ends. */
export async function lockQuote(
  trx: Trx,
  companyId: number,
  uuid: string,
): Promise<QuoteRow | null> {
  return (await selectQuote(trx, companyId, uuid).forUpdate().executeTakeFirst()) ?? null;
}

function selectQuote(db: Db, companyId: number, uuid: string) {
  return db
    .selectFrom('quote')
    .select(QUOTE_COLUMNS)
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid);
}

/** Which revision of which quote. */
export type RevisionKey = Pick<QuoteRow, 'companyId' | 'id' | 'revision'>;

/** The lines of a revision, in their order. */
export async function findLines(
  db: Db,
  { companyId, id, revision }: RevisionKey,
): Promise<QuoteLineRow[]> {
  return db
    .selectFrom('quoteLine')
    .select(['id', ...LINE_CONTENT])
    .select(exactQuantity('quoteLine'))
    .where('companyId', '=', companyId)
    .where('quoteId', '=', id)
    .where('revision', '=', revision)
    .orderBy('position')
    .execute();
}

export async function insertQuote(trx: Trx, companyId: number): Promise<QuoteRow> {
  return trx
    .insertInto('quote')
    .values({ companyId })
    .returning(QUOTE_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Adds a revision with its lines. */
export async function insertRevision(trx: Trx, key: RevisionKey, draft: QuoteDraft): Promise<void> {
  const { companyId, id: quoteId, revision } = key;
  await trx
    .insertInto('quoteRevision')
    .values({ companyId, quoteId, revision, ...valuesOf(draft) })
    .execute();
  await insertLines(trx, key, draft.lines);
}

/** Replaces the values and lines of the draft. */
export async function saveRevision(trx: Trx, key: RevisionKey, draft: QuoteDraft): Promise<void> {
  await updateRevision(trx, key, valuesOf(draft));
  await replaceLines(trx, key, draft.lines);
}

async function updateRevision(
  trx: Trx,
  { companyId, id: quoteId, revision }: RevisionKey,
  values: UpdateObject<Tables, 'quoteRevision'>,
): Promise<void> {
  await trx
    .updateTable('quoteRevision')
    .set(values)
    .where('companyId', '=', companyId)
    .where('quoteId', '=', quoteId)
    .where('revision', '=', revision)
    .execute();
}

async function replaceLines(
  trx: Trx,
  key: RevisionKey,
  lines: readonly TreatedLine[],
): Promise<void> {
  const { companyId, id: quoteId, revision } = key;
  await sql`
    DELETE FROM quote_line WHERE company_id = ${companyId} AND quote_id = ${quoteId}
      AND revision = ${revision}`.execute(trx);
  await insertLines(trx, key, lines);
}

function valuesOf(draft: QuoteDraft) {
  const { totals, lines: _, ...content } = draft;
  const { net, vat, gross } = totals;
  return { ...content, netAmount: net, vatAmount: vat, grossAmount: gross };
}

async function insertLines(
  trx: Trx,
  { companyId, id: quoteId, revision }: RevisionKey,
  lines: readonly TreatedLine[],
): Promise<void> {
  await insertAll(
    trx,
    { companyId, table: 'quoteLine' },
    lines.map((line, position) => ({ quoteId, revision, position, ...storedLine(line) })),
    [],
  );
}

/** Whether a customer has a quote that is neither declined, withdrawn nor invoiced. */
export async function hasOpenQuote(
  db: Db,
  companyId: number,
  customerId: number,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM quote_revision revision
    JOIN quote ON quote.company_id = ${companyId} AND quote.id = revision.quote_id
      AND revision.revision IN (quote.revision, quote.sent_revision)
    WHERE revision.company_id = ${companyId} AND revision.customer_id = ${customerId}
      AND quote.state IN ('DRAFT', 'SENT', 'ACCEPTED') AND quote.invoiced <> 'ALL'
    LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** The columns of a line; a line that is copied gets an id of its own. */
function storedLine(line: TreatedLine) {
  const { quantity, unit, description, netUnitAmount, vatRate, vatTreatment, productNumber } = line;
  return toStoredLine({
    quantity,
    unit,
    description,
    netUnitAmount,
    vatRate,
    vatTreatment,
    productNumber,
  });
}

/** The columns of a quote that its course changes; each change counts the version. */
export type Standing = Partial<
  Pick<
    QuoteRow,
    'state' | 'quoteNumber' | 'revision' | 'sentRevision' | 'sentState' | 'sentValidUntil'
  >
>;

/** The next number of the company's quotes. The caller holds the company. */
export async function nextNumber(trx: Trx, companyId: number): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    SELECT COALESCE(max(quote_number), 0) + 1 AS next FROM quote
    WHERE company_id = ${companyId}`.execute(trx);
  return rows[0]?.next ?? 1;
}

/** Gives the lines of a draft other rates, with the sums that follow. */
export async function rerate(
  trx: Trx,
  key: RevisionKey,
  { lines, totals: { net, vat, gross } }: Pick<QuoteDraft, 'lines' | 'totals'>,
): Promise<void> {
  await updateRevision(trx, key, { netAmount: net, vatAmount: vat, grossAmount: gross });
  await replaceLines(trx, key, lines);
}

interface FrozenRevision {
  readonly buyer: Buyer;
  readonly isPrivate: boolean;
  readonly quoteNumber: number;
}

/** Freezes a revision with its customer as it is sent. The first one is from now on found by the quote's number too. */
export async function freezeRevision(
  trx: Trx,
  key: RevisionKey,
  { buyer, isPrivate, quoteNumber }: FrozenRevision,
): Promise<void> {
  await updateRevision(trx, key, {
    buyer: JSON.stringify(buyer),
    isPrivate,
    sentAt: new Date(),
    ...(key.revision === 1 && { searchText: sql<string>`search_text || ${` ${quoteNumber}`}` }),
  });
}

/** Saves the standing of a locked quote. */
export async function saveQuote(
  trx: Trx,
  { companyId, id, uuid }: Pick<QuoteRow, 'companyId' | 'id' | 'uuid'>,
  standing: Standing,
): Promise<void> {
  await trx
    .updateTable('quote')
    .set({ uuid, ...standing })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** Deletes a quote that was never sent, with all that belongs to it. */
export async function deleteQuote(
  trx: Trx,
  { companyId, id }: Pick<QuoteRow, 'companyId' | 'id'>,
): Promise<void> {
  await trx.deleteFrom('quote').where('companyId', '=', companyId).where('id', '=', id).execute();
}

/** Adds a revision with the values, lines and files of the newest one. */
export async function copyRevision(trx: Trx, key: RevisionKey): Promise<void> {
  const { companyId, id, revision } = key;
  await sql`
    INSERT INTO quote_revision (company_id, quote_id, revision, customer_id, price_kind, valid_until, title,
      reference, message, terms, confirm_by_code, net_amount, vat_amount, gross_amount, search_text)
    SELECT company_id, quote_id, revision + 1, customer_id, price_kind, valid_until, title,
      reference, message, terms, confirm_by_code, net_amount, vat_amount, gross_amount, search_text
    FROM quote_revision
    WHERE company_id = ${companyId} AND quote_id = ${id} AND revision = ${revision}`.execute(trx);
  await insertLines(trx, { ...key, revision: revision + 1 }, await findLines(trx, key));
}

/** Deletes the draft of a further revision. */
export async function deleteRevision(
  trx: Trx,
  { companyId, id, revision }: RevisionKey,
): Promise<void> {
  await trx
    .deleteFrom('quoteRevision')
    .where('companyId', '=', companyId)
    .where('quoteId', '=', id)
    .where('revision', '=', revision)
    .execute();
}
