import fs from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { ocrFile, type OcrPayment } from '../../../testing/bank-files/ocr-file.ts';
import { faultsOf, findBankSamples, readAtOnce } from '../../../testing/bank-files/read-at-once.ts';

const ACCOUNT = '86011117947';
const OTHER_ACCOUNT = '12345678903';
const SAMPLES = findBankSamples();

const FIRST: OcrPayment[] = [
  {
    amount: 125_000,
    type: 10,
    kid: '0001000100451',
    netsDate: '191126',
    bankDate: '181126',
    serial: 1464,
    payerAccount: '12345678903',
    reference: '099038562',
  },
  { amount: 50_000, kid: '0002000100467', serial: 1570 },
  { amount: 9900, kid: '1236-', serial: 1464, payerAccount: '15032080119' },
  { amount: 20_000, type: 18, sign: '-', kid: '0001000100451', payerAccount: '00000000000' },
  { amount: 35_000, type: 21, text: 'Faktura 10048 Øyvind Åse', payerAccount: '00000000000' },
];
const SECOND: OcrPayment[] = [
  { amount: 10_000, type: 14, kid: '0001000100477', serial: 257 },
  { amount: 10_000, type: 14, kid: '0001000100477', serial: 257 },
];
const ASSIGNMENTS = [{ payments: FIRST }, { account: OTHER_ACCOUNT, payments: SECOND }];
const TRANSMISSION = { assignments: ASSIGNMENTS };
const VALID = ocrFile([TRANSMISSION]);

/** The valid file with changed lines. */
function changed(change: (lines: string[]) => void, newline = '\r\n'): Buffer {
  const lines = VALID.toString('latin1').split('\r\n');
  change(lines);
  return Buffer.from(lines.join(newline), 'latin1');
}

/** The valid file with a replacement in one line. Lines are counted from 1. */
function changedLine(number: number, from: string | RegExp, to: string): Buffer {
  return changed((lines) => {
    const line = lines[number - 1] ?? '';
    expect(line).toMatch(from);
    lines[number - 1] = line.replace(from, to);
  });
}

const SEEN = [
  { amount: 125_000, kid: '0001000100451', date: '2026-11-18', kind: 'PAYMENT', account: ACCOUNT },
  { amount: 50_000, kid: '0002000100467', date: '2026-11-20', kind: 'PAYMENT', account: ACCOUNT },
  { amount: 9900, kid: '1236-', date: '2026-11-20', kind: 'PAYMENT', account: ACCOUNT },
  { amount: -20_000, kid: '0001000100451', kind: 'REVERSAL', payerAccount: null },
  { amount: 35_000, kid: null, kind: 'PAYMENT', text: 'Faktura 10048 Øyvind Åse' },
  { amount: 10_000, kid: '0001000100477', account: OTHER_ACCOUNT, occurrence: 1 },
  { amount: 10_000, kid: '0001000100477', account: OTHER_ACCOUNT, occurrence: 2 },
];

function expectAll(bytes: Buffer): void {
  const { summary, entries } = readAtOnce(bytes);
  expect(summary).toMatchObject({
    format: 'OCR',
    accounts: [
      { account: ACCOUNT, line: 2 },
      { account: OTHER_ACCOUNT, line: 15 },
    ],
    from: '2026-11-18',
    to: '2026-11-20',
    count: 7,
    sum: 219_900,
    ignored: {},
  });
  expect(entries).toMatchObject(SEEN);
  expect(new Set(entries.map(({ key }) => key)).size).toBe(7);
}

// BANK-10
describe('OCR giro', () => {
  // BANK-11
  it('is read with all values of its records', () => {
    expectAll(VALID);
    const [first, second] = readAtOnce(VALID).entries;
    expect(first).toMatchObject({
      line: 3,
      kids: [{ kid: '0001000100451', amount: null }],
      payer: null,
      payerAccount: '12345678903',
      reference: '099038562',
      statementLine: { reference: null, date: '2026-11-19', sum: 125_000 },
      isKeyByReference: true,
    });
    expect(second).toMatchObject({ line: 5, payerAccount: '97104133219' });
  });

  it.each([
    ['LF', VALID.toString('latin1').replaceAll('\r\n', '\n')],
    ['no last line end', VALID.toString('latin1').trimEnd()],
    ['blank lines at the end', `${VALID.toString('latin1')}\r\n   \r\n`],
    ['0x1A at the end', `${VALID.toString('latin1')}\u001A`],
    ['0x1A right behind', `${VALID.toString('latin1').trimEnd()}\u001A`],
  ])('may have %s', (_, text) => expectAll(Buffer.from(text, 'latin1')));

  it('gives the same result in pieces of any size', () => {
    const whole = readAtOnce(VALID);
    for (const size of [1, 7, 81, 82, 1000]) expect(readAtOnce(VALID, size)).toEqual(whole);
  });

  it('sums payments with equal serial number and date, as the account statement does', () => {
    const payments = [1, 1, 2, 1].map((serial, index) => ({
      amount: 1000 + index,
      serial,
      netsDate: index === 3 ? '191126' : '201126',
    }));
    const { entries } = readAtOnce(ocrFile([{ assignments: [{ payments }] }]));
    const sums = entries.map(({ statementLine }) => statementLine.sum);
    expect(sums).toEqual([2001, 2001, 1002, 1003]);
  });

  // BANK-11
  it.each([
    [{ type: 18, sign: '0' }, -1000],
    [{ type: 20, sign: '0' }, -1000],
    [{ type: 13, sign: '-' }, -1000],
    [{ type: 19 }, 1000],
    [{ type: 21 }, 1000],
  ] as const)('is negative by its type or its sign: %o', (payment, amount) => {
    const payments = [{ amount: 1000, ...payment }];
    const { entries } = readAtOnce(ocrFile([{ assignments: [{ payments }] }]));
    expect(entries).toMatchObject([{ amount }]);
  });

  // BANK-11
  it('ignores filler', () => {
    const bytes = changed((lines) => {
      for (const [index, line] of lines.entries()) {
        if (line.slice(6, 8) === '31') {
          lines[index] = `${line.slice(0, 34)}1234567${line.slice(41, 58)}${'9'.repeat(22)}`;
        } else if (line !== '') lines[index] = `${line.slice(0, 75)}98765`;
      }
    });
    expectAll(bytes);
  });

  it('has no KID when the field is empty or no number', () => {
    const payments = [{ amount: 1 }, { amount: 2, kid: '12A4' }, { amount: 3, kid: '0001 0451' }];
    const { entries } = readAtOnce(ocrFile([{ assignments: [{ payments }] }]));
    expect(entries.map(({ kid }) => kid)).toEqual([null, null, '00010451']);
  });

  it('counts amounts of 0 as ignored', () => {
    const { summary } = readAtOnce(ocrFile([{ assignments: [{ payments: [{ amount: 0 }] }] }]));
    expect(summary).toMatchObject({ count: 0, ignored: { ZERO: 1 }, from: null, to: null, sum: 0 });
  });

  it('may have several transmissions, and a repeated one gives the same keys', () => {
    const next = { number: 322, assignments: ASSIGNMENTS };
    const { entries } = readAtOnce(ocrFile([TRANSMISSION, TRANSMISSION, next]));
    const keys = entries.map(({ key }) => key);
    expect(keys.slice(7, 14)).toEqual(keys.slice(0, 7));
    expect(new Set(keys).size).toBe(14);
    const occurrences = entries.map(({ occurrence }) => occurrence);
    expect(occurrences).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 4, 3, 3, 3, 3, 3, 5, 6]);
  });

  it('skips other services and counts their records', () => {
    const bytes = withAvtaleGiro();
    expect(readAtOnce(bytes).summary).toMatchObject({ count: 7, ignored: { OTHER_SERVICE: 1 } });
    const text = bytes.toString('latin1').replace(/NY21947[^\n]*\n/, '');
    expect(faultsOf(Buffer.from(text, 'latin1'))).toMatchObject([
      { line: 22, message: expect.stringContaining('Antall poster i oppdraget er 3') },
    ]);
    const alone = bytes.toString('latin1').split('\r\n');
    const only = [alone[0], ...alone.slice(20, 23), `NY0000890000000100000005${'0'.repeat(56)}`];
    expect(readAtOnce(Buffer.from(only.join('\r\n'))).summary).toMatchObject({ count: 0 });
  });
});

function withAvtaleGiro(): Buffer {
  return changed((lines) => {
    const end = lines[20] ?? '';
    lines.splice(
      20,
      1,
      `NY212420000000000000000386011117947${'0'.repeat(45)}`,
      `NY21947000000011            0001000100451J${'0'.repeat(38)}`,
      `NY2124880000000100000003${'0'.repeat(56)}`,
      end.replace('0000000700000021', '0000000800000024'),
    );
  });
}

// BANK-10
describe('a faulty OCR file is refused', () => {
  it.each<[string, Buffer, number, string]>([
    ['sum of an assignment', changedLine(14, '239900', '239899'), 14, 'Summen av oppdraget'],
    ['reversals deducted', changedLine(14, '239900', '199900'), 14, 'lagt til, ikke trukket fra'],
    ['count of an assignment', changedLine(14, '00000005', '00000004'), 14, 'Antall transaksjoner'],
    ['records of an assignment', changedLine(14, '00000013', '00000012'), 14, 'Antall poster'],
    ['first date', changedLine(14, '191126201126', '201126201126'), 14, 'Første Nets-dato'],
    ['last date', changedLine(14, '191126201126', '191126211126'), 14, 'Siste Nets-dato'],
    ['count of the transmission', changedLine(21, '00000007', '00000008'), 21, 'Antall'],
    ['records of the transmission', changedLine(21, '00000021', '00000022'), 21, 'Antall poster'],
    ['sum of the transmission', changedLine(21, '259900', '259901'), 21, 'Summen av forsendelsen'],
    ['date', changedLine(5, '201126', '310226'), 5, 'ikke en dato'],
    ['bank date', changedLine(4, '181126', '321126'), 4, 'ikke en dato'],
    ['date of the transmission', changedLine(21, '201126', '000000'), 21, 'ikke en dato'],
    ['amount', changedLine(5, '0050000 ', '00500,0 '), 5, 'bare ha siffer'],
    ['amount', changedLine(5, /0\d{16} /, `${'9'.repeat(17)} `), 5, 'er for stort'],
    ['short line', changed((lines) => edit(lines, 5, (line) => line.slice(0, 79))), 5, '79 tegn'],
    ['long line', changed((lines) => edit(lines, 5, (line) => `${line}0`)), 5, '81 tegn'],
    ['blank line', changed((lines) => void lines.splice(4, 0, '')), 5, '0 tegn'],
    ['trimmed', changed((lines) => trim(lines)), 1, 'tegn'],
    ['UTF-8', Buffer.from(VALID.toString('latin1'), 'utf8'), 13, 'UTF-8'],
    ['item 2 missing', changed((lines) => void lines.splice(3, 1)), 4, 'beløpspost 2 mangler'],
    ['item 2 twice', changed((lines) => repeat(lines, 12)), 13, 'to ganger'],
    ['item 3 missing', changed((lines) => void lines.splice(12, 1)), 13, 'beløpspost 3'],
    ['item 3 first', changed((lines) => void lines.splice(11, 1)), 12, 'før beløpspost 2'],
    ['item 3 of another type', changed((lines) => item3(lines)), 5, 'bare 20 og 21 har det'],
    ['other number', changedLine(4, '0000001', '0000002'), 4, 'transaksjonsnummer 0000002'],
    ['other type', changedLine(4, 'NY0910', 'NY0911'), 4, 'type 11'],
    ['type', changedLine(3, 'NY0910', 'NY0922'), 3, 'Transaksjonstypen 22'],
    ['same number again', changedLine(5, '0000002', '0000001'), 5, 'kommer etter'],
    ['assignment number again', changedLine(15, '0000002', '0000001'), 15, 'to ganger'],
    ['record', changedLine(4, 'NY091031', 'NY091035'), 4, 'Posttype 35'],
    ['not ended', changed((lines) => void lines.splice(13, 1)), 14, 'Posttype 20'],
    ['end before its assignment', changed((lines) => void lines.splice(19, 1)), 20, 'midt i et'],
    [
      'outside an assignment',
      changed((lines) => void lines.splice(14, 1)),
      15,
      'utenfor et oppdrag',
    ],
    ['no start', changed((lines) => void lines.splice(0, 1)), 1, 'utenfor en forsendelse'],
    ['start twice', changed((lines) => repeat(lines, 1)), 2, 'ikke avsluttet'],
    ['no end', changed((lines) => void lines.splice(20, 1)), 20, 'sluttposten (NY000089) mangler'],
    ['no ends', changed((lines) => void lines.splice(17, 4)), 17, 'sluttposten (NY000089) mangler'],
    ['garbage behind', Buffer.concat([VALID, Buffer.from('garbage')]), 22, '7 tegn'],
    ['no record', changedLine(4, 'NY', 'XX'), 4, 'begynner med «XX091031»'],
    ['endless line', Buffer.from(`NY000010${'0'.repeat(5000)}`), 1, 'mer enn 1000 tegn'],
    ['empty', Buffer.alloc(0), 1, 'Filen er tom'],
    ['blank', Buffer.from('\r\n \r\n\u001A'), 1, 'Filen er tom'],
  ])('for its %s', (_, bytes, line, rule) => {
    const [fault] = faultsOf(bytes);
    expect(fault?.message).toContain(rule);
    expect(fault?.line).toBe(line);
  });

  it('with every wrong value, without errors that follow from them', () => {
    const bytes = changed((lines) => {
      edit(lines, 3, (line) => line.replace('191126', '391126'));
      edit(lines, 5, (line) => line.replace('201126', '310226'));
    });
    expect(faultsOf(bytes).map(({ line }) => line)).toEqual([3, 5]);
  });

  it('when it is cut anywhere', () => {
    const whole = readAtOnce(VALID).entries;
    for (let length = 0; length < VALID.length; length++) {
      const bytes = VALID.subarray(0, length);
      if (faultsOf(bytes).length > 0) continue;
      expect(length).toBeGreaterThanOrEqual(VALID.length - 2);
      expect(readAtOnce(bytes).entries).toEqual(whole);
    }
  });
});

function edit(lines: string[], number: number, change: (line: string) => string): void {
  lines[number - 1] = change(lines[number - 1] ?? '');
}

function repeat(lines: string[], number: number): void {
  lines.splice(number - 1, 0, lines[number - 1] ?? '');
}

function trim(lines: string[]): void {
  for (const [index, line] of lines.entries()) lines[index] = line.replace(/0+$/, '');
}

function item3(lines: string[]): void {
  lines.splice(4, 0, `NY09103200000010${'Tekst'.padEnd(39)}${'0'.repeat(25)}`);
}

describe.skipIf(SAMPLES === null)('the samples', () => {
  const read = (name: string) => fs.readFileSync(path.join(SAMPLES ?? '', name));

  it('are read', () => {
    for (const name of ['ocr-valid.txt', 'ocr-valid-lf-notail.txt']) {
      const { summary, entries } = readAtOnce(read(name));
      expect(summary).toMatchObject({ count: 7, sum: 219_900 });
      expect(entries).toMatchObject(SEEN);
    }
    const { summary } = readAtOnce(read('ocr-valid-with-avtalegiro.txt'));
    expect(summary).toMatchObject({ count: 2, sum: 20_000, ignored: { OTHER_SERVICE: 1 } });
    const { entries } = readAtOnce(read('ocr-duplicate-transmission.txt'));
    expect(new Set(entries.map(({ key }) => key)).size).toBe(7);
  });

  it('are refused', () => {
    expect(faultsOf(read('ocr-bad-sum88.txt'))).toMatchObject([{ line: 14 }]);
    expect(faultsOf(read('ocr-truncated.txt'))).toMatchObject([{ line: 17 }]);
  });
});
