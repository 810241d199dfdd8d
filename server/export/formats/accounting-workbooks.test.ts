import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { read, utils, type WorkBook } from '@e965/xlsx';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { claimOf, type Voucher } from '../../../domain/export/journal.ts';
import { kronerToOre } from '../../../domain/money.ts';
import {
  anyVouchers,
  booksOf,
  bytesOf,
  documentOf,
  HOSTILE_TEXTS,
  paymentOf,
  SETTINGS,
  sumsByAccount,
} from '../../testing/export-books.ts';
import type { Books, ExportFormat } from '../books.ts';
import { TWENTYFOURSEVEN } from './twenty-four-seven.ts';
import { UNI } from './uni.ts';

const KID = '000100070000001001';
const INVOICE = documentOf({ kind: 'INVOICE', number: 1001 }, [
  { treatment: 'STANDARD', net: 1000_00 },
  { treatment: 'OUTSIDE', net: 10_00 },
]);
const CREDIT_NOTE = documentOf(
  { kind: 'CREDIT_NOTE', number: 1002, text: 'Kreditnota 1002 for faktura 1001' },
  [{ treatment: 'FOOD', net: 33_33 }],
);
const PAYMENT = paymentOf(
  { number: 7, invoiceNumber: 1001, date: '2026-12-31' },
  { amount: 1500_00, fee: 35_00, interest: 12_34 },
);

async function workbookOf(format: ExportFormat, books: Books): Promise<WorkBook> {
  return readWorkbook(await bytesOf(format.print(books)));
}

function readWorkbook(bytes: Uint8Array): WorkBook {
  return read(bytes);
}

/** The rows of the only sheet; null is an empty cell. */
function rowsIn(workbook: WorkBook): unknown[][] {
  expect(workbook.SheetNames).toHaveLength(1);
  const [sheet] = Object.values(workbook.Sheets);
  return sheet ? utils.sheet_to_json(sheet, { header: 1, raw: true, defval: null }) : [];
}

/** The files of a ZIP by name. */
function unzipped(bytes: Uint8Array): Map<string, Buffer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-uni-'));
  try {
    const file = path.join(folder, 'uni.zip');
    fs.writeFileSync(file, bytes);
    const names = execFileSync('unzip', ['-Z1', file], { encoding: 'utf8' }).trim().split('\n');
    return new Map(names.map((name) => [name, execFileSync('unzip', ['-p', file, name])]));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** All cells below the headings. */
function cellsIn(workbook: WorkBook) {
  return Object.values(workbook.Sheets).flatMap((sheet) =>
    Object.entries(sheet).filter(([address]) => /^[A-Z]+\d+$/.test(address)),
  );
}

describe('24SevenOffice (EXP-25, EXP-28)', () => {
  test('has the journal with texts in all cells, credit negative', async () => {
    const workbook = await workbookOf(TWENTYFOURSEVEN, booksOf([INVOICE, CREDIT_NOTE, PAYMENT]));
    expect(rowsIn(workbook)).toEqual([
      'TransactionType TransactionNo Date Account Amount VatCode CustomerId InvoiceNo DueDate Period OCR Comment'.split(
        ' ',
      ),
      [
        '1',
        '1001',
        '01.02.2026',
        '1500',
        '1260.00',
        '0',
        '10007',
        '1001',
        '15.02.2026',
        '2',
        KID,
        'Faktura 1001',
      ],
      [
        '1',
        '1001',
        '01.02.2026',
        '3000',
        '-1250.00',
        '3',
        null,
        null,
        null,
        '2',
        null,
        'Faktura 1001',
      ],
      [
        '1',
        '1001',
        '01.02.2026',
        '3200',
        '-10.00',
        '6',
        null,
        null,
        null,
        '2',
        null,
        'Faktura 1001',
      ],
      [
        '3',
        '1002',
        '01.02.2026',
        '1500',
        '-38.33',
        '0',
        '10007',
        '1002',
        null,
        '2',
        KID,
        CREDIT_NOTE.text,
      ],
      [
        '3',
        '1002',
        '01.02.2026',
        '3030',
        '38.33',
        '31',
        null,
        null,
        null,
        '2',
        null,
        CREDIT_NOTE.text,
      ],
      ['2', '7', '31.12.2026', '1920', '1500.00', '0', null, null, null, '12', null, 'Innbetaling'],
      [
        '2',
        '7',
        '31.12.2026',
        '1500',
        '-1452.66',
        '0',
        '10007',
        '1001',
        null,
        '12',
        KID,
        'Innbetaling',
      ],
      ['2', '7', '31.12.2026', '3900', '-35.00', '7', null, null, null, '12', null, 'Innbetaling'],
      ['2', '7', '31.12.2026', '8050', '-12.34', '7', null, null, null, '12', null, 'Innbetaling'],
    ]);
    for (const [, cell] of cellsIn(workbook)) expect(cell).toMatchObject({ t: 's' });
  });

  test('agrees with the journal to the øre', async () => {
    await fc.assert(
      fc.asyncProperty(anyVouchers(), async (vouchers) => {
        const [, ...rows] = rowsIn(await workbookOf(TWENTYFOURSEVEN, booksOf(vouchers)));
        expectJournal(
          rows.map((row) => ({ account: String(row[3]), amount: kronerToOre(Number(row[4])) })),
          vouchers,
        );
      }),
      { numRuns: 30 },
    );
  });
});

/** All accounts but those of VAT and income are as in the journal; income has its VAT, which no other row has. */
function expectJournal(
  rows: readonly { account: string; amount: number }[],
  vouchers: readonly Voucher[],
): void {
  const postings = vouchers.flatMap((voucher) => voucher.postings);
  const [vat = [], others = []] = [true, false].map((isVat) =>
    postings.filter(({ role }) => (role === 'VAT') === isVat),
  );
  expect(rows).toHaveLength(others.length);
  expect(sumsByAccount(rows)).toEqual(
    sumsByAccount(others.map((posting) => ({ ...posting, amount: withVat(posting) }))),
  );
  const sum = (all: readonly { amount: number }[]) =>
    all.reduce((total, { amount }) => total + amount, 0);
  expect(sum(rows)).toBe(0);
  expect(sum(rows.filter((_, index) => others[index]?.role === 'INCOME'))).toBe(
    sum(others.filter(({ role }) => role === 'INCOME')) + sum(vat),
  );
}

function withVat({ amount, vat }: Voucher['postings'][number]): number {
  return amount + (vat?.amount ?? 0);
}

describe('Uni (EXP-26, EXP-28)', () => {
  const settings = { ...SETTINGS, customerOffset: 100_000 };

  test('has customers within their own series, and VAT codes on income', async () => {
    const workbook = await workbookOf(UNI, booksOf([INVOICE, CREDIT_NOTE, PAYMENT], { settings }));
    const [headings, ...rows] = rowsIn(workbook);
    expect(headings).toEqual(
      'Dato Kontonummer Prosjekt Avdeling Tekst Beløp Momskode Forfallsdato Fakturanr KID'.split(
        ' ',
      ),
    );
    // Days since 30 December 1899.
    const [first, due, last] = [46_054, 46_068, 46_387];
    expect(rows).toEqual([
      [first, '110007', null, null, 'Faktura 1001', 1260, null, due, '1001', KID],
      [first, '3000', null, null, 'Faktura 1001', -1250, '3', null, '1001', null],
      [first, '3200', null, null, 'Faktura 1001', -10, '6', null, '1001', null],
      [first, '110007', null, null, CREDIT_NOTE.text, -38.33, null, null, '1002', KID],
      [first, '3030', null, null, CREDIT_NOTE.text, 38.33, '31', null, '1002', null],
      [last, '1920', null, null, 'Innbetaling', 1500, null, null, '1001', null],
      [last, '110007', null, null, 'Innbetaling', -1452.66, null, null, '1001', KID],
      [last, '3900', null, null, 'Innbetaling', -35, '7', null, '1001', null],
      [last, '8050', null, null, 'Innbetaling', -12.34, '7', null, '1001', null],
    ]);
  });

  test("has nobody's money on the account of receivables", async () => {
    const nobody = { invoiceNumber: null, kid: null, dueDate: null, customer: null };
    const books = booksOf([paymentOf({ number: 1, ...nobody }, { amount: 5_00 })], { settings });
    const [, ...rows] = rowsIn(await workbookOf(UNI, books));
    expect(rows.map((row) => row[1])).toEqual(['1920', '1500']);
  });

  test('has a workbook for each year of a period that spans two', async () => {
    const scope = { from: '2025-12-01', to: '2026-12-31' } as const;
    const before = documentOf({ kind: 'INVOICE', number: 1000, date: '2025-12-31' }, [
      { treatment: 'STANDARD', net: 100_00 },
    ]);
    const books = booksOf([before, INVOICE, PAYMENT], { scope });
    const files = unzipped(await bytesOf(UNI.print(books)));
    expect([...files.keys()]).toEqual(['uni-2025.xlsx', 'uni-2026.xlsx']);
    const counts = [...files.values()].map((file) => rowsIn(readWorkbook(file)).length - 1);
    const vat = 1;
    expect(counts).toEqual([
      before.postings.length - vat,
      INVOICE.postings.length - vat + PAYMENT.postings.length,
    ]);
    const { from, to } = scope;
    expect(
      [
        { from, to },
        { from: null, to },
        { from: '2026-01-01', to },
      ].map((period) => UNI.fileFor?.(period).ending),
    ).toEqual(['zip', 'zip', 'xlsx']);
  });

  test('agrees with the journal to the øre, also over all years', async () => {
    await fc.assert(
      fc.asyncProperty(anyVouchers(), async (vouchers) => {
        const [, ...rows] = rowsIn(await workbookOf(UNI, booksOf(vouchers)));
        expectJournal(
          rows.map((row) => ({ account: String(row[1]), amount: kronerToOre(Number(row[5])) })),
          vouchers.map((voucher) => ({
            ...voucher,
            postings: voucher.postings.map((posting) => {
              const { customerNumber } = claimOf(voucher, posting).customer ?? {};
              const isCustomer = posting.role === 'RECEIVABLES' && customerNumber;
              return isCustomer ? { ...posting, account: String(customerNumber) } : posting;
            }),
          })),
        );
      }),
      { numRuns: 30 },
    );
  });
});

test.each([
  ['24SevenOffice', TWENTYFOURSEVEN, 11],
  ['Uni', UNI, 4],
])('%s keeps hostile texts as texts', async (_, format, column) => {
  const vouchers = HOSTILE_TEXTS.filter((text) => text.trim() !== '').map((text) =>
    documentOf({ kind: 'INVOICE', number: 1001, text }, [{ treatment: 'EXEMPT', net: 100 }]),
  );
  const workbook = await workbookOf(format, booksOf(vouchers));
  for (const [, cell] of cellsIn(workbook)) expect(cell).not.toHaveProperty('f');
  const [, ...rows] = rowsIn(workbook);
  expect(rows).toHaveLength(vouchers.length * 2);
  expect(rows.map((row) => row[column])).toContain('=1+1');
});
