import { expect, test } from 'vitest';

import { countOf, showCount } from './count.ts';

test.each([0, 7, 999, 1000, 12_345, 1_234_567, -5000, Number.MAX_SAFE_INTEGER])(
  '%d is written as Norwegian is',
  (count) => {
    expect(showCount(count)).toBe(count.toLocaleString('nb-NO'));
  },
);

test('one thing has the singular', () => {
  expect([1, 2, 1000].map((count) => countOf(count, 'kunde', 'kunder'))).toEqual([
    '1 kunde',
    '2 kunder',
    '1\u00A0000 kunder',
  ]);
});
