import { sql } from 'kysely';

import type { QuoteDocument } from '../../domain/quote/quote-document.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { DocumentHome } from '../platform/db/columns.ts';
import type { Row } from '../platform/db/tables.ts';

/** The version of the text of quotes: JSON of the fields of `QuoteDocument`. */
const VERSION = 1;

/** Which revision of which quote. */
export interface RevisionOfQuote {
  readonly companyId: number;
  readonly id: number;
  readonly revision: number;
}

/** A document of a quote, with its PDF when that was made. */
export interface QuoteDocumentRow extends Pick<
  Row<'quoteDocument'>,
  'companyId' | 'id' | 'quoteId' | 'content' | 'sha256'
> {
  readonly document: QuoteDocument;
}

/** Keeps the document of a revision as it is issued. Returns its id. */
export async function insertQuoteDocument(
  trx: Trx,
  { companyId, id: quoteId, revision }: RevisionOfQuote,
  document: QuoteDocument,
): Promise<number> {
  const { kind, logo } = document;
  const { id } = await trx
    .insertInto('quoteDocument')
    .values({
      companyId,
      quoteId,
      revision,
      kind,
      version: VERSION,
      text: JSON.stringify(document),
      logo: logo === null ? null : Buffer.from(logo, 'hex'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

function select(db: Db, companyId: number) {
  return db
    .selectFrom('quoteDocument')
    .select(['companyId', 'id', 'quoteId', 'text', 'content', 'sha256'])
    .where('companyId', '=', companyId);
}

function toRow({ text, ...row }: Omit<QuoteDocumentRow, 'document'> & { readonly text: string }) {
  return { ...row, document: JSON.parse(text) as QuoteDocument };
}

/** A document of a revision; null when it was not issued. */
export async function findQuoteDocument(
  db: Db,
  { companyId, id, revision }: RevisionOfQuote,
  kind: QuoteDocument['kind'],
): Promise<QuoteDocumentRow | null> {
  const row = await select(db, companyId)
    .where('quoteId', '=', id)
    .where('revision', '=', revision)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row ? toRow(row) : null;
}

/** A document of a quote by its own id. */
export async function findQuoteDocumentById(
  db: Db,
  companyId: number,
  id: number,
): Promise<QuoteDocumentRow> {
  return toRow(await select(db, companyId).where('id', '=', id).executeTakeFirstOrThrow());
}

/** Some documents of a company whose PDF was never made, in the order of issue. */
export async function findUnprintedQuotes(
  db: Db,
  companyId: number,
  most: number,
): Promise<QuoteDocumentRow[]> {
  const rows = await select(db, companyId)
    .where('sha256', 'is', null)
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(toRow);
}

/** Keeps the PDF of a document, unless another process has kept one. Returns the kept one. */
export async function keepQuoteFile(
  db: Db,
  { companyId, id }: Pick<QuoteDocumentRow, 'companyId' | 'id'>,
  file: { readonly sha256: Uint8Array; readonly content: Uint8Array | null; home: DocumentHome },
): Promise<Pick<QuoteDocumentRow, 'content' | 'sha256'>> {
  const { home, content, sha256 } = file;
  const kept = await db
    .updateTable('quoteDocument')
    .set({ home, content, sha256 })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('sha256', 'is', null)
    .returning(['content', 'sha256'])
    .executeTakeFirst();
  return kept ?? (await findQuoteDocumentById(db, companyId, id));
}

/** A file that is sent along with a quote, and where its bytes are. */
export type QuoteAttachmentRow = Pick<
  Row<'quoteAttachment'>,
  'id' | 'uuid' | 'name' | 'mediaType' | 'size' | 'sha256' | 'content' | 'createdAt'
>;

/** The files of a revision, in the order in which they were added; without their bytes unless these are wanted. */
export async function findQuoteAttachments(
  db: Db,
  { companyId, id, revision }: RevisionOfQuote,
  withBytes: boolean,
): Promise<QuoteAttachmentRow[]> {
  return db
    .selectFrom('quoteAttachment')
    .select(['id', 'uuid', 'name', 'mediaType', 'size', 'sha256', 'createdAt'])
    .select(sql<Uint8Array | null>`CASE WHEN ${withBytes}::boolean THEN content END`.as('content'))
    .where('companyId', '=', companyId)
    .where('quoteId', '=', id)
    .where('revision', '=', revision)
    .orderBy('id')
    .execute();
}

/** Adds a file to the draft of a revision. */
export async function insertQuoteAttachment(
  trx: Trx,
  { companyId, id: quoteId, revision }: RevisionOfQuote,
  file: Pick<Row<'quoteAttachment'>, 'name' | 'mediaType' | 'sha256'> & {
    readonly content: Uint8Array;
  },
): Promise<QuoteAttachmentRow> {
  return trx
    .insertInto('quoteAttachment')
    .values({ companyId, quoteId, revision, ...file, size: file.content.byteLength })
    .returning(['id', 'uuid', 'name', 'mediaType', 'size', 'sha256', 'content', 'createdAt'])
    .executeTakeFirstOrThrow();
}

/** Takes a file away from the draft of a revision. Returns whether it was there. */
export async function deleteQuoteAttachment(
  trx: Trx,
  { companyId, id, revision }: RevisionOfQuote,
  uuid: string,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('quoteAttachment')
    .where('companyId', '=', companyId)
    .where('quoteId', '=', id)
    .where('revision', '=', revision)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Gives the next revision the files of this one. */
export async function copyQuoteAttachments(
  trx: Trx,
  { companyId, id, revision }: RevisionOfQuote,
): Promise<void> {
  await sql`
    INSERT INTO quote_attachment (company_id, quote_id, revision, name, media_type, size, sha256, home, content)
    SELECT company_id, quote_id, revision + 1, name, media_type, size, sha256, home, content
    FROM quote_attachment
    WHERE company_id = ${companyId} AND quote_id = ${id} AND revision = ${revision}
    ORDER BY id`.execute(trx);
}
