import type { ExportKind } from '../../domain/export/export.schema.ts';
import { printArchive } from './archive/archive.ts';
import { BOOK_FORMATS, printBooks, type BookKind } from './book-formats.ts';
import { DOCUMENTS_PRINTER } from './documents-printer.ts';
import type { ExportPrinter } from './export-printer.ts';
import type { ExportRow } from './export.repository.ts';
import { printLargeBooks } from './printing-thread.ts';

const ARCHIVE_PRINTER: ExportPrinter = {
  ending: 'zip',
  mediaType: 'application/zip',
  print: (context, { scope, madeAt, count }) =>
    printArchive(context, scope, new Date(madeAt), count),
};

/** How often a format reads the documents, for the progress. */
const PASSES: Readonly<Partial<Record<BookKind, number>>> = { XLSX: 3, CSV: 3, SAFT: 2 };

/** The printer of a kind of export. */
export function printerOf(kind: ExportKind): ExportPrinter {
  if (kind === 'DOCUMENTS') return DOCUMENTS_PRINTER;
  if (kind === 'ARCHIVE') return ARCHIVE_PRINTER;
  const format = BOOK_FORMATS[kind];
  return {
    ...format,
    passes: PASSES[kind] ?? 1,
    print: (context, order) =>
      order.isLarge ? printLargeBooks(context, kind, order) : printBooks(context.db, kind, order),
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
  const { fileFor, ...usual } = printerOf(kind);
  const { ending, mediaType } = fileFor?.({ from: fromDate, to: toDate }) ?? usual;
  const period = fromDate === null ? toDate : `${fromDate}-${toDate}`;
  const time = createdAt.toISOString().slice(11, 19).replaceAll(':', '');
  return { name: `faktur-${kind.toLowerCase()}-${period}-${time}.${ending}`, mediaType };
}
