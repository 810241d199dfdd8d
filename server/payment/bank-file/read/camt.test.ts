import fs from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  CAMT_ACCOUNT,
  camtFile,
  camtText,
  type CamtFile,
  type CamtFileDetail,
  type CamtFileEntry,
  type CamtFileStatement,
} from '../../../testing/bank-files/camt-file.ts';
import { faultsOf, findBankSamples, readAtOnce } from '../../../testing/bank-files/read-at-once.ts';

const SAMPLES = findBankSamples();
const KID = '0001000100451';

/** A file with one statement of these entries. */
function withEntries(entries: CamtFileEntry[], rest: Partial<CamtFileStatement> = {}): Buffer {
  return camtFile({ statements: [{ ...rest, entries }] });
}

/** Reads one entry. */
function read(entry: Partial<CamtFileEntry>, file: Omit<CamtFile, 'statements'> = {}) {
  const statements = [{ entries: [{ amount: '100.00', ...entry }] }];
  return readAtOnce(camtFile({ ...file, statements })).entries;
}

/** Reads one detail of 100 kroner. */
function readDetail(detail: CamtFileDetail, file: Omit<CamtFile, 'statements'> = {}) {
  return read({ details: [{ amount: '100.00', ...detail }] }, file)[0];
}

const batchOf = (...amounts: string[]) => amounts.map((amount) => ({ amount }));

describe.each(['02', '04', '08', '13'])('camt version %s', (version) => {
  it('is read with all information of a bank', () => {
    const detail: CamtFileDetail = {
      amount: '1250.00',
      reference: '0990385620001',
      payer: 'Øyvind & Åsheim',
      payerAccount: 'NO9297104133219',
      kids: [{ kid: KID }],
    };
    const entry = { amount: '1250.00', reference: 'OCR-1', valueDate: '2026-11-19' };
    const statements = [{ entries: [{ ...entry, details: [detail] }] }];
    const { summary, entries } = readAtOnce(camtFile({ version, statements }));
    expect(summary).toMatchObject({
      format: 'CAMT054',
      accounts: [{ account: CAMT_ACCOUNT, line: 7 }],
      from: '2026-11-20',
      to: '2026-11-20',
      count: 1,
      sum: 125_000,
      ignored: {},
    });
    expect(entries).toMatchObject([
      {
        kind: 'PAYMENT',
        amount: 125_000,
        date: '2026-11-20',
        kid: KID,
        kids: [{ kid: KID, amount: null }],
        text: null,
        payer: 'Øyvind & Åsheim',
        payerAccount: '97104133219',
        reference: '0990385620001',
        statementLine: { reference: 'OCR-1', date: '2026-11-20', sum: 125_000 },
        isKeyByReference: true,
        occurrence: 1,
      },
    ]);
  });
});

// BANK-12
describe('the namespace', () => {
  it('may have any version from 02 to 13 and any prefix', () => {
    for (const format of ['CAMT053', 'CAMT054'] as const) {
      for (let version = 2; version <= 13; version++) {
        const file = { format, version: String(version).padStart(2, '0') };
        const text = camtText({ ...file, statements: [{ entries: [{ amount: '1.00' }] }] });
        expect(readAtOnce(Buffer.from(text)).summary).toMatchObject({ format, count: 1 });
        const prefixed = text.replaceAll(/<(\/?)(?=[A-Z])/g, '<$1b:').replace('xmlns=', 'xmlns:b=');
        expect(readAtOnce(Buffer.from(prefixed)).summary).toMatchObject({ format, count: 1 });
      }
    }
  });

  it.each([
    ['camt.054.001.01', 'versjon 01 er ukjent'],
    ['camt.054.001.14', 'versjon 14 er ukjent'],
    ['camt.052.001.02', 'ikke camt.054 eller camt.053'],
    ['pain.001.001.03', 'ikke camt.054 eller camt.053'],
  ])('is refused when it is %s', (name, message) => {
    const text = camtText({ statements: [] }).replace('camt.054.001.02', name);
    expect(faultsOf(Buffer.from(text))).toMatchObject([
      { line: 2, element: 'Document', message: expect.stringContaining(message) },
    ]);
  });

  it('is refused when it is missing or the document has no message', () => {
    expect(faultsOf(Buffer.from('<Document/>'))[0]?.message).toContain('<Document>');
    const empty = camtText({ statements: [] });
    expect(faultsOf(Buffer.from(empty))[0]?.message).toContain('ingen melding');
    const wrong = empty.replaceAll('BkToCstmrDbtCdtNtfctn', 'BkToCstmrStmt');
    expect(faultsOf(Buffer.from(wrong))[0]?.message).toContain('ingen melding');
  });

  it('makes elements of other namespaces ignored', () => {
    const text = camtText({ statements: [{ entries: [{ amount: '1.00' }] }] });
    const foreign = '<x:Ntry xmlns:x="urn:x"><x:Amt Ccy="NOK">2.00</x:Amt></x:Ntry></Ntfctn>';
    const bytes = Buffer.from(text.replace('</Ntfctn>', foreign));
    expect(readAtOnce(bytes).summary).toMatchObject({ count: 1, sum: 100 });
  });
});

// BANK-13
describe('an entry', () => {
  it.each([
    [{}, 'PAYMENT', 10_000],
    [{ direction: 'DBIT', reversal: true }, 'REVERSAL', -10_000],
    [{ reversal: false }, 'PAYMENT', 10_000],
  ] as const)('with %o is a %s', (entry, kind, amount) => {
    expect(read(entry)).toMatchObject([{ kind, amount }]);
  });

  // BANK-15
  it.each([
    [{ status: 'PDNG' }, 'NOT_BOOKED'],
    [{ status: 'INFO' }, 'NOT_BOOKED'],
    [{ direction: 'DBIT' }, 'DEBIT'],
    [{ reversal: true }, 'REVERSED_DEBIT'],
    [{ currency: 'EUR' }, 'OTHER_CURRENCY'],
    [{ currency: 'KWD', amount: '1.125' }, 'OTHER_CURRENCY'],
    [{ amount: '0.00' }, 'ZERO'],
  ] as const)('with %o is counted as %s', (entry, reason) => {
    const { summary } = readAtOnce(
      withEntries([{ amount: '100.00', ...entry }, { amount: '1.00' }]),
    );
    expect(summary).toMatchObject({ count: 1, sum: 100, ignored: { [reason]: 1 } });
  });

  it('of an account in another currency is ignored', () => {
    const { summary } = readAtOnce(
      withEntries([{ amount: '1.00', currency: 'EUR' }], { currency: 'EUR' }),
    );
    expect(summary).toMatchObject({ count: 0, accounts: [], ignored: { OTHER_CURRENCY: 1 } });
  });

  it.each([
    [{ date: '2026-11-21' }, '2026-11-21'],
    [{ date: '2026-11-21+01:00' }, '2026-11-21'],
    [{ date: '2026-11-20T23:30:00Z' }, '2026-11-21'],
    [{ date: '2026-11-20T23:30:00' }, '2026-11-20'],
    [{ date: '2026-11-20T23:30:00.5+01:00' }, '2026-11-20'],
    [{ date: null, valueDate: '2026-11-18' }, '2026-11-18'],
    [{ date: null, valueDate: null }, '2026-11-20'],
  ])('with %o has the date %s', (entry, date) => {
    expect(read(entry)).toMatchObject([{ date }]);
  });

  // BANK-14
  it.each([
    [undefined, CAMT_ACCOUNT],
    ['NO9386011117947', CAMT_ACCOUNT],
    ['8601 11 17947', CAMT_ACCOUNT],
    ['8601.11.17947', CAMT_ACCOUNT],
    ['SE4550000000058398257466', 'SE4550000000058398257466'],
  ])('of the account %s gets the account number %s', (account, expected) => {
    const { summary } = readAtOnce(withEntries([{ amount: '1.00' }], { account }));
    expect(summary.accounts).toMatchObject([{ account: expected }]);
  });

  it.each([
    ['1', 100],
    ['1.5', 150],
    ['.5', 50],
    ['+0001.05', 105],
    ['12345678901.23', 1_234_567_890_123],
  ])('of %s kroner is %i øre', (amount, expected) => {
    expect(read({ amount })).toMatchObject([{ amount: expected }]);
  });

  it.each(['1.005', '1.000', '1,00', '-1.00', '1e3', '', 'ett', '99999999999999999'])(
    'of «%s» kroner is refused',
    (amount) => {
      const [fault] = faultsOf(withEntries([{ amount }]));
      expect(fault).toMatchObject({ line: 9, element: 'Ntry/Amt' });
      expect(fault?.message).toContain('to desimaler');
    },
  );

  it.each([
    ['<Amt Ccy="NOK">1.00</Amt>', '', 'Ntry/Amt', 'mangler Amt'],
    [' Ccy="NOK"', '', 'Ntry/Amt/@Ccy', 'mangler Amt/@Ccy'],
    ['<CdtDbtInd>CRDT</CdtDbtInd>', '', 'Ntry/CdtDbtInd', 'mangler CdtDbtInd'],
    ['<Sts>BOOK</Sts>', '', 'Ntry/Sts', 'mangler Sts'],
    ['<Id>86011117947</Id>', '', 'Acct/Id', 'Kontoen mangler'],
    ['CRDT', 'OUT', 'Ntry/CdtDbtInd', 'CRDT eller DBIT: «OUT»'],
    ['<Sts>', '<RvslInd>ja</RvslInd><Sts>', 'Ntry/RvslInd', 'true eller false'],
    ['<Dt>2026-11-20</Dt>', '<Dt>2026-02-30</Dt>', 'Ntry/BookgDt/Dt', 'er ikke en dato'],
    ['<Dt>2026-11-20</Dt>', '<DtTm>i dag</DtTm>', 'Ntry/BookgDt/DtTm', 'er ikke en dato'],
    ['<Sts>', '<Amt Ccy="NOK">2.00</Amt><Sts>', 'Ntry/Amt', 'bare være der én gang'],
  ])('with %s as %s is refused at %s', (from, to, element, message) => {
    const text = camtText({ statements: [{ entries: [{ amount: '1.00' }] }] });
    expect(text).toContain(from);
    const [fault] = faultsOf(Buffer.from(text.replace(from, to)));
    expect(fault).toMatchObject({ element, message: expect.stringContaining(message) });
    expect(fault?.line).toBeGreaterThan(6);
  });
});

// BANK-13, BANK-14
describe('the details of an entry', () => {
  it('become one payment each', () => {
    const details = [
      { amount: '60.00', reference: 'D-1', kids: [{ kid: KID }] },
      { amount: '40.00', reference: 'D-2', texts: ['Faktura 10048'] },
    ];
    const entries = read({ reference: 'E', batch: { count: 2, total: '100.00' }, details });
    expect(entries).toMatchObject([
      { amount: 6000, kid: KID, reference: 'D-1', statementLine: { sum: 10_000 } },
      { amount: 4000, kid: null, text: 'Faktura 10048', reference: 'D-2' },
    ]);
  });

  it.each([
    ['do not add up', { details: batchOf('60.00', '39.00') }, 'DETAILS_DO_NOT_ADD_UP'],
    ['consist of one with another amount', { details: batchOf('60.00') }, 'DETAILS_DO_NOT_ADD_UP'],
    [
      'have another count than the batch states',
      { batch: { count: 3 }, details: batchOf('60.00', '40.00') },
      'DETAILS_DO_NOT_ADD_UP',
    ],
    [
      'have another sum than the batch states',
      { batch: { total: '99.00' }, details: batchOf('60.00', '40.00') },
      'DETAILS_DO_NOT_ADD_UP',
    ],
    ['have no amounts', { details: [{}, {}] }, 'DETAIL_WITHOUT_AMOUNT'],
    [
      'lack an amount in one of them',
      { details: [{ amount: '100.00' }, {}] },
      'DETAIL_WITHOUT_AMOUNT',
    ],
    [
      'include one in another currency',
      { details: [{ amount: '60.00' }, { amount: '4.00', currency: 'EUR' }] },
      'DETAIL_WITHOUT_AMOUNT',
    ],
    ['are in another file', { batch: { count: 2 } }, 'NO_DETAILS'],
  ])('that %s give one total that the user places', (_, entry, totalReason) => {
    const entries = read({ reference: 'E', ...entry });
    expect(entries).toMatchObject([{ kind: 'TOTAL', totalReason, amount: 10_000, kid: null }]);
  });

  it('may be reversals', () => {
    const details = [{ amount: '150.00' }, { amount: '50.00', direction: 'DBIT' as const }];
    const entries = read({ details }, { version: '08' });
    expect(entries).toMatchObject([
      { kind: 'PAYMENT', amount: 15_000 },
      { kind: 'REVERSAL', amount: -5000 },
    ]);
  });

  it('may be missing, and the entry is the payment', () => {
    const [entry] = read({ additional: 'Kari Nordmann' });
    expect(entry).toMatchObject({
      kind: 'PAYMENT',
      amount: 10_000,
      text: 'Kari Nordmann',
      kid: null,
    });
  });

  it('take the amount of the entry when a single one has none', () => {
    expect(read({ details: [{}] })).toMatchObject([{ kind: 'PAYMENT', amount: 10_000 }]);
    const inDetails = readDetail({ isAmountInDetails: true }, { version: '08' });
    expect(inDetails).toMatchObject({ amount: 10_000 });
  });

  it('may have several KIDs, each with its amount', () => {
    const kids = [
      { kid: KID, amount: '60.00' },
      { kid: '0002000100467', amount: '40.00' },
    ];
    expect(readDetail({ kids })).toMatchObject({
      kid: null,
      kids: [
        { kid: KID, amount: 6000 },
        { kid: '0002000100467', amount: 4000 },
      ],
    });
    // A KID named twice counts once, as in other formats.
    expect(readDetail({ kids: [{ kid: KID }, { kid: KID }] })).toMatchObject({
      kid: KID,
      kids: [{ kid: KID, amount: null }],
    });
    const twice = [
      { kid: KID, amount: '60.00' },
      { kid: KID, amount: '40.00' },
    ];
    expect(readDetail({ kids: twice })).toMatchObject({ kids: [{ kid: KID, amount: 10_000 }] });
  });

  // BANK-20, KID-3
  it.each([
    ['1236-', '1236-'],
    [' 0001 0001 00451 ', KID],
    ['RF18539007547034', null],
    ['1', null],
    ['12345678901234567890123456', null],
  ])('turn the reference «%s» into the KID %s', (reference, kid) => {
    const detail = readDetail({ kids: [{ kid: reference }] });
    expect(detail).toMatchObject({ kid, text: kid === null ? reference : null });
  });

  it('have as text the payer’s message, else the invoice numbers, else the bank’s information', () => {
    const texts = ['Faktura 10048\n', ' og litt til'];
    const additional = 'Fra banken';
    expect(readDetail({ texts, additional })?.text).toBe('Faktura 10048 og litt til');
    const kids = [{ invoice: '10049' }, { invoice: '10050' }];
    expect(readDetail({ kids, additional })).toMatchObject({
      text: '10049 10050',
      invoiceNumbers: ['10049', '10050'],
      kid: null,
    });
    expect(readDetail({ kids: [{ kid: KID }], additional })?.text).toBe('Fra banken');
    const [entry] = read({ additional: 'Fra posten', details: [{ amount: '100.00' }] });
    expect(entry?.text).toBe('Fra posten');
  });

  it('may have one instructed amount in another currency', () => {
    const instructed = { amount: '10.00', currency: 'EUR' };
    expect(readDetail({ instructed })).toMatchObject({ amount: 10_000 });
    const details = [{ amount: '100.00', instructed }];
    const text = camtText({ statements: [{ entries: [{ amount: '100.00', details }] }] });
    const given = /<InstdAmt>.*?<\/InstdAmt>/s.exec(text)?.[0] ?? '';
    const [fault] = faultsOf(Buffer.from(text.replace(given, given + given)));
    expect(fault).toMatchObject({
      element: 'Ntry/NtryDtls/TxDtls/AmtDtls/InstdAmt/Amt',
      message: expect.stringContaining('bare være der én gang'),
    });
  });
});

describe('the key', () => {
  const keysOf = (bytes: Buffer) => readAtOnce(bytes).entries.map(({ key }) => key);
  const entry = { amount: '100.00', reference: 'E-1' };
  const ofFile = (entries: CamtFileEntry[], file: Omit<CamtFile, 'statements'> = {}) =>
    keysOf(camtFile({ ...file, statements: [{ entries }] }));

  it('is equal in camt.053 and camt.054, with details and without', () => {
    const [key] = ofFile([entry]);
    expect(ofFile([entry], { format: 'CAMT053', version: '08' })).toEqual([key]);
    expect(ofFile([{ ...entry, details: [{ amount: '100.00' }] }])).toEqual([key]);
    expect(ofFile([{ ...entry, details: [{ amount: '100.00', reference: 'E-1' }] }])).toEqual([
      key,
    ]);
    expect(ofFile([{ ...entry, details: [{ reference: 'D-1' }] }])).not.toEqual([key]);
  });

  it('uses the transaction id when the bank has no other reference', () => {
    const uetr = '8a562c67-ca16-48ba-b074-65581be6f011';
    const sets: CamtFileDetail[] = [
      { transactionId: 'T-1' },
      { uetr },
      { transactionId: 'NOTPROVIDED', uetr },
    ];
    const keys = sets.map(
      (detail) => ofFile([{ ...entry, details: [detail] }], { version: '08' })[0],
    );
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys[2]).toBe(keys[1]);
  });

  it('distinguishes payments with equal reference and amount within a statement only', () => {
    const details = [{ amount: '50.00' }, { amount: '50.00' }];
    const same = details.map((detail) => ({ ...detail, reference: 'D' }));
    expect(new Set(ofFile([{ ...entry, details }])).size).toBe(2);
    expect(new Set(ofFile([{ ...entry, details: same }])).size).toBe(2);
    expect(new Set(ofFile([entry, entry])).size).toBe(2);
    const twice = camtFile({ statements: [{ entries: [entry] }, { entries: [entry] }] });
    expect(new Set(keysOf(twice)).size).toBe(1);
  });

  it('comes from the content when there is no reference, and is marked so', () => {
    const bytes = withEntries([{ amount: '1.00' }, { amount: '1.00' }, { amount: '2.00' }]);
    const { entries } = readAtOnce(bytes);
    expect(new Set(entries.map(({ key }) => key)).size).toBe(3);
    expect(entries).toMatchObject([
      { isKeyByReference: false, occurrence: 1 },
      { isKeyByReference: false, occurrence: 2 },
      { isKeyByReference: false, occurrence: 1 },
    ]);
  });

  it('does not depend on the ids of the file', () => {
    const [key] = ofFile([entry]);
    const text = camtText({ statements: [{ entries: [entry] }] });
    const other = text
      .replaceAll('M-1', 'M-2')
      .replaceAll('S-1', 'S-2')
      .replaceAll('NOTPROVIDED', 'X');
    expect(keysOf(Buffer.from(other))).toEqual([key]);
  });
});

// BANK-12
describe('a statement', () => {
  const entries: CamtFileEntry[] = [
    { amount: '100.00' },
    { amount: '30.00', direction: 'DBIT' },
    { amount: '7.00', status: 'PDNG' },
  ];
  const total = (count: number, sum: string, rest = '') =>
    `<NbOfNtries>${count}</NbOfNtries><Sum>${sum}</Sum>${rest}`;
  const net = '<TtlNetNtryAmt>70.00</TtlNetNtryAmt><CdtDbtInd>CRDT</CdtDbtInd>';
  const all = (content: string) => `<TtlNtries>${content}</TtlNtries>`;
  const credits = (content: string) => `<TtlCdtNtries>${content}</TtlCdtNtries>`;
  const debits = (content: string) => `<TtlDbtNtries>${content}</TtlDbtNtries>`;

  it.each([
    ['every entry', all(total(3, '137.00')) + credits(total(2, '107')) + debits(total(1, '30.00'))],
    ['booked entries', all(total(2, '130.00', net)) + credits(total(1, '100.000000'))],
  ])('may sum up %s', (_, totals) => {
    expect(readAtOnce(withEntries(entries, { totals })).summary.count).toBe(1);
  });

  it.each([
    ['TxsSummry/TtlNtries', all(total(3, '138.00')), 'Sum er 138.00'],
    ['TxsSummry/TtlNtries', all(total(4, '137.00')), 'NbOfNtries er 4'],
    ['TxsSummry/TtlNtries', all(net.replace('70', '71')), 'TtlNetNtry er 71.00'],
    ['TxsSummry/TtlCdtNtries', credits(total(1, '107.00')), 'er 1'],
    ['TxsSummry/TtlDbtNtries', debits('<Sum>30.001</Sum>'), 'Sum er 30.001'],
    ['TxsSummry/TtlDbtNtries', debits('<Sum>30.01</Sum>') + all(total(3, '1')), 'Sum er 30.01'],
  ])('whose %s is wrong is refused', (element, totals, message) => {
    expect(faultsOf(withEntries(entries, { totals }))).toMatchObject([
      { line: 8, element, message: expect.stringContaining(message) },
    ]);
  });

  const balances = (opening: string, closing: string, code = 'OPBD') => [
    { code, amount: opening },
    { code: 'CLBD', amount: closing },
    { code: 'CLAV', amount: '1.00' },
  ];

  it.each([
    balances('1000.00', '1070.00'),
    balances('-70.00', '0.00'),
    balances('1000.00', '1070.00', 'PRCD'),
    balances('1000.00', '2000.00', 'ITBD'),
    [{ code: 'OPBD', amount: '1.00' }],
  ])('may have the balances %o, %o', (...rows) => {
    const bytes = camtFile({ format: 'CAMT053', statements: [{ balances: rows.flat(), entries }] });
    expect(faultsOf(bytes)).toEqual([]);
  });

  it('whose balances do not add up is refused', () => {
    const wrong = balances('1000.00', '1077.00');
    const bytes = camtFile({ format: 'CAMT053', statements: [{ balances: wrong, entries }] });
    expect(faultsOf(bytes)).toMatchObject([
      { line: 9, element: 'Bal', message: expect.stringContaining('Saldoene stemmer ikke') },
    ]);
  });

  it('with more pages has no check of its sums', () => {
    const wrong = balances('1000.00', '1077.00');
    for (const pages of [
      { number: 2, isLast: true },
      { number: 1, isLast: false },
    ]) {
      const statements = [{ balances: wrong, pages, entries }];
      const file = { format: 'CAMT053', version: '08', statements } as const;
      expect(faultsOf(camtFile(file))).toEqual([]);
      const whole = [{ ...statements[0], entries, pages: { number: 1, isLast: true } }];
      expect(faultsOf(camtFile({ ...file, statements: whole }))).toHaveLength(1);
    }
  });

  it('may be one of several with different accounts', () => {
    const statements = [{ entries }, { account: '12345678903', entries }];
    const { summary } = readAtOnce(camtFile({ statements }));
    expect(summary.accounts.map(({ account }) => account)).toEqual([CAMT_ACCOUNT, '12345678903']);
    expect(summary).toMatchObject({ count: 2, ignored: { DEBIT: 2, NOT_BOOKED: 2 } });
  });
});

describe.skipIf(SAMPLES === null)('the samples', () => {
  const sample = (name: string) => fs.readFileSync(path.join(SAMPLES ?? '', name));

  it.each(['camt054-001-02-valid.xml', 'camt054-001-08-valid.xml'])('are read: %s', (name) => {
    const { summary, entries } = readAtOnce(sample(name));
    expect(summary).toMatchObject({ format: 'CAMT054', count: 3, sum: 210_000, ignored: {} });
    expect(entries).toMatchObject([
      { amount: 125_000, kid: KID, payer: 'Øyvind Åsheim', payerAccount: '12345678903' },
      { amount: 50_000, kid: '0002000100467', payerAccount: '97104133219' },
      { amount: 35_000, kid: null, text: 'Faktura 10048 og litt til', payer: 'Kari Nordmann' },
    ]);
  });

  it('are read: camt053-001-08-valid.xml', () => {
    const { summary, entries } = readAtOnce(sample('camt053-001-08-valid.xml'));
    const ignored = { DEBIT: 1, NOT_BOOKED: 1 };
    expect(summary).toMatchObject({ format: 'CAMT053', count: 4, sum: 300_000, ignored });
    expect(entries).toMatchObject([
      { kind: 'TOTAL', totalReason: 'NO_DETAILS', amount: 175_000 },
      { kind: 'PAYMENT', amount: 35_000, text: 'Faktura 10048 og litt til' },
      { kind: 'PAYMENT', amount: 115_000, invoiceNumbers: ['10049'] },
      { kind: 'REVERSAL', amount: -25_000, kid: '0001000100477', reference: '20261118-70001' },
    ]);
    const specified = readAtOnce(sample('camt054-001-08-valid.xml')).entries;
    expect(entries[0]?.statementLine).toEqual(specified[0]?.statementLine);
    expect(entries[1]?.key).toBe(specified[2]?.key);
    expect(entries[1]?.fingerprint).toBe(specified[2]?.fingerprint);
  });

  it('give a total for the user where the details do not add up', () => {
    const { entries } = readAtOnce(sample('camt054-batch-sum-mismatch.xml'));
    expect(entries).toMatchObject([
      { kind: 'TOTAL', totalReason: 'DETAILS_DO_NOT_ADD_UP', amount: 175_000 },
      { kind: 'PAYMENT', amount: 35_000 },
    ]);
  });

  it('are refused when they have a document type', () => {
    expect(faultsOf(sample('camt054-doctype.xml'))).toMatchObject([
      { line: 2, message: expect.stringContaining('DOCTYPE') },
    ]);
  });
});
