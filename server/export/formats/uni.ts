import type { IsoDate } from '../../../domain/date.ts';
import { day, money, text } from '../../../domain/export/table.ts';
import { vatCodeOf, type Posting, type Voucher } from '../../../domain/export/journal.ts';
import type { Cell, Table } from '../../../domain/export/table.ts';
import type { Books, ExportFormat } from '../books.ts';
import { printWorkbook, XLSX_TYPE } from '../workbook.ts';
import { zipOf, type ZipEntry } from '../zip.ts';
import { claimWithDueDate, grossPostings, rowsOf, yearOf } from './voucher-parts.ts';

const WORKBOOK = { ending: 'xlsx', mediaType: XLSX_TYPE };
const YEARLY_WORKBOOKS = { ending: 'zip', mediaType: 'application/zip' };

/**
 * The journal for the 'importsentral' of Uni Micro, SpareBank 1 Regnskap and DNB Regnskap (EXP-26). It refuses a file with
 * two years, so a period that may span them gives a ZIP with a workbook for each.
 */
export const UNI: ExportFormat = {
  ...WORKBOOK,
  fileFor: (period) => (isOneYear(period) ? WORKBOOK : YEARLY_WORKBOOKS),
  print: (books) =>
    isOneYear(books.scope) ? printWorkbook([uniTable(books)]) : zipOf(workbooks(books)),
};

function isOneYear({ from, to }: { readonly from: IsoDate | null; readonly to: IsoDate }): boolean {
  return from !== null && yearOf(from) === yearOf(to);
}

async function* workbooks(books: Books): AsyncGenerator<ZipEntry> {
  const years = new Set<string>();
  for await (const vouchers of books.vouchers()) {
    for (const { date } of vouchers) years.add(yearOf(date));
  }
  if (years.size === 0) years.add(yearOf(books.scope.to));
  for (const year of [...years].toSorted()) {
    yield {
      path: `uni-${year}.xlsx`,
      content: printWorkbook([uniTable(books, year)]),
      // A workbook is a ZIP itself.
      stored: true,
      modifiedAt: new Date(books.madeAt),
    };
  }
}

/** The journal, or that of one year. */
function uniTable(books: Books, year: string | null = null): Table {
  const { customerOffset } = books.settings;
  const print = (voucher: Voucher) =>
    year === null || yearOf(voucher.date) === year
      ? grossPostings(voucher).map((posting) => row(voucher, posting, customerOffset))
      : [];
  return {
    name: 'Bilag',
    columns: [
      day('Dato'),
      text('Kontonummer', 14),
      text('Prosjekt', 10),
      text('Avdeling', 10),
      text('Tekst', 40),
      money('Beløp'),
      text('Momskode', 10),
      day('Forfallsdato'),
      text('Fakturanr', 12),
      text('KID', 28),
    ],
    rows: () => rowsOf(books, print),
  };
}

function row(voucher: Voucher, posting: Posting, customerOffset: number): Cell[] {
  const { customer, invoiceNumber, kid, dueDate } = claimWithDueDate(voucher, posting);
  const isReceivables = posting.role === 'RECEIVABLES';
  const number = isReceivables ? (customer?.customerNumber ?? null) : null;
  return [
    voucher.date,
    // A customer has an account of receivables of its own, which is its number.
    number === null ? posting.account : String(number + customerOffset),
    null,
    null,
    voucher.text,
    posting.amount,
    vatCodeOf(posting),
    isReceivables ? dueDate : null,
    invoiceNumber === null ? null : String(invoiceNumber),
    isReceivables ? kid : null,
  ];
}
