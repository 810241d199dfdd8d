import { describe, expect, test } from 'vitest';

import { addDays, daysBetween } from '../date.ts';
import { firstDateOf, nextPeriod, nextPeriods, type Series } from './recurring-dates.ts';
import { INTERVAL_COUNTS } from './series.schema.ts';

const YEARS = 50;
const SERIES: Series = {
  interval: { unit: 'MONTH', count: 1 },
  day: 1,
  firstDate: '2026-01-01',
  lastDate: null,
  occurrences: null,
};

function datesOf(changes: Partial<Series>, most = 5): string[] {
  return nextPeriods({ ...SERIES, ...changes }, most).map(({ from }) => from);
}

/** Every date of four years, so that series start on each day of a leap year and of other years. */
const STARTS = Array.from({ length: 4 * 365 + 1 }, (_, index) => addDays('2024-01-01', index));

/** Year, month (from 1) and day, as the calendar has them. */
function partsOf(date: string): [number, number, number] {
  return date.split('-').map(Number) as [number, number, number];
}

/** How many days a month has, by the rule of the Gregorian calendar. */
function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

const DAYS = [...Array.from({ length: 31 }, (_, index) => index + 1), 'LAST'] as const;

/** The day of the month, cut to the last day of a shorter month. */
function cut(day: (typeof DAYS)[number], last: number): number {
  return day === 'LAST' ? last : Math.min(day, last);
}

describe('over fifty years', () => {
  // REC-4
  test.each(INTERVAL_COUNTS.MONTH)(
    'every %i months: each date is the day agreed on, or the last of its month',
    (count) => {
      // Starts in a leap year and in another, before, on and after the day.
      const starts = ['2024-02-29', '2026-01-31', '2026-02-14', '2027-12-30'];
      const wrong = DAYS.flatMap((day) =>
        starts.flatMap((firstDate) => {
          const interval = { unit: 'MONTH', count } as const;
          const dates = datesOf({ interval, day, firstDate }, (YEARS * 12) / count);
          const [startYear, startMonth] = partsOf(dates[0] ?? '');
          return dates.filter((date, index) => {
            const [year, month, dayOfMonth] = partsOf(date);
            const months = (year - startYear) * 12 + month - startMonth;
            return months !== index * count || dayOfMonth !== cut(day, daysIn(year, month));
          });
        }),
      );
      expect(wrong).toEqual([]);
    },
  );

  test.each(INTERVAL_COUNTS.WEEK)('every %i weeks: so many days apart, always', (count) => {
    // Starts in a week with a leap day, and in a week 53.
    const wrong = [...STARTS.slice(53, 60), '2026-12-31', '2027-01-03'].flatMap((firstDate) => {
      const interval = { unit: 'WEEK', count } as const;
      const dates = datesOf({ interval, day: null, firstDate }, Math.floor((YEARS * 52) / count));
      return dates.filter((date, index) => daysBetween(firstDate, date) !== index * 7 * count);
    });
    expect(wrong).toEqual([]);
  });

  // REC-5
  test.each(DAYS)('day %s: periods follow each other without a gap or an overlap', (day) => {
    const series = { ...SERIES, day, firstDate: '2024-01-31' };
    const periods = nextPeriods(series, YEARS * 12);
    expect(periods).toHaveLength(YEARS * 12);
    expect(
      periods.filter(({ from, to }, index) => {
        const next = periods[index + 1];
        return to < from || (next && addDays(to, 1) !== next.from);
      }),
    ).toEqual([]);
    // One period at a time gives the same as all at once.
    let madeThrough: string | null = null;
    for (const [timesMade, period] of periods.slice(0, 50).entries()) {
      expect(nextPeriod(series, { madeThrough, owedFrom: null, timesMade })).toEqual(period);
      madeThrough = period.to;
    }
  });
});

// REC-3
test('the first date is the first fitting day on or after its anchor, for every start', () => {
  const wrong = STARTS.flatMap((firstDate) =>
    ([1, 15, 29, 30, 31, 'LAST'] as const).flatMap((day) => {
      const [year, month, dayOfMonth] = partsOf(firstDate);
      const first = firstDateOf({ ...SERIES, day, firstDate });
      const fits = dayOfMonth === cut(day, daysIn(year, month));
      const isLate = first < firstDate || daysBetween(firstDate, first) > 31;
      return isLate || fits !== (first === firstDate) ? [{ firstDate, day, first }] : [];
    }),
  );
  expect(wrong).toEqual([]);
});

// REC-4
describe('days that some months do not have', () => {
  test('the 31st is the last day of shorter months, and the 31st again after them', () => {
    expect(datesOf({ day: 31, firstDate: '2027-12-31' })).toEqual([
      '2027-12-31',
      '2028-01-31',
      '2028-02-29',
      '2028-03-31',
      '2028-04-30',
    ]);
  });

  test('29 February becomes the 28th in three years of four', () => {
    const interval = { unit: 'MONTH', count: 12 } as const;
    expect(datesOf({ interval, day: 29, firstDate: '2028-02-29' })).toEqual([
      '2028-02-29',
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ]);
    // 2100 is not a leap year.
    expect(datesOf({ interval, day: 29, firstDate: '2096-02-29' }, 2).at(-1)).toBe('2097-02-28');
    const centuries = datesOf({ interval, day: 'LAST', firstDate: '2100-02-01' }, 1);
    expect(centuries).toEqual(['2100-02-28']);
  });

  test('the last day stays the last day, even if the first one was a 28th', () => {
    expect(datesOf({ day: 'LAST', firstDate: '2026-02-10' }, 3)).toEqual([
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
    ]);
    expect(datesOf({ day: 28, firstDate: '2026-02-28' }, 2)).toEqual(['2026-02-28', '2026-03-28']);
  });
});

// REC-2
test('weeks keep their weekday over week 53 and the change of clocks', () => {
  const interval = { unit: 'WEEK', count: 1 } as const;
  // 2026 has a week 53; the clocks change on 28 March and 31 October 2027.
  expect(datesOf({ interval, day: null, firstDate: '2026-12-24' }, 3)).toEqual([
    '2026-12-24',
    '2026-12-31',
    '2027-01-07',
  ]);
  expect(datesOf({ interval, day: null, firstDate: '2027-03-21' }, 3)).toEqual([
    '2027-03-21',
    '2027-03-28',
    '2027-04-04',
  ]);
  expect(nextPeriods({ ...SERIES, interval, day: null, firstDate: '2027-10-25' }, 1)).toEqual([
    { from: '2027-10-25', to: '2027-10-31' },
  ]);
});

// REC-3, REC-17
describe('an end', () => {
  test('by date is inclusive, and the last period has its full length', () => {
    expect(nextPeriods({ ...SERIES, lastDate: '2026-02-01' }, 5)).toEqual([
      { from: '2026-01-01', to: '2026-01-31' },
      { from: '2026-02-01', to: '2026-02-28' },
    ]);
    expect(datesOf({ lastDate: '2026-01-31' })).toEqual(['2026-01-01']);
  });

  test('by number counts the periods made', () => {
    expect(datesOf({ occurrences: 2 })).toEqual(['2026-01-01', '2026-02-01']);
    const series = { ...SERIES, occurrences: 2 };
    const made = { madeThrough: '2026-01-31', owedFrom: '2026-06-15', timesMade: 1 };
    expect(nextPeriods(series, 5, made)).toEqual([{ from: '2026-07-01', to: '2026-07-31' }]);
    expect(nextPeriod(series, { ...made, timesMade: 2 })).toBeNull();
  });
});

describe('the next period', () => {
  test('begins on the day of resuming or later', () => {
    const made = { madeThrough: '2026-01-31', timesMade: 1 };
    expect(nextPeriod(SERIES, { ...made, owedFrom: '2026-05-01' })?.from).toBe('2026-05-01');
    expect(nextPeriod(SERIES, { ...made, owedFrom: '2026-05-02' })?.from).toBe('2026-06-01');
  });

  test('begins after the last day invoiced, even if the interval has changed', () => {
    const made = { madeThrough: '2026-03-31', owedFrom: null, timesMade: 3 };
    const quarterly = { ...SERIES, interval: { unit: 'MONTH', count: 3 } } as const;
    expect(nextPeriod(quarterly, made)).toEqual({ from: '2026-04-01', to: '2026-06-30' });
    expect(nextPeriod({ ...SERIES, day: 15 }, made)?.from).toBe('2026-04-15');
    const weekly = { ...SERIES, interval: { unit: 'WEEK', count: 2 }, day: null } as const;
    expect(nextPeriod(weekly, made)?.from).toBe('2026-04-09');
  });
});
