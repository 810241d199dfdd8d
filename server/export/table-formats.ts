import { tablesOf } from '../../domain/export/tables.ts';
import type { BookFormats } from './books.ts';
import { printCsv } from './csv.ts';
import { printWorkbook, XLSX_TYPE } from './workbook.ts';

/** The formats that print the tables. */
export const TABLE_FORMATS: BookFormats = {
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
};
