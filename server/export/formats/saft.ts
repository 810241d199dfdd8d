import { vatCodeOf, type Posting, type Voucher } from '../../../domain/export/journal.ts';
import { todayInOslo } from '../../../domain/date.ts';
import { ore, oreToDecimal, type Ore } from '../../../domain/money.ts';
import type { Books, ExportFormat } from '../books.ts';
import { customerId, header, masterFiles, taxCodeOf, type LedgerSums } from './saft-masters.ts';
import { claimWithDueDate, monthOf, yearOf } from './voucher-parts.ts';
import { element, textElement } from './xml.ts';

const NAMESPACE = 'urn:StandardAuditFile-Taxation-Financial:NO';

/**
 * SAF-T Financial 1.30 of Skatteetaten (EXP-27). Order and lengths of elements are those of its schema. Its sums stand
 * before the entries, so vouchers are read twice.
 */
export const SAFT: ExportFormat = { ending: 'xml', mediaType: 'application/xml', print };

async function* print(books: Books): AsyncGenerator<Uint8Array> {
  for await (const text of auditFile(books)) if (text !== '') yield Buffer.from(text);
}

async function* auditFile(books: Books): AsyncGenerator<string> {
  const sums = await sumVouchers(books);
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<AuditFile xmlns="${NAMESPACE}">`;
  yield header(books, sums) ?? '';
  yield* masterFiles(books, sums);
  yield* entries(books, sums);
  yield '</AuditFile>\n';
}

async function sumVouchers(books: Books): Promise<LedgerSums> {
  let count = 0;
  let debit = 0;
  let firstDate: string | null = null;
  const taxCodes: LedgerSums['taxCodes'] = new Map();
  for await (const vouchers of books.vouchers()) {
    for (const { date, postings } of vouchers) {
      count += 1;
      if (firstDate === null || date < firstDate) firstDate = date;
      for (const posting of postings) {
        if (posting.amount > 0) debit += posting.amount;
        const code = vatCodeOf(posting);
        if (code !== null) taxCodes.set(taxCodeOf(posting, code), posting);
      }
    }
  }
  return { count, debit: ore(debit), firstDate, taxCodes };
}

async function* entries(books: Books, { count, debit }: LedgerSums): AsyncGenerator<string> {
  const sum = oreToDecimal(debit);
  yield '<GeneralLedgerEntries>';
  yield `<NumberOfEntries>${count}</NumberOfEntries>`;
  // Vouchers add up to 0, so credit is debit.
  yield `<TotalDebit>${sum}</TotalDebit><TotalCredit>${sum}</TotalCredit>`;
  let open: Journal | null = null;
  for await (const vouchers of books.vouchers()) {
    let part = '';
    for (const voucher of vouchers) {
      const journal = voucher.kind === 'PAYMENT' ? PAYMENTS : SALES;
      if (journal !== open) part += `${open ? '</Journal>' : ''}<Journal>${journal.heading}`;
      open = journal;
      part += transaction(voucher) ?? '';
    }
    yield part;
  }
  yield `${open ? '</Journal>' : ''}</GeneralLedgerEntries>`;
}

interface Journal {
  readonly heading: string;
}

const SALES = journalOf('FAKTURA', 'Fakturaer og kreditnotaer', 'AR');
const PAYMENTS = journalOf('BETALING', 'Innbetalinger og tilbakebetalinger', 'GL');

function journalOf(id: string, description: string, type: string): Journal {
  const parts = [
    textElement('JournalID', id, 18),
    textElement('Description', description, 256),
    textElement('Type', type, 9),
  ];
  return { heading: parts.join('') };
}

const VOUCHER_NAMES: Readonly<Record<Voucher['kind'], string>> = {
  INVOICE: 'Faktura',
  CREDIT_NOTE: 'Kreditnota',
  PAYMENT: 'Betaling',
};

function transaction(voucher: Voucher): string | null {
  const { kind, number, date, text, recordedAt, customer, postings } = voucher;
  return element(
    'Transaction',
    // Payments have a series of their own, with numbers that invoices have too.
    textElement('TransactionID', kind === 'PAYMENT' ? `B-${number}` : String(number), 70),
    element('Period', String(monthOf(date))),
    element('PeriodYear', yearOf(date)),
    element('TransactionDate', date),
    textElement('VoucherType', VOUCHER_NAMES[kind], 70),
    textElement('Description', text, 256),
    element('SystemEntryDate', todayInOslo(new Date(recordedAt))),
    element('GLPostingDate', date),
    customer && customerId(customer),
    ...postings.map((posting, index) => line(voucher, posting, index + 1)),
  );
}

function line(voucher: Voucher, posting: Posting, number: number): string | null {
  const isReceivables = posting.role === 'RECEIVABLES';
  const { customer, invoiceNumber, kid, dueDate } = claimWithDueDate(voucher, posting);
  const document = invoiceNumber === null ? null : String(invoiceNumber);
  return element(
    'Line',
    textElement('RecordID', String(number), 18),
    textElement('AccountID', posting.account, 70),
    textElement('SourceDocumentID', document, 35),
    isReceivables && customer ? customerId(customer) : null,
    textElement('Description', voucher.text, 256),
    amount(side(posting.amount), 'Amount', posting.amount),
    taxInformation(posting),
    isReceivables ? textElement('CID', kid, 35) : null,
    isReceivables && dueDate !== null ? element('DueDate', dueDate) : null,
  );
}

function taxInformation(posting: Posting): string | null {
  const code = vatCodeOf(posting);
  if (code === null) return null;
  const vat = posting.vat?.amount ?? ore(0);
  return element(
    'TaxInformation',
    element('TaxType', 'MVA'),
    textElement('TaxCode', taxCodeOf(posting, code), 70),
    element('TaxPercentage', String(posting.vat?.rate ?? 0)),
    element('Country', 'NO'),
    element('TaxBase', positive(posting.amount)),
    amount(side(posting.amount === 0 ? vat : posting.amount), 'TaxAmount', vat),
  );
}

/** Negative amounts are credit. */
function side(signed: Ore): 'Debit' | 'Credit' {
  return signed < 0 ? 'Credit' : 'Debit';
}

function amount(on: 'Debit' | 'Credit', name: string, signed: Ore): string | null {
  return element(`${on}${name}`, element('Amount', positive(signed)));
}

function positive(signed: Ore): string {
  return oreToDecimal(ore(Math.abs(signed)));
}
