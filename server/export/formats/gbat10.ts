import { vatCodeOf, type Posting, type Voucher } from '../../../domain/export/journal.ts';
import { ore, oreToDecimal } from '../../../domain/money.ts';
import type { Books, ExportFormat } from '../books.ts';
import { latin1Field } from './latin1.ts';
import { claimWithDueDate, monthOf, rowsOf, VOUCHER_TYPES, yearOf } from './voucher-parts.ts';

/** The code of rows without VAT. Tripletex treats its external code 1 in a way of its own, so no row has it. */
const NO_VAT_CODE = '0';

/**
 * GBAT10 of Mamut, which Tripletex reads too (EXP-24): `;` between 30 columns, CRLF, Latin-1, decimals after a point.
 * Tripletex can make the VAT rows itself: it then books the gross amounts of the rows with T. Or it takes the net amounts of
 * all rows. Both add up to 0.
 */
export const GBAT10: ExportFormat = {
  ending: 'txt',
  mediaType: 'text/plain; charset=iso-8859-1',
  print,
};

async function* print(books: Books): AsyncGenerator<Uint8Array> {
  const rows = rowsOf(books, (voucher) => {
    const text = latin1Field(voucher.text, 100);
    return voucher.postings.map((posting) => `${row(voucher, posting, text).join(';')}\r\n`);
  });
  for await (const part of rows) yield Buffer.from(part.join(''), 'latin1');
}

function row(voucher: Voucher, posting: Posting, text: string): string[] {
  const isGross = posting.role !== 'VAT';
  const gross = isGross ? posting.amount + (posting.vat?.amount ?? 0) : 0;
  return [
    'GBAT10',
    String(voucher.number),
    compact(voucher.date),
    String(VOUCHER_TYPES[voucher.kind]),
    String(monthOf(voucher.date)),
    yearOf(voucher.date),
    posting.account,
    vatCodeOf(posting) ?? NO_VAT_CODE,
    oreToDecimal(posting.amount),
    ...ledgerColumns(voucher, posting),
    // Not used, and the customer's bank account.
    '',
    '',
    text,
    posting.role === 'RECEIVABLES' ? text : '',
    // Interest, project, department and terms of payment.
    '',
    '',
    '',
    '',
    isGross ? 'T' : 'F',
    oreToDecimal(ore(gross)),
    // IBAN and BIC.
    '',
    '',
  ];
}

/** From the customer's number to the due date: on receivables alone. */
function ledgerColumns(voucher: Voucher, posting: Posting): string[] {
  if (posting.role !== 'RECEIVABLES') return Array.from({ length: 9 }, () => '');
  const { customer, invoiceNumber, kid, dueDate } = claimWithDueDate(voucher, posting);
  const address = [customer?.address1, customer?.address2].filter(Boolean).join(', ');
  return [
    String(customer?.customerNumber ?? ''),
    // The supplier's number.
    '',
    latin1Field(customer?.name ?? null, 30),
    latin1Field(address, 200),
    latin1Field(customer?.zipCode ?? null, 30),
    latin1Field(customer?.city ?? null, 30),
    String(invoiceNumber ?? ''),
    latin1Field(kid, 30),
    dueDate === null ? '' : compact(dueDate),
  ];
}

/** '2026-02-01' → '20260201'. */
function compact(date: string): string {
  return date.replaceAll('-', '');
}
