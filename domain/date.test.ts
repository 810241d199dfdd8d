import { expect, test } from 'vitest';
import { z } from 'zod/mini';

import { validate } from './api/validation.ts';
import {
  addDays,
  dateText,
  dayAndTime,
  daysBetween,
  formatDate,
  formatInstant,
  todayInOslo,
} from './date.ts';

// WIRE-3
test.each([
  ['2026-06-30T21:59:00Z', '2026-06-30'],
  ['2026-06-30T22:00:00Z', '2026-07-01'],
  ['2026-12-31T22:59:00Z', '2026-12-31'],
  ['2026-12-31T23:00:00Z', '2027-01-01'],
])('at %s it is %s in Oslo', (instant, date) => {
  expect(todayInOslo(new Date(instant))).toBe(date);
});

test('days are added across months, leap days and summer time', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2026-12-31', 14)).toBe('2027-01-14');
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
});

// WEB-14
test('dates and times are written as in Norway, with 24 hours', () => {
  expect(formatDate('2026-11-21')).toBe('21.11.2026');
  expect(formatInstant('2026-11-21T13:05:00Z')).toBe('21.11.2026, 14:05');
  expect(dayAndTime('2026-12-04T23:09:00Z')).toBe('5. desember 2026 kl. 00:09');
});

test.each([
  ['', 'is a required field'],
  [null, 'is a required field'],
  ['x', 'must be a valid date in the form YYYY-MM-DD'],
  ['3000-01-01', 'must be between 1900-01-01 and 2999-12-31'],
])('of the date %j one thing is said', (date, message) => {
  const { ok, ...result } = validate(z.object({ date: dateText() }), { date });
  expect([ok, result]).toMatchObject([false, { faults: [{ message: `date ${message}` }] }]);
});

test.each(['2026-02-30', '2026-13-01', '21.11.2026', '2026-1-1', '0001-01-01', '3000-01-01'])(
  '%s is not a date of an invoice',
  (text) => {
    expect(validate(dateText(), text).ok).toBe(false);
  },
);

test('days between are counted across months and summer time', () => {
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
  expect(daysBetween('2026-10-24', '2026-10-26')).toBe(2);
  expect(daysBetween('2026-12-31', '2027-01-01')).toBe(1);
  expect(daysBetween('2026-11-22', '2026-11-22')).toBe(0);
  expect(daysBetween('2026-11-22', '2026-11-21')).toBe(-1);
});
