import { expect, test } from 'vitest';

import { mod10 } from './check-digit.ts';
import { makeKid } from './kid.ts';

test('customer and invoice number, padded, with a MOD10 check digit', () => {
  expect(makeKid(1, 1001)).toBe('000000100000010015');
  expect(makeKid(9_999_999, 9_999_999_999)).toBe(`99999999999999999${mod10('9'.repeat(17))}`);
});

test('every KID has one length, so that a bank agreement can rely on it', () => {
  const lengths = [makeKid(1, 1), makeKid(50, 1003), makeKid(9_999_999, 1)].map(
    (kid) => kid.length,
  );
  expect(new Set(lengths)).toEqual(new Set([18]));
});

test('a number that has no room is refused rather than cut', () => {
  expect(() => makeKid(10_000_000, 1)).toThrow(RangeError);
  expect(() => makeKid(1, 10_000_000_000)).toThrow(RangeError);
});
