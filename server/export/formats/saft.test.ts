import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { DEFAULT_ACCOUNTS } from '../../../domain/export/export-settings.schema.ts';
import { kronerToOre } from '../../../domain/money.ts';
import { VAT_TREATMENT_NAMES } from '../../../domain/vat-treatment.ts';
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
import type { Books } from '../books.ts';
import { SAFT } from './saft.ts';

const SCHEMA = path.join(
  import.meta.dirname,
  '../../../../shared/saft/Norwegian_SAF-T_Financial_Schema_v_1.30.xsd',
);

async function textOf(books: Books): Promise<string> {
  return (await bytesOf(SAFT.print(books))).toString('utf8');
}

/** Validates files with xmllint. Returns its complaints; '' means valid. */
function complaintsAbout(files: readonly string[]): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-saft-'));
  try {
    const names = files.map((file, index) => {
      const name = path.join(folder, `${index}.xml`);
      fs.writeFileSync(name, file);
      return name;
    });
    const args = ['--noout', '--nonet', '--huge', '--schema', SCHEMA, ...names];
    const { status, stderr, error } = spawnSync('xmllint', args, { encoding: 'utf8' });
    if (error) throw error;
    return status === 0 ? '' : stderr;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** The signed amounts of all lines, by account. */
function linesOf(xml: string) {
  return xml
    .matchAll(/<Line>.*?<AccountID>(\d+)<.*?<(Debit|Credit)Amount><Amount>([\d.]+)</g)
    .map(([, account = '', side, amount]) => ({
      account,
      amount: kronerToOre(Number(amount)) * (side === 'Debit' ? 1 : -1),
    }))
    .toArray();
}

const INVOICE = documentOf({ kind: 'INVOICE', number: 1001 }, [
  { treatment: 'STANDARD', net: 1000_00 },
]);
const EVERYTHING = [
  documentOf(
    { kind: 'INVOICE', number: 1001 },
    VAT_TREATMENT_NAMES.map((treatment) => ({ treatment, net: 333_33 })),
  ),
  documentOf({ kind: 'INVOICE', number: 1002, date: '2026-03-31' }, [
    { treatment: 'REDUCED', net: 100_00, rate: 6 },
    { treatment: 'STANDARD', net: -50_00 },
    { treatment: 'FOOD', net: 0 },
  ]),
  documentOf({ kind: 'CREDIT_NOTE', number: 1003 }, [{ treatment: 'STANDARD', net: 1000_00 }]),
  paymentOf({ number: 1 }, { amount: 1500_00, fee: 35_00, interest: 12_34 }),
  paymentOf({ number: 2, invoiceNumber: null, kid: null, dueDate: null }, { amount: 9_00 }),
  paymentOf({ number: 3, text: 'Tilbakebetaling' }, { amount: -9_00 }),
  paymentOf({ number: 4, text: 'Trukket tilbake' }, { amount: -1500_00, fee: -35_00 }),
  paymentOf(
    { number: 5 },
    {
      amount: 5_00,
      movedTo: {
        invoiceNumber: null,
        kid: null,
        dueDate: null,
        customer: { ...CUSTOMER, customerNumber: 10_008 },
      },
    },
  ),
];

describe('SAF-T (EXP-27)', () => {
  test('has an invoice and its payment as vouchers, with VAT, KID and due date', async () => {
    const xml = await textOf(booksOf([INVOICE, paymentOf({ number: 1 }, { amount: 1250_00 })]));
    expect(xml).toContain(
      '<Header><AuditFileVersion>1.30</AuditFileVersion><AuditFileCountry>NO</AuditFileCountry>' +
        '<AuditFileDateCreated>2027-01-05</AuditFileDateCreated>',
    );
    expect(xml).toContain(
      '<HeaderComment>Bare salg, innbetalinger og kunder fra Faktur</HeaderComment>' +
        '<TaxAccountingBasis>A</TaxAccountingBasis>',
    );
    expect(xml).toContain(
      '<Customer><RegistrationNumber>123456785</RegistrationNumber><Name>Nordavind Rør &amp; Varme AS</Name>' +
        '<Address><StreetName>Storgata 1</StreetName><AdditionalAddressDetail>Oppgang B</AdditionalAddressDetail>' +
        '<City>Oslo</City><PostalCode>0155</PostalCode></Address><CustomerID>10007</CustomerID>' +
        '<BalanceAccount><AccountID>1500</AccountID><OpeningDebitBalance>0.00</OpeningDebitBalance>' +
        '<ClosingDebitBalance>0.00</ClosingDebitBalance></BalanceAccount></Customer>',
    );
    expect(xml.slice(xml.indexOf('<GeneralLedgerEntries>'))).toBe(
      '<GeneralLedgerEntries><NumberOfEntries>2</NumberOfEntries>' +
        '<TotalDebit>2500.00</TotalDebit><TotalCredit>2500.00</TotalCredit>' +
        '<Journal><JournalID>FAKTURA</JournalID><Description>Fakturaer og kreditnotaer</Description><Type>AR</Type>' +
        '<Transaction><TransactionID>1001</TransactionID><Period>2</Period><PeriodYear>2026</PeriodYear>' +
        '<TransactionDate>2026-02-01</TransactionDate><VoucherType>Faktura</VoucherType>' +
        '<Description>Faktura 1001</Description><SystemEntryDate>2026-02-01</SystemEntryDate>' +
        '<GLPostingDate>2026-02-01</GLPostingDate><CustomerID>10007</CustomerID>' +
        '<Line><RecordID>1</RecordID><AccountID>1500</AccountID><SourceDocumentID>1001</SourceDocumentID>' +
        '<CustomerID>10007</CustomerID><Description>Faktura 1001</Description>' +
        '<DebitAmount><Amount>1250.00</Amount></DebitAmount><CID>000100070000001001</CID>' +
        '<DueDate>2026-02-15</DueDate></Line>' +
        '<Line><RecordID>2</RecordID><AccountID>3000</AccountID><SourceDocumentID>1001</SourceDocumentID>' +
        '<Description>Faktura 1001</Description><CreditAmount><Amount>1000.00</Amount></CreditAmount>' +
        '<TaxInformation><TaxType>MVA</TaxType><TaxCode>3</TaxCode><TaxPercentage>25</TaxPercentage>' +
        '<Country>NO</Country><TaxBase>1000.00</TaxBase><CreditTaxAmount><Amount>250.00</Amount></CreditTaxAmount>' +
        '</TaxInformation></Line>' +
        '<Line><RecordID>3</RecordID><AccountID>2700</AccountID><SourceDocumentID>1001</SourceDocumentID>' +
        '<Description>Faktura 1001</Description><CreditAmount><Amount>250.00</Amount></CreditAmount></Line>' +
        '</Transaction></Journal>' +
        '<Journal><JournalID>BETALING</JournalID><Description>Innbetalinger og tilbakebetalinger</Description>' +
        '<Type>GL</Type><Transaction><TransactionID>B-1</TransactionID><Period>2</Period>' +
        '<PeriodYear>2026</PeriodYear><TransactionDate>2026-02-01</TransactionDate>' +
        '<VoucherType>Betaling</VoucherType><Description>Innbetaling</Description>' +
        '<SystemEntryDate>2026-02-01</SystemEntryDate><GLPostingDate>2026-02-01</GLPostingDate>' +
        '<CustomerID>10007</CustomerID>' +
        '<Line><RecordID>1</RecordID><AccountID>1920</AccountID><SourceDocumentID>1001</SourceDocumentID>' +
        '<Description>Innbetaling</Description><DebitAmount><Amount>1250.00</Amount></DebitAmount></Line>' +
        '<Line><RecordID>2</RecordID><AccountID>1500</AccountID><SourceDocumentID>1001</SourceDocumentID>' +
        '<CustomerID>10007</CustomerID><Description>Innbetaling</Description>' +
        '<CreditAmount><Amount>1250.00</Amount></CreditAmount><CID>000100070000001001</CID></Line></Transaction></Journal></GeneralLedgerEntries></AuditFile>\n',
    );
  });

  test('swaps the sides of a credit note, with positive amounts', async () => {
    const xml = await textOf(
      booksOf([
        documentOf({ kind: 'CREDIT_NOTE', number: 1002 }, [{ treatment: 'FOOD', net: 100_00 }]),
      ]),
    );
    expect(xml).not.toContain('>-');
    expect(xml).toContain('<VoucherType>Kreditnota</VoucherType>');
    expect(xml).toContain('<CreditAmount><Amount>115.00</Amount></CreditAmount><CID>');
    expect(xml).toContain(
      '<DebitAmount><Amount>100.00</Amount></DebitAmount><TaxInformation><TaxType>MVA</TaxType>' +
        '<TaxCode>31</TaxCode><TaxPercentage>15</TaxPercentage><Country>NO</Country><TaxBase>100.00</TaxBase>' +
        '<DebitTaxAmount><Amount>15.00</Amount></DebitTaxAmount></TaxInformation>',
    );
    expect(xml).toContain('<ClosingCreditBalance>115.00</ClosingCreditBalance>');
  });

  test('has a code of its own for a rate that is not the latest, and names the standard one', async () => {
    const xml = await textOf(
      booksOf([
        documentOf({ kind: 'INVOICE', number: 1001 }, [
          { treatment: 'REDUCED', net: 100_00, rate: 6 },
          { treatment: 'REDUCED', net: 100_00, rate: 12 },
        ]),
      ]),
    );
    const codes = xml.matchAll(
      /<TaxCode>([^<]+)<.TaxCode><Description>.*?<StandardTaxCode>(\d+)</g,
    );
    expect(codes.map(([, code, standard]) => [code, standard]).toArray()).toEqual([
      ['33', '33'],
      ['33-6', '33'],
    ]);
    expect(xml).toContain('<TaxCode>33-6</TaxCode><TaxPercentage>6</TaxPercentage>');
  });

  test('groups accounts as the authorities do, also those that were chosen', async () => {
    const accounts = {
      ...DEFAULT_ACCOUNTS,
      receivables: '1510',
      bank: { '12341112344': '1955' },
      fee: '3955',
    };
    const vouchers = [
      documentOf(
        { kind: 'INVOICE', number: 1001 },
        VAT_TREATMENT_NAMES.map((treatment) => ({ treatment, net: 100_00 })),
        accounts,
      ),
      paymentOf({ number: 1 }, { amount: 500, fee: 100, interest: 50 }, accounts),
      paymentOf({ number: 2 }, { amount: 500, account: '12341112344' }, accounts),
    ];
    const settings = { accounts, customerOffset: 0, accountantEmail: null };
    const xml = await textOf(booksOf(vouchers, { settings }));
    const groups = xml
      .matchAll(
        /<AccountID>(\d+)<.AccountID><AccountDescription>.*?<GroupingCategory>(\w+)<.*?<GroupingCode>(\d+)</g,
      )
      .map(([, account, category, code]) => `${account} ${category} ${code}`);
    expect(new Set(groups)).toEqual(
      new Set([
        '1510 balanseverdiForOmloepsmiddel 1500',
        '1920 balanseverdiForOmloepsmiddel 1920',
        '1955 balanseverdiForOmloepsmiddel 1920',
        '2700 kortsiktigGjeld 2740',
        '2701 kortsiktigGjeld 2740',
        '2702 kortsiktigGjeld 2740',
        '3000 salgsinntekt 3000',
        '3005 salgsinntekt 3100',
        '3030 salgsinntekt 3000',
        '3050 salgsinntekt 3000',
        '3100 salgsinntekt 3100',
        '3105 salgsinntekt 3100',
        '3200 salgsinntekt 3200',
        '3955 annenDriftsinntekt 3900',
        '8050 finansinntekt 8050',
      ]),
    );
    const codes = xml.matchAll(/<StandardTaxCode>(\d+)</g).map(([, code]) => code);
    expect(new Set(codes)).toEqual(new Set(['3', '31', '33', '5', '51', '52', '6', '7']));
  });

  test('begins on the day of its first voucher where no first day was chosen', async () => {
    const scope = { from: null };
    expect(await textOf(booksOf([INVOICE], { scope }))).toContain(
      '<SelectionStartDate>2026-02-01</SelectionStartDate><SelectionEndDate>2026-12-31</SelectionEndDate>',
    );
    expect(await textOf(booksOf([], { scope }))).toContain(
      '<SelectionStartDate>2026-12-31</SelectionStartDate>',
    );
  });

  test('agrees with the journal to the øre', async () => {
    await fc.assert(
      fc.asyncProperty(anyVouchers(), async (vouchers) => {
        const xml = await textOf(booksOf(vouchers));
        const postings = vouchers.flatMap((voucher) => voucher.postings);
        const lines = linesOf(xml);
        expect(lines).toHaveLength(postings.length);
        expect(sumsByAccount(lines)).toEqual(sumsByAccount(postings));
        const debit = lines.reduce((sum, { amount }) => sum + Math.max(amount, 0), 0);
        const [, total] = /<TotalDebit>([\d.]+)</.exec(xml) ?? [];
        expect(kronerToOre(Number(total))).toBe(debit);
        expect(xml).toContain(`<NumberOfEntries>${vouchers.length}<`);
        expect(xml.match(/<Transaction>/g) ?? []).toHaveLength(vouchers.length);
      }),
    );
  });
});

describe.skipIf(!fs.existsSync(SCHEMA))('by the official schema', () => {
  test('a file with everything is valid, and so is one with nothing', async () => {
    const nowhere = { address1: null, address2: null, city: null, postalCode: null };
    const files = await Promise.all([
      textOf(booksOf(EVERYTHING)),
      textOf(booksOf([], { seller: { ...nowhere, vatRegistered: false } })),
    ]);
    expect(complaintsAbout(files)).toBe('');
  });

  test('hostile texts are valid wherever they stand', async () => {
    const files = HOSTILE_TEXTS.map((text) => {
      const name = text.trim() === '' ? 'Navn' : text;
      const customer = {
        customerNumber: 9_999_999,
        name: text,
        orgNumber: '123456785',
        address1: text,
        address2: text,
        zipCode: text,
        city: text,
      };
      const seller = {
        name,
        address1: text,
        address2: text,
        city: text,
        email: `${'e'.repeat(90)}@example.no`,
      };
      const vouchers = [
        documentOf({ kind: 'INVOICE', number: 1001, text: `Faktura ${text}`, customer }, [
          { treatment: 'STANDARD', net: 100 },
        ]),
      ];
      return textOf(booksOf(vouchers, { seller, madeBy: text }));
    });
    expect(complaintsAbout(await Promise.all(files))).toBe('');
  });

  test('random books are valid', async () => {
    const samples = fc.sample(anyVouchers(), { numRuns: 60, seed: 2026 });
    const named = samples.map((vouchers) =>
      vouchers.map((voucher) => ({ ...voucher, text: `F ${voucher.text}` })),
    );
    const files = await Promise.all(named.map(async (vouchers) => textOf(booksOf(vouchers))));
    expect(complaintsAbout(files)).toBe('');
  });
});
