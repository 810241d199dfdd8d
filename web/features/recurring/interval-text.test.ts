import { expect, test } from 'vitest';

import { intervalText } from './interval-text.ts';

const WEEKS = [
  [1, '2026-11-23', 'Hver mandag'],
  [2, '2026-11-23', 'Hver 2. uke på mandager'],
  [4, '2026-11-29', 'Hver 4. uke på søndager'],
] as const;

test.each(WEEKS)('every %i weeks from %s is «%s»', (count, firstDate, text) => {
  const rhythm = { interval: { unit: 'WEEK', count }, day: null } as const;
  expect(intervalText({ ...rhythm, firstDate })).toBe(text);
});

const MONTHS = [
  [1, 1, 'Hver måned den 1.'],
  [1, 31, 'Hver måned den 31.'],
  [2, 15, 'Hver 2. måned den 15.'],
  [6, 'LAST', 'Siste dag i hver 6. måned'],
  [1, 'LAST', 'Siste dag i hver måned'],
  [3, 'LAST', 'Siste dag i hver 3. måned'],
] as const;

test.each(MONTHS)('every %i months on day %s is «%s»', (count, day, text) => {
  const rhythm = { interval: { unit: 'MONTH', count }, day } as const;
  expect(intervalText({ ...rhythm, firstDate: '2026-11-23' })).toBe(text);
});

const YEARS = [
  ['2026-11-01', 15, 'Hvert år den 15. november'],
  ['2026-11-23', 15, 'Hvert år den 15. desember'],
  ['2026-12-31', 15, 'Hvert år den 15. januar'],
  ['2027-02-10', 30, 'Hvert år siste dag i februar'],
  ['2028-02-10', 29, 'Hvert år siste dag i februar'],
  ['2027-04-01', 31, 'Hvert år siste dag i april'],
  ['2027-02-10', 'LAST', 'Hvert år siste dag i februar'],
] as const;

test.each(YEARS)('once a year from %s on day %s is «%s»', (firstDate, day, text) => {
  const rhythm = { interval: { unit: 'MONTH', count: 12 }, day } as const;
  expect(intervalText({ ...rhythm, firstDate })).toBe(text);
});

test('while the first date is being typed, its words are left out', () => {
  const weeks = { interval: { unit: 'WEEK', count: 2 }, day: null } as const;
  expect(intervalText({ ...weeks, firstDate: '23.1' })).toBe('Hver 2. uke');
  const years = { interval: { unit: 'MONTH', count: 12 }, day: 1 } as const;
  expect(intervalText({ ...years, firstDate: '' })).toBe('Hvert år');
});
