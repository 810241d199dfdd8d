import { describe, expect, test } from 'vitest';

import { monthsOf, sameDayOfYear, termsOf, twelveMonthsTo } from './periods.ts';

// OVER-3
describe('terms', () => {
  test('of a year are due on their days, or the next working day', () => {
    const terms = termsOf({ from: '2026-01-01', to: '2026-12-31' });
    expect(terms.map(({ term, dueDate }) => [term, dueDate])).toEqual([
      ['2026-1', '2026-04-10'],
      ['2026-2', '2026-06-10'],
      ['2026-3', '2026-08-31'],
      ['2026-4', '2026-10-12'],
      ['2026-5', '2026-12-10'],
      ['2026-6', '2027-02-10'],
    ]);
    // Good Friday.
    expect(termsOf({ from: '2020-01-01', to: '2020-02-29' })[0]?.dueDate).toBe('2020-04-14');
  });

  test('are cut where the period begins and ends', () => {
    expect(termsOf({ from: '2026-02-10', to: '2026-05-03' })).toEqual([
      { term: '2026-1', from: '2026-02-10', to: '2026-02-28', dueDate: '2026-04-10' },
      { term: '2026-2', from: '2026-03-01', to: '2026-04-30', dueDate: '2026-06-10' },
      { term: '2026-3', from: '2026-05-01', to: '2026-05-03', dueDate: '2026-08-31' },
    ]);
  });
});

describe('months', () => {
  test('stand beside the same days of the year before', () => {
    expect(monthsOf({ from: '2025-01-15', to: '2025-02-28' })).toEqual([
      {
        month: '2025-01',
        from: '2025-01-15',
        to: '2025-01-31',
        lastYear: { from: '2024-01-15', to: '2024-01-31' },
      },
      {
        month: '2025-02',
        from: '2025-02-01',
        to: '2025-02-28',
        lastYear: { from: '2024-02-01', to: '2024-02-29' },
      },
    ]);
    const [leap] = monthsOf({ from: '2024-02-29', to: '2024-02-29' });
    expect(leap?.lastYear).toEqual({ from: '2023-02-28', to: '2023-02-28' });
  });

  test('of one day are one', () => {
    expect(monthsOf({ from: '2026-12-31', to: '2026-12-31' })).toHaveLength(1);
  });
});

// OVER-6
test('twelve months begin the day after the day a year before', () => {
  expect(twelveMonthsTo('2026-11-26')).toEqual({ from: '2025-11-27', to: '2026-11-26' });
  expect(twelveMonthsTo('2024-02-29')).toEqual({ from: '2023-03-01', to: '2024-02-29' });
  expect(sameDayOfYear('2024-02-29', 4)).toBe('2028-02-29');
});
