import type { ExportKind } from '../../domain/export/export.schema.ts';
import { tablesOf } from '../../domain/export/tables.ts';
import { printArchive } from './archive/archive.ts';
import type { Books, ExportFormat } from './books.ts';
import { printCsv } from './csv.ts';
import { DOCUMENTS_PRINTER } from './documents-printer.ts';
import type { ExportPrinter, PrintContext, PrintOrder } from './export-printer.ts';
import type { ExportRow } from './export.repository.ts';
import { GBAT10 } from './formats/gbat10.ts';
import { SAFT } from './formats/saft.ts';
import { TWENTYFOURSEVEN } from './formats/twenty-four-seven.ts';
import { UNI } from './formats/uni.ts';
import { openBooks } from './open-books.ts';
import { printWorkbook, XLSX_TYPE } from './workbook.ts';

type BookKind = Exclude<ExportKind, 'DOCUMENTS' | 'ARCHIVE'>;

/** The formats that are made of the books alone. */
const BOOK_FORMATS: Readonly<Record<BookKind, ExportFormat>> = {
  XLSX: {
    ending: 'xlsx',
    mediaType: XLSX_TYPE,
    print: (books) => printWorkbook(tablesOf(books)),
  },
  CSV: {
    ending: 'zip',
    mediaType: 'application/zip',
    print: (books) => printCsv(tablesOf(books)),
  },
  GBAT10,
  TWENTYFOURSEVEN,
  UNI,
  SAFT,
};

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
  const print = async function* print(context: PrintContext, order: PrintOrder) {
    const books = await openBooks(context.db, order.scope, order);
    yield* format.print(counting(books, order.count));
  };
  return { ...format, passes: PASSES[kind] ?? 1, print };
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
  const { fileFor, ...usual } = printerOf(kind);
  const { ending, mediaType } = fileFor?.({ from: fromDate, to: toDate }) ?? usual;
  const period = fromDate === null ? toDate : `${fromDate}-${toDate}`;
  const time = createdAt.toISOString().slice(11, 19).replaceAll(':', '');
  return { name: `faktur-${kind.toLowerCase()}-${period}-${time}.${ending}`, mediaType };
}
