import { expect, test } from 'vitest';

import { fillIn } from './placeholders.ts';

const JANUARY = { from: '2026-01-01', to: '2026-01-31' };

test('fills in what it knows, and leaves the rest alone', () => {
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
