import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { feeOn, interestRateOn } from '../../domain/late-payment/rates.ts';
import { findRates } from '../payment/late-payment.repository.ts';
import { findMissingRates, warnOfMissingRates } from '../payment/late-payment.service.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { runCommand } from './run-command.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(async () => testApp.close());

async function run(...args: string[]) {
  const lines: string[] = [];
  const exit = await runCommand(testApp.context, 'rates', args, {
    line: (text) => lines.push(text),
    bytes: async () => undefined,
  });
  return { exit, text: lines.join('\n') };
}

describe('the rates of late payment', () => {
  // REM-14
  test('are the built-in ones, overridden by those that the operator adds', async () => {
    const { db } = testApp.context;
    const { text } = await run('list');
    expect(text).toMatch(/^2025-07-01 {3}12\.25 %$/m);
    expect(text).toMatch(/^2026-01-01 {3}12\.00 % {8}460\.00 {11}750\.00$/m);
    const rates = await findRates(db);
    expect(() => interestRateOn(rates, '2026-07-01')).not.toThrow();
    expect(() => feeOn(rates, '2016-07-01')).toThrow(
      expect.objectContaining({ kind: 'DEBT_COLLECTION', from: '2016-07-01' }),
    );

    expect(await run('add', '2026-07-01', '--interest', '12,00', '--compensation', '440')).toEqual({
      exit: 0,
      text:
        'From 2026-07-01 interest is 12.00 per cent, and no more 12.25.\n' +
        'From 2026-07-01 compensation is 440.00 kroner, and no more 430.00.',
    });
    expect((await run('add', '2026-10-01', '--debt-collection', '760')).text).toBe(
      'From 2026-10-01 debt-collection is 760.00 kroner.',
    );
    const added = await findRates(db);
    expect(interestRateOn(added, '2026-11-22')).toBe(1200);
    expect(feeOn(added, '2026-11-22')).toBe(38_00);
    expect((await run('list')).text).toMatch(/^2026-07-01 {3}12\.00 % {8}440\.00 .* added$/m);

    expect((await run('remove', '2026-07-01')).text).toBe(
      'The interest that was added from 2026-07-01 is forgotten; 12.25 per cent is built in.\n' +
        'The compensation that was added from 2026-07-01 is forgotten; 430.00 kroner is built in.',
    );
    expect(await run('remove', '2026-07-01')).toEqual({
      exit: 1,
      text: 'Nothing was added from 2026-07-01.',
    });
    expect((await run('remove', '2026-10-01')).text).toBe(
      'The debt-collection that was added from 2026-10-01 is forgotten.',
    );
    expect(await findRates(db)).toEqual(rates);
  });

  test('of this half-year and the next are reported when missing', async () => {
    vi.useFakeTimers({ now: new Date('2028-02-01T12:00Z'), toFake: ['Date'] });
    try {
      const { text } = await run('list');
      expect(text.split('\n').filter((line) => line.startsWith('The '))).toEqual([
        'The interest from 2028-01-01 is missing.',
        'The compensation from 2028-01-01 is missing.',
        'The interest from 2028-07-01 is missing.',
        'The compensation from 2028-07-01 is missing.',
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('are reported missing from a fortnight before they apply', async () => {
    const { db, log } = testApp.context;
    const missing = async (day: string) =>
      (await findMissingRates(db, day)).map(({ message }) => message);
    expect(await missing('2026-12-17')).toEqual([]);
    const both = [
      'satsen for 1. halvår 2027 mangler',
      'standardkompensasjonen for 1. halvår 2027 mangler',
    ];
    expect(await missing('2026-12-18')).toEqual(both);
    expect(await missing('2027-01-01')).toEqual(both);
    const warn = vi.spyOn(log, 'warn');
    for (const time of ['2026-12-17T06:00Z', '2026-12-18T06:01Z', '2026-12-18T06:00Z']) {
      await warnOfMissingRates(testApp.context, new Date(time));
    }
    expect(warn.mock.calls).toEqual([
      [{ missing: both }, 'rates of late payment are missing: npm run rates'],
    ]);
  });

  test.each([
    [['add', '2026-03-01', '--interest', '12'], '--interest begins on 1 January or 1 July'],
    [['add', '2026-01-01', '--interest', '1225'], '--interest must be a number of per cent from 5'],
    [['add', '2026-01-01', '--interest', '12.255'], 'with at most two decimals: 12.255'],
    [['add', '2026-01-01', '--interest', 'tolv'], 'with at most two decimals: tolv'],
    [['add', '2026-01-01', '--compensation', '43000'], '--compensation must be a number of kroner'],
    [['add', '2026-01-01', '--debt-collection', '37.50'], '--debt-collection must be a number'],
    [['add', '2026-01-01'], 'Which rate? --interest, say'],
    [['add', '2026-02-30', '--interest', '12'], 'Not a day such as 2027-01-01: 2026-02-30'],
    [['add', '2207-01-01', '--interest', '12'], '2207-01-01 is more than a year ahead'],
    [['add', '--interest', '12'], 'From which day?'],
    [['list', 'all', 'of', 'them'], 'Too many words: of them'],
    [['forget'], 'Unknown: forget'],
    [[], 'npm run rates -- list'],
  ])('%j is answered with help', async (args, text) => {
    const before = await findRates(testApp.context.db);
    const answer = await run(...args);
    expect(answer.exit).toBe(2);
    expect(answer.text).toContain(text);
    expect(await findRates(testApp.context.db)).toEqual(before);
  });

  test.each([
    ["'INTEREST', '2026-03-01', 1200"],
    ["'COMPENSATION', '2026-07-02', 43000"],
    ["'INTEREST', '2026-07-01', -1"],
    ["'FEE', '2026-07-01', 3750"],
  ])('the database refuses %s', async (values) => {
    await expect(
      sql`INSERT INTO late_payment_rate (kind, valid_from, value) VALUES (${sql.raw(values)})`.execute(
        testApp.context.db,
      ),
    ).rejects.toThrow(/constraint/);
  });
});
