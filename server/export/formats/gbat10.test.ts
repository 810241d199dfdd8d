import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Voucher } from '../../../domain/export/journal.ts';
import { kronerToOre } from '../../../domain/money.ts';
import {
  anyVouchers,
  booksOf,
  bytesOf,
  CUSTOMER,
  documentOf,
  HOSTILE_TEXTS,
  paymentOf,
  sumsByAccount,
} from '../../testing/export-books.ts';
import { GBAT10 } from './gbat10.ts';
import { latin1Field } from './latin1.ts';

const CUSTOMER_KID = '000100070000001001';

async function rowsOf(vouchers: readonly Voucher[]): Promise<string[][]> {
  const file = (await bytesOf(GBAT10.print(booksOf(vouchers)))).toString('latin1');
  const lines = file.split('\r\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => line.split(';'));
}

const net = (row: readonly string[]) => kronerToOre(Number(row[8]));
const gross = (row: readonly string[]) => kronerToOre(Number(row[27]));

describe('GBAT10 (EXP-24)', () => {
  test('has the customer with the gross, income with net and gross, and VAT that Tripletex may make itself', async () => {
    const rows = await rowsOf([
      documentOf({ kind: 'INVOICE', number: 1001 }, [
        { treatment: 'STANDARD', net: 1000_00 },
        { treatment: 'FOOD', net: 33_33 },
        { treatment: 'EXEMPT', net: 10_00 },
      ]),
    ]);
    expect(rows.map((row) => row.join(';'))).toEqual([
      'GBAT10;1001;20260201;1;2;2026;1500;0;1298.33;10007;;Nordavind Rør & Varme AS;Storgata 1, Oppgang B;0155;Oslo;1001;000100070000001001;20260215;;;Faktura 1001;Faktura 1001;;;;;T;1298.33;;',
      'GBAT10;1001;20260201;1;2;2026;3000;3;-1000.00;;;;;;;;;;;;Faktura 1001;;;;;;T;-1250.00;;',
      'GBAT10;1001;20260201;1;2;2026;3030;31;-33.33;;;;;;;;;;;;Faktura 1001;;;;;;T;-38.33;;',
      'GBAT10;1001;20260201;1;2;2026;3100;5;-10.00;;;;;;;;;;;;Faktura 1001;;;;;;T;-10.00;;',
      'GBAT10;1001;20260201;1;2;2026;2700;0;-250.00;;;;;;;;;;;;Faktura 1001;;;;;;F;0.00;;',
      'GBAT10;1001;20260201;1;2;2026;2701;0;-5.00;;;;;;;;;;;;Faktura 1001;;;;;;F;0.00;;',
    ]);
  });

  // EXP-23
  test('has credit notes as kind 3 with the signs turned, and payments as kind 2', async () => {
    const rows = await rowsOf([
      documentOf({ kind: 'CREDIT_NOTE', number: 1002, date: '2026-11-30' }, [
        { treatment: 'REDUCED', net: 100_00 },
      ]),
      paymentOf({ number: 7 }, { amount: 1500_00, fee: 35_00, interest: 12_34 }),
      paymentOf({ number: 8, invoiceNumber: null, kid: null, dueDate: null }, { amount: -50_00 }),
    ]);
    expect(
      rows.map((row) => row.slice(1, 10).concat(row.slice(15, 18), row.slice(26, 28))),
    ).toEqual([
      [
        '1002',
        '20261130',
        '3',
        '11',
        '2026',
        '1500',
        '0',
        '-112.00',
        '10007',
        '1002',
        CUSTOMER_KID,
        '',
        'T',
        '-112.00',
      ],
      [
        '1002',
        '20261130',
        '3',
        '11',
        '2026',
        '3050',
        '33',
        '100.00',
        '',
        '',
        '',
        '',
        'T',
        '112.00',
      ],
      ['1002', '20261130', '3', '11', '2026', '2702', '0', '12.00', '', '', '', '', 'F', '0.00'],
      ['7', '20260201', '2', '2', '2026', '1920', '0', '1500.00', '', '', '', '', 'T', '1500.00'],
      [
        '7',
        '20260201',
        '2',
        '2',
        '2026',
        '1500',
        '0',
        '-1452.66',
        '10007',
        '1001',
        CUSTOMER_KID,
        '',
        'T',
        '-1452.66',
      ],
      ['7', '20260201', '2', '2', '2026', '3900', '7', '-35.00', '', '', '', '', 'T', '-35.00'],
      ['7', '20260201', '2', '2', '2026', '8050', '7', '-12.34', '', '', '', '', 'T', '-12.34'],
      ['8', '20260201', '2', '2', '2026', '1920', '0', '-50.00', '', '', '', '', 'T', '-50.00'],
      ['8', '20260201', '2', '2', '2026', '1500', '0', '50.00', '10007', '', '', '', 'T', '50.00'],
    ]);
  });

  test('names the customer of each claim where money is moved', async () => {
    const movedTo = {
      invoiceNumber: 1009,
      kid: '42',
      dueDate: '2026-03-01',
      customer: { ...CUSTOMER, customerNumber: 10_009 },
    };
    const rows = await rowsOf([paymentOf({ number: 9 }, { amount: 100, movedTo })]);
    expect(rows.map((row) => [net(row), row[9], row[15], row[16], row[17]])).toEqual([
      [100, '10007', '1001', CUSTOMER_KID, ''],
      [-100, '10009', '1009', '42', ''],
    ]);
  });

  test('agrees with the journal to the øre, and every voucher adds up to 0 in both ways of Tripletex', async () => {
    await fc.assert(
      fc.asyncProperty(anyVouchers(), async (vouchers) => {
        const rows = await rowsOf(vouchers);
        const expected = vouchers.flatMap(({ postings }) => postings);
        expect(rows).toHaveLength(expected.length);
        let at = 0;
        for (const { postings } of vouchers) {
          const own = rows.slice(at, (at += postings.length));
          expect(own.reduce((sum, row) => sum + net(row), 0)).toBe(0);
          expect(own.reduce((sum, row) => sum + gross(row), 0)).toBe(0);
          expect(new Set(own.map((row) => row[1])).size).toBe(1);
        }
        for (const row of rows) {
          expect(row).toHaveLength(30);
          expect(row[7]).not.toBe('1');
          expect(row[26] === 'T' || gross(row) === 0).toBe(true);
          expect(row.join('')).not.toMatch(/[\p{Cc}";]/u);
        }
        expect(
          sumsByAccount(rows.map((row) => ({ account: row[6] ?? '', amount: net(row) }))),
        ).toEqual(sumsByAccount(expected));
      }),
    );
  });
});

test('fields are in one line of Latin-1, and no formula', () => {
  expect(HOSTILE_TEXTS.map((text) => latin1Field(text, 60))).toEqual([
    '1+1',
    "2+3 '=cmd|x!A1'",
    'SUM(A1)',
    'linje skift tabulator slutt',
    'nul tegn',
    'Blomster og',
    "Ærlig & Søn <AS> ]]> 'sitat' 'enkel'",
    "Lódz Sibenik EUR5 - 'sitat' ?????? ??",
    'Langt navn æøå Langt navn æøå Langt navn æøå Langt navn æøå',
    '',
    'é'.repeat(60),
    'alene',
    '',
    '',
  ]);
  expect(latin1Field(null, 5)).toBe('');
});
