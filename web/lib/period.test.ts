import { expect, test } from 'vitest';

import { datesOf, periodOf, type PeriodName } from './period.ts';

// EXP-82
test.each([
  ['THIS_MONTH', '2026-11-26', '2026-11-01', '2026-11-30'],
  ['LAST_MONTH', '2026-11-01', '2026-10-01', '2026-10-31'],
  ['LAST_MONTH', '2026-01-31', '2025-12-01', '2025-12-31'],
  ['LAST_MONTH', '2028-03-31', '2028-02-01', '2028-02-29'],
  ['THIS_TERM', '2026-11-26', '2026-11-01', '2026-12-31'],
  ['THIS_TERM', '2026-12-31', '2026-11-01', '2026-12-31'],
  ['THIS_TERM', '2027-02-28', '2027-01-01', '2027-02-28'],
  ['LAST_TERM', '2026-12-01', '2026-09-01', '2026-10-31'],
  ['LAST_TERM', '2027-01-01', '2026-11-01', '2026-12-31'],
  ['LAST_TERM', '2028-04-30', '2028-01-01', '2028-02-29'],
  ['THIS_YEAR', '2026-11-26', '2026-01-01', '2026-12-31'],
  ['LAST_YEAR', '2026-11-26', '2025-01-01', '2025-12-31'],
] satisfies [PeriodName, string, string, string][])(
  '%s on %s is %s to %s',
  (name, on, from, to) => {
    expect(datesOf(name, on)).toEqual({ from, to });
  },
);

test('dates are known again as the first period that has them', () => {
  expect(periodOf({ from: '2026-11-01', to: '2026-11-30' }, '2026-11-26')).toBe('THIS_MONTH');
  expect(periodOf({ from: '2026-11-01', to: '2026-11-29' }, '2026-11-26')).toBeUndefined();
  expect(periodOf({}, '2026-11-26')).toBeUndefined();
});

test('what goes by number, and what is typed, have no dates of their own', () => {
  expect(datesOf('SINCE_LAST', '2026-11-26')).toBeUndefined();
  expect(datesOf('DATES', '2026-11-26')).toBeUndefined();
});
