import type { ExportKind } from '../../domain/export/export.schema.ts';
import { AppError } from '../errors.ts';
import { printArchive } from './archive/archive.ts';
import type { BookFormats, Books } from './books.ts';
import { DOCUMENTS_PRINTER } from './documents-printer.ts';
import type { ExportPrinter, PrintContext, PrintOrder } from './export-printer.ts';
import type { ExportRow } from './export.repository.ts';
import { ACCOUNTING_FORMATS } from './formats/accounting-formats.ts';
import { openBooks } from './open-books.ts';
import { TABLE_FORMATS } from './table-formats.ts';

/** The formats that are made of the books alone. */
const BOOK_FORMATS: BookFormats = { ...TABLE_FORMATS, ...ACCOUNTING_FORMATS };

const ARCHIVE_PRINTER: ExportPrinter = {
  ending: 'zip',
  mediaType: 'application/zip',
  print: (context, { scope, madeAt }) => printArchive(context, scope, new Date(madeAt)),
};

/** How often a format reads the documents, for the progress. */
const PASSES: Readonly<Partial<Record<ExportKind, number>>> = { XLSX: 3, CSV: 3, SAFT: 2 };

/** The printer of a kind of export. @throws AppError validation_failed for a kind without one */
export function printerOf(kind: ExportKind): ExportPrinter {
  if (kind === 'DOCUMENTS') return DOCUMENTS_PRINTER;
  if (kind === 'ARCHIVE') return ARCHIVE_PRINTER;
  const format = BOOK_FORMATS[kind];
  if (!format) throw new AppError('validation_failed', { field: 'kind' });
  const { ending, mediaType } = format;
  const print = async function* print(context: PrintContext, order: PrintOrder) {
    const books = await openBooks(context.db, order.scope, order);
    yield* format.print(counting(books, order.count));
  };
  return { ending, mediaType, passes: PASSES[kind] ?? 1, print };
}

/** The books, telling of the documents that are read. */
function counting(books: Books, count: PrintOrder['count']): Books {
  async function* counted<Item>(parts: AsyncIterable<readonly Item[]>) {
    for await (const part of parts) {
      count(part.length);
      yield part;
    }
  }
  return {
    ...books,
    documents: () => counted(books.documents()),
    vouchers: () => counted(books.vouchers()),
    everyVoucher: () => counted(books.everyVoucher()),
  };
}

/** The name and the type of an export's file. */
export function fileOf({
  kind,
  fromDate,
  toDate,
  createdAt,
}: Pick<ExportRow, 'kind' | 'fromDate' | 'toDate' | 'createdAt'>): {
  readonly name: string;
  readonly mediaType: string;
} {
  const chosen = BOOK_FORMATS[kind]?.fileFor?.({ from: fromDate, to: toDate });
  const { ending, mediaType } = chosen ?? printerOf(kind);
  const period = fromDate === null ? toDate : `${fromDate}-${toDate}`;
  const time = createdAt.toISOString().slice(11, 19).replaceAll(':', '');
  return { name: `faktur-${kind.toLowerCase()}-${period}-${time}.${ending}`, mediaType };
}
