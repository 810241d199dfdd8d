import type { Attachment } from '../../domain/attachment/attachment.schema.ts';
import type { QuoteDocument } from '../../domain/quote/quote-document.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { sha256 } from '../platform/crypto.ts';
import type { Db } from '../platform/db/database.ts';
import { logoOf, type Printer } from './document-file.service.ts';
import { keyOf, moveAttached, readBytes, type Stores } from './file-bytes.service.ts';
import type { PdfInput } from './pdf/document-printer.ts';
import * as repository from './quote-document.repository.ts';
import type { QuoteDocumentRow, RevisionOfQuote } from './quote-document.repository.ts';

/** A document of a quote's revision. @throws AppError not_found when it was not issued */
export async function requireQuoteDocument(
  db: Db,
  key: RevisionOfQuote,
  kind: QuoteDocument['kind'],
): Promise<QuoteDocumentRow> {
  const row = await repository.findQuoteDocument(db, key, kind);
  if (!row) throw new AppError('not_found');
  return row;
}

/** The PDF of a document, which is kept when it is first made (QUO-11), with its SHA-256. @throws ObjectStoreAway */
export async function printQuote(
  stores: Stores,
  row: QuoteDocumentRow,
  render: (input: PdfInput) => Promise<Uint8Array>,
): Promise<{ readonly content: Uint8Array; readonly sha256: Uint8Array }> {
  const { companyId, document } = row;
  const kept = row.sha256 === null ? await print(stores, row, render) : row;
  const { sha256: hash, content } = kept;
  if (hash === null) throw new Error(`Document ${row.id} of ${document.kind} was not kept`);
  return { content: await readBytes(stores, companyId, { sha256: hash, content }), sha256: hash };
}

/** Documents with their texts that are in memory at once. */
const READ_AT_ONCE = 50;

/** Prints each quote and order confirmation of a company that was never printed (EXP-43), and yields each. */
export async function* printMissingQuotes(
  printer: Printer,
  companyId: number,
): AsyncGenerator<Pick<QuoteDocument, 'kind'>> {
  for (;;) {
    const rows = await repository.findUnprintedQuotes(printer.db, companyId, READ_AT_ONCE);
    for (const row of rows) {
      await printQuote(printer, row, async (input) => printer.pdf.render(input));
      yield row.document;
    }
    if (rows.length < READ_AT_ONCE) return;
  }
}

async function print(
  { db, objectStore }: Stores,
  row: QuoteDocumentRow,
  render: (input: PdfInput) => Promise<Uint8Array>,
): Promise<Pick<QuoteDocumentRow, 'content' | 'sha256'>> {
  const { companyId, document } = row;
  const logo = await logoOf(db, companyId, document)();
  const content = await render({ document, stamp: null, logo });
  const hash = sha256(content);
  if (!objectStore.takesNew) {
    return repository.keepQuoteFile(db, row, { sha256: hash, content, home: 'DATABASE' });
  }
  const { quoteId: id } = row;
  await moveAttached({ db, objectStore }, document, {
    companyId,
    format: 'QUOTE_ATTACHMENT',
    read: async () => {
      const key = { companyId, id, revision: document.revision };
      return repository.findQuoteAttachments(db, key, true);
    },
  });
  // The object store has the bytes before a row names them.
  await objectStore.put(keyOf(companyId, hash), content);
  return repository.keepQuoteFile(db, row, { sha256: hash, content: null, home: 'S3' });
}

/** A file that is sent along with a quote, with its bytes. */
export interface QuoteFile extends Pick<Attachment, 'name' | 'mediaType'> {
  readonly content: Uint8Array;
}

/** The files of a revision with their bytes. @throws ObjectStoreAway */
export async function readQuoteAttachments(
  stores: Pick<Context, 'db' | 'objectStore'>,
  key: RevisionOfQuote,
): Promise<QuoteFile[]> {
  const rows = await repository.findQuoteAttachments(stores.db, key, true);
  return Promise.all(
    rows.map(async (row) => ({
      name: row.name,
      mediaType: row.mediaType,
      content: await readBytes(stores, key.companyId, row),
    })),
  );
}
