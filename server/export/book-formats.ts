import type { ExportKind } from '../../domain/export/export.schema.ts';
import { tablesOf } from '../../domain/export/tables.ts';
import type { Db } from '../platform/db/database.ts';
import type { Books, ExportFormat } from './books.ts';
import { printCsv } from './csv.ts';
import type { PrintOrder } from './export-printer.ts';
import { GBAT10 } from './formats/gbat10.ts';
import { SAFT } from './formats/saft.ts';
import { TWENTYFOURSEVEN } from './formats/twenty-four-seven.ts';
import { UNI } from './formats/uni.ts';
import { openBooks } from './open-books.ts';
import { printWorkbook, XLSX_TYPE } from './workbook.ts';

export type BookKind = Exclude<ExportKind, 'DOCUMENTS' | 'ARCHIVE'>;

/** The formats that are made of the books alone. */
export const BOOK_FORMATS: Readonly<Record<BookKind, ExportFormat>> = {
  XLSX: {
    ending: 'xlsx',
    mediaType: XLSX_TYPE,
    print: (books) => printWorkbook(tablesOf(books)),
  },
  CSV: {
    ending: 'zip',
    mediaType: 'application/zip',
    print: (books) => printCsv(tablesOf(books), new Date(books.madeAt)),
  },
  GBAT10,
  TWENTYFOURSEVEN,
  UNI,
  SAFT,
};

/** The file of the books, in parts. */
export async function* printBooks(
  db: Db,
  kind: BookKind,
  order: PrintOrder,
): AsyncGenerator<Uint8Array> {
  const books = await openBooks(db, order.scope, order);
  yield* BOOK_FORMATS[kind].print(counting(books, order.count));
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
