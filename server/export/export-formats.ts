import type { ExportKind } from '../../domain/export/export.schema.ts';
import { printArchive, type ArchiveStores } from './archive/archive.ts';
import { BOOK_FORMATS, printBooks, type BookKind } from './book-formats.ts';
import { DOCUMENTS_PRINTER } from './documents-printer.ts';
import type { ExportPrinter, PrintOrder } from './export-printer.ts';
import type { ExportRow } from './export.repository.ts';

/** The kinds that need no PDF made, or none any more: those of an archive are made before it. */
export type KindWithoutPdf = Exclude<ExportKind, 'DOCUMENTS'>;

const ARCHIVE_PRINTER: ExportPrinter = {
  ending: 'zip',
  mediaType: 'application/zip',
  // Its documents get their PDFs first.
  passes: 2,
  print: (stores, order) => printHere(stores, 'ARCHIVE', order),
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
    print: (stores, order) => printHere(stores, kind, order),
  };
}

/** The file of an export that needs no PDF made, in parts. @throws ObjectStoreAway */
export function printHere(
  stores: ArchiveStores,
  kind: KindWithoutPdf,
  order: PrintOrder,
): AsyncIterable<Uint8Array> {
  if (kind !== 'ARCHIVE') return printBooks(stores.db, kind, order);
  const { scope, printedTo, madeAt, count } = order;
  const { companyId } = scope;
  return printArchive(stores, { companyId, printedTo }, new Date(madeAt), count);
}

/** The name and the type of an export's file. */
export function fileOf(row: Pick<ExportRow, 'kind' | 'fromDate' | 'toDate' | 'createdAt'>): {
  readonly name: string;
  readonly mediaType: string;
} {
  const { kind, fromDate, toDate, createdAt } = row;
  const { ending, mediaType } = typeOf(row);
  const period = fromDate === null ? toDate : `${fromDate}-${toDate}`;
  // The dates are Oslo's too.
  const time = createdAt.toLocaleTimeString('sv-SE', { timeZone: 'Europe/Oslo' });
  return {
    name: `faktur-${kind.toLowerCase()}-${period}-${time.replaceAll(':', '')}.${ending}`,
    mediaType,
  };
}

/** Endings of files that are compressed already. */
const COMPRESSED: ReadonlySet<string> = new Set(['xlsx', 'zip']);

/** Whether an export's file is plain text. */
export function isText(row: PeriodOfKind): boolean {
  return !COMPRESSED.has(typeOf(row).ending);
}

type PeriodOfKind = Pick<ExportRow, 'kind' | 'fromDate' | 'toDate'>;

function typeOf({ kind, fromDate: from, toDate: to }: PeriodOfKind) {
  const { fileFor, ...usual } = printerOf(kind);
  return fileFor?.({ from, to }) ?? usual;
}
