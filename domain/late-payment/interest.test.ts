import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { addDays } from '../date.ts';
import { divideRounded, ore } from '../money.ts';
import { interestBetween, interestOn } from './interest.ts';
import { BUILT_IN_RATES, halfYearOf, interestRateOn, MissingRateError } from './rates.ts';
import { workingDayFrom } from './working-days.ts';

function kroner(amount: number) {
  return ore(amount * 100);
}

function interest(principal: number, dueDate: string, through: string) {
  return interestOn(BUILT_IN_RATES, {
    principal: kroner(principal),
    settlements: [],
    dueDate,
    through,
  });
}

describe('late interest', () => {
  // REM-15
  test.each([
    [10_000, '2026-06-15', '2026-07-31', 153_36],
    [10_000, '2023-12-15', '2024-01-15', 102_74],
  ])('%i kr due %s and paid %s bear %i øre', (principal, dueDate, through, amount) => {
    expect(interest(principal, dueDate, through).amount).toBe(amount);
  });

  // REM-15
  test('30 days of 1 250 kr give 12.59, and 29 days when the due date is a Sunday', () => {
    const days = { from: '2026-11-16', through: '2026-12-15' };
    const claim = { principal: kroner(1250), settlements: [], ...days };
    expect(interestBetween(BUILT_IN_RATES, claim).amount).toBe(12_59);
    expect(interest(1250, '2026-11-15', '2026-12-15').amount).toBe(12_17);
  });

  // REM-2
  test('a payment on the due date, or on the working day that replaces it, bears no interest', () => {
    expect(interest(10_000, '2026-06-15', '2026-06-15')).toEqual({ amount: 0, periods: [] });
    expect(interest(10_000, '2026-05-23', '2026-05-26')).toEqual({ amount: 0, periods: [] });
    expect(interest(10_000, '2026-05-23', '2026-05-27').amount).toBe(3_29);
  });

  test('lists the days of each rate, and joins half-years with the same rate', () => {
    expect(interest(10_000, '2024-12-10', '2025-07-15').periods).toEqual([
      { from: '2024-12-11', through: '2025-06-30', rate: 1250 },
      { from: '2025-07-01', through: '2025-07-15', rate: 1225 },
    ]);
  });

  test('a partial payment lowers the claim from the next day', () => {
    const settlements = [{ date: '2026-08-10', amount: kroner(6000) }];
    const claim = { dueDate: '2026-07-31', through: '2026-08-20' };
    const { amount } = interestOn(BUILT_IN_RATES, {
      principal: kroner(10_000),
      settlements,
      ...claim,
    });
    // 10 days of 10 000 and 10 of 4 000 kr at 12.25 per cent.
    expect(amount).toBe(46_99);
  });

  test('an unknown rate throws an error that names the half-year', () => {
    expect(() => interest(10_000, '2026-12-15', '2027-01-01')).toThrow(
      'satsen for 1. halvår 2027 mangler',
    );
    expect(() => interest(10_000, '2019-11-15', '2020-01-15')).toThrow(MissingRateError);
    const known = [
      ...BUILT_IN_RATES,
      { kind: 'INTEREST', from: '2027-01-01', value: 1200 } as const,
    ];
    const claim = { principal: kroner(10_000), settlements: [] };
    const days = { dueDate: '2026-12-15', through: '2027-01-01' };
    // 16 days at 12.25 per cent, and one at 12.
    expect(interestOn(known, { ...claim, ...days }).amount).toBe(56_99);
  });

  const day = fc.integer({ min: 0, max: 2500 }).map((days) => addDays('2020-01-02', days));
  const settlement = fc.record({
    date: day,
    amount: fc.integer({ min: -500_000_00, max: 900_000_00 }).map(ore),
  });

  test('equals the sum of each day by itself', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000_00 }).map(ore),
        fc.array(settlement, { maxLength: 5 }),
        day,
        fc.integer({ min: 0, max: 700 }),
        (principal, settlements, from, length) => {
          const through = [addDays(from, length), '2026-12-31'].toSorted()[0] ?? from;
          const claim = { principal, settlements, from, through };
          expect(interestBetween(BUILT_IN_RATES, claim).amount).toBe(dayByDay(claim));
        },
      ),
    );
  });

  test('counts each day after the due date once', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 700 }), (dueDate, length) => {
        const through = [addDays(dueDate, length), '2026-12-31'].toSorted()[0] ?? dueDate;
        const { periods } = interest(1000, dueDate, through);
        const days = periods.flatMap(({ from, through: last, rate }) =>
          daysThrough(from, last).map((date) => ({ date, rate })),
        );
        const expected = daysThrough(addDays(workingDayFrom(dueDate), 1), through);
        expect(days).toEqual(
          expected.map((date) => ({ date, rate: interestRateOn(BUILT_IN_RATES, date) })),
        );
      }),
    );
  });
});

function daysThrough(from: string, through: string): string[] {
  const days = [];
  for (let date = from; date <= through; date = addDays(date, 1)) days.push(date);
  return days;
}

interface Days {
  readonly principal: number;
  readonly settlements: readonly { readonly date: string; readonly amount: number }[];
  readonly from: string;
  readonly through: string;
}

/** Reference sum: day by day over one common divisor, rounded once at the end. */
function dayByDay({ principal, settlements, from, through }: Days): number {
  let sum = 0n;
  for (let date = from; date <= through; date = addDays(date, 1)) {
    const paid = settlements.filter((one) => one.date < date);
    const open = Math.max(
      0,
      paid.reduce((left, { amount }) => left - amount, principal),
    );
    const { value } = BUILT_IN_RATES.find(
      ({ kind, from: since }) => kind === 'INTEREST' && since === halfYearOf(date).from,
    ) ?? { value: Number.NaN };
    const year = Number(date.slice(0, 4));
    const days = (Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / 86_400_000;
    sum += (BigInt(open) * BigInt(value) * 365n * 366n) / BigInt(days);
  }
  return Number(divideRounded(sum, 10_000n * 365n * 366n));
}
