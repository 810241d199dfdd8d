import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { validate } from './api/validation.ts';
import {
  differenceKroner,
  divideRounded,
  formatOre,
  isKroner,
  kronerAmount,
  kronerToOre,
  ore,
  oreToDecimal,
  oreToKroner,
  sumKroner,
} from './money.ts';

const amounts = fc.maxSafeInteger().map(ore);

// WIRE-4
describe('øre', () => {
  test('converts to kroner and back unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e13, max: 1e13 }).map(ore), (amount) => {
        expect(kronerToOre(oreToKroner(amount))).toBe(amount);
      }),
    );
  });

  test('are whole and safe, or refused', () => {
    expect(() => ore(0.5)).toThrow(RangeError);
    expect(() => ore(2 ** 53)).toThrow(RangeError);
    expect(Object.is(ore(-0), 0)).toBe(true);
  });

  test('is written as a decimal with two digits after the point, without thousands separators', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const text = oreToDecimal(amount);
        expect(text).toMatch(/^-?\d+\.\d{2}$/);
        expect(BigInt(text.replace('.', ''))).toBe(BigInt(amount));
      }),
    );
  });

  test.each([
    [123450, '1\u00A0234,50'],
    [-5, '\u22120,05'],
    [0, '0,00'],
    [99_999_999_900, '999\u00A0999\u00A0999,00'],
  ])('%i is written %s', (amount, text) => {
    expect(formatOre(ore(amount))).toBe(text);
  });
});

test('kroner are added and subtracted as exactly as øre', () => {
  const kroner = fc.integer({ min: -1e13, max: 1e13 }).map((amount) => oreToKroner(ore(amount)));
  fc.assert(
    fc.property(fc.array(kroner, { maxLength: 20 }), kroner, (amounts, other) => {
      const sum = ore(amounts.reduce((total, amount) => total + kronerToOre(amount), 0));
      expect(sumKroner(amounts)).toBe(oreToKroner(sum));
      const difference = ore(sum - kronerToOre(other));
      expect(differenceKroner(sumKroner(amounts), other)).toBe(oreToKroner(difference));
    }),
  );
  expect(sumKroner([0.1, 0.2])).toBe(0.3);
  expect(sumKroner([])).toBe(0);
});

test('halves are rounded away from zero', () => {
  expect([5n, -5n, 4n, -4n, 15n].map((tenths) => divideRounded(tenths, 10n))).toEqual([
    1n,
    -1n,
    0n,
    0n,
    2n,
  ]);
});

test.each([0.1, 0.29, 19.99, 1e13, 90_071_992_547_409.91, -33.33])('%d is an amount', (kroner) => {
  expect(isKroner(kroner)).toBe(true);
});

test.each([
  [1.234, 'amount must have at most two decimals'],
  [1e14, 'amount is too large'],
  ['1', 'amount must be a number'],
  [null, 'amount is a required field'],
])('%j is none: %s', (input, message) => {
  const result = validate(kronerAmount(), input);
  const said = result.ok ? [] : result.faults.map((fault) => fault.message);
  expect(said.map((text) => text.replace(/^body/, 'amount'))).toEqual([message]);
});
