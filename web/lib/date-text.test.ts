import { expect, test } from 'vitest';

import { parseDate, showDate } from './date-text.ts';

test.each([
  ['21.11.2026', '2026-11-21'],
  ['1.2.26', '2026-02-01'],
  ['01/02/2026', '2026-02-01'],
  ['21112026', '2026-11-21'],
  ['211126', '2026-11-21'],
  [' 2026-11-21 ', '2026-11-21'],
  ['29.02.2028', '2028-02-29'],
])('%s is a date', (text, date) => {
  expect(parseDate(text)).toBe(date);
});

test.each(['', '29.02.2027', '31.4.2026', '21.13.2026', '21.11', 'i morgen', '2026-02-30'])(
  '%j is none',
  (text) => {
    expect(parseDate(text)).toBeNull();
  },
);

test('dates are shown as Norwegians write them, and everything else as it stands', () => {
  expect(showDate('2026-11-21')).toBe('21.11.2026');
  expect(showDate('i morgen')).toBe('i morgen');
});
