import { describe, expect, test } from 'vitest';

import { endsWithMod11, mod10, mod11 } from './check-digit.ts';

describe('check digits', () => {
  // From Nets, OCR giro system specification § 5, and computed by hand.
  test.each([
    ['12345678', 2, 5],
    ['1234', 4, 3],
    ['60224', 3, 8],
    ['000100000123', 8, 2],
    ['00100010001001', 5, 5],
  ])('%s has MOD10 %i and MOD11 %i', (digits, luhn, eleven) => {
    expect(mod10(digits)).toBe(luhn);
    expect(mod11(digits)).toBe(eleven);
  });

  test('a MOD11 check of 10 has no digit', () => {
    expect(mod11('1236')).toBeNull();
    expect(endsWithMod11('12360')).toBe(false);
  });

  test('one wrong digit, or two that changed places, fail both checks', () => {
    expect(mod10('1000000')).not.toBe(mod10('0100000'));
    expect(mod11('123456')).not.toBe(mod11('123465'));
  });
});
