import { formatDate } from '../../../domain/date.ts';
import { text } from '../../../domain/export/table.ts';
import { vatCodeOf, type Posting, type Voucher } from '../../../domain/export/journal.ts';
import type { Table } from '../../../domain/export/table.ts';
import { oreToDecimal } from '../../../domain/money.ts';
import type { Books, ExportFormat } from '../books.ts';
import { printWorkbook, XLSX_TYPE } from '../workbook.ts';
import {
  claimWithDueDate,
  grossPostings,
  monthOf,
  rowsOf,
  VOUCHER_TYPES,
} from './voucher-parts.ts';

/** The code of rows without VAT, which must have one too. */
const NO_VAT_CODE = '0';

/**
 * The journal as 24SevenOffice reads it (EXP-25): one sheet with the names of its fields. It takes cells of text alone, and
 * leaves out others without a word.
 */
export const TWENTYFOURSEVEN: ExportFormat = {
  ending: 'xlsx',
  mediaType: XLSX_TYPE,
  print: (books) => printWorkbook([twentyFourSevenTable(books)]),
};

function twentyFourSevenTable(books: Books): Table {
  return {
    name: 'Bilagsjournal',
    columns: [
      text('TransactionType', 16),
      text('TransactionNo', 14),
      text('Date', 12),
      text('Account', 10),
      text('Amount', 14),
      text('VatCode', 10),
      text('CustomerId', 12),
      text('InvoiceNo', 12),
      text('DueDate', 12),
      text('Period', 8),
      text('OCR', 28),
      text('Comment', 40),
    ],
    rows: () =>
      rowsOf(books, (voucher) => grossPostings(voucher).map((posting) => row(voucher, posting))),
  };
}

function row(voucher: Voucher, posting: Posting): (string | null)[] {
  const { customer, invoiceNumber, kid, dueDate } = claimWithDueDate(voucher, posting);
  const ledger =
    posting.role === 'RECEIVABLES'
      ? {
          customer: numeral(customer?.customerNumber),
          invoice: numeral(invoiceNumber),
          kid,
          dueDate,
        }
      : null;
  return [
    String(VOUCHER_TYPES[voucher.kind]),
    String(voucher.number),
    formatDate(voucher.date),
    posting.account,
    oreToDecimal(posting.amount),
    vatCodeOf(posting) ?? NO_VAT_CODE,
    ledger?.customer ?? null,
    ledger?.invoice ?? null,
    ledger?.dueDate ? formatDate(ledger.dueDate) : null,
    String(monthOf(voucher.date)),
    ledger?.kid ?? null,
    voucher.text,
  ];
}

function numeral(number: number | null | undefined): string | null {
  return number === null || number === undefined ? null : String(number);
}
