import { expect, test } from 'vitest';

import { fillIn, longestFilledIn } from './placeholders.ts';
import { nextPeriods } from './recurring-dates.ts';
import { INTERVAL_COUNTS, INTERVAL_UNITS } from './series.schema.ts';

const JANUARY = { from: '2026-01-01', to: '2026-01-31' };

// REC-11
test('fills in the known placeholders and leaves other text alone', () => {
  expect(fillIn('Husleie {måned} {år} ({fra}–{til}), {periode}', JANUARY)).toBe(
    'Husleie januar 2026 (01.01.2026–31.01.2026), januar 2026',
  );
  expect(fillIn('{maaned} {constructor} {} {{år}} {MÅNED}', JANUARY)).toBe(
    '{maaned} {constructor} {} {2026} {MÅNED}',
  );
  expect(fillIn('{måned}'.normalize('NFD'), JANUARY)).toBe('januar');
});

test.each([
  ['2026-02-01', '2026-02-28', 'februar 2026'],
  ['2026-01-01', '2026-03-31', 'januar–mars 2026'],
  ['2026-12-01', '2027-02-28', 'desember 2026 – februar 2027'],
  ['2026-01-15', '2026-02-14', '15.01.2026–14.02.2026'],
  ['2026-02-01', '2026-02-07', '01.02.2026–07.02.2026'],
])('from %s to %s is %j', (from, to, words) => {
  expect(fillIn('{periode}', { from, to })).toBe(words);
});

test('no period makes a text longer than the computed maximum', () => {
  const texts = [
    '{måned}',
    '{år}',
    '{periode}',
    '{fra}',
    '{til}',
    '{maaned}',
    'Leie {periode} {måned}',
  ];
  const periods = INTERVAL_UNITS.flatMap((unit) =>
    INTERVAL_COUNTS[unit].flatMap((count) =>
      ([1, 15, 'LAST'] as const).flatMap((day) =>
        Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-01`)
          .map((firstDate) => ({
            interval: { unit, count },
            day: unit === 'WEEK' ? null : day,
            firstDate,
            lastDate: null,
            occurrences: null,
          }))
          .flatMap((series) => nextPeriods(series, 12)),
      ),
    ),
  );
  for (const text of texts) {
    const longest = Math.max(...periods.map((period) => fillIn(text, period).length));
    expect(longestFilledIn(text)).toBe(longest);
  }
});
