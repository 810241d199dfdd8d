import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { validate } from '../api/validation.ts';
import { ore } from '../money.ts';
import {
  decimalQuantity,
  exactNet,
  formatQuantity,
  isQuantity,
  quantityParts,
  thousandthsOf,
} from './invoice-line.schema.ts';

const THOUSANDTHS_MAX = 1e15 - 1;
const thousandths = fc.oneof(
  fc.integer({ min: 1, max: 10_000 }),
  fc.integer({ min: 1, max: THOUSANDTHS_MAX }),
);

test('a quantity with at most three decimals is exact', () => {
  fc.assert(
    fc.property(thousandths, (count) => {
      const quantity = Number(
        `${Math.floor(count / 1000)}.${String(count % 1000).padStart(3, '0')}`,
      );
      expect(thousandthsOf(quantity)).toBe(BigInt(count));
      const parts = quantityParts(quantity);
      expect(parts.whole * 1000 + parts.thousandths).toBe(count);
      expect(Number(`${parts.whole}.${String(parts.thousandths).padStart(3, '0')}`)).toBe(quantity);
      expect(formatQuantity(quantity).replaceAll('\u00A0', '').replace(',', '.')).toBe(
        String(quantity),
      );
    }),
  );
});

test('a whole quantity may be as large as it may be without units', () => {
  expect(thousandthsOf(Number.MAX_SAFE_INTEGER)).toBe(BigInt(Number.MAX_SAFE_INTEGER) * 1000n);
  expect(quantityParts(Number.MAX_SAFE_INTEGER)).toEqual({
    whole: Number.MAX_SAFE_INTEGER,
    thousandths: 0,
  });
});

test.each([1.0005, 0.1 + 0.2, 2 ** 53, 1e12 + 0.5, 1e300, NaN, Infinity])(
  '%s is none',
  (number) => {
    expect(isQuantity(number)).toBe(false);
    expect(() => thousandthsOf(number)).toThrow(RangeError);
  },
);

// INV-9
describe('a line’s net is rounded once, half away from zero', () => {
  test.each([
    [0.5, 1, 1],
    [0.5, -1, -1],
    [0.499, 1, 0],
    [0.333, 100_000, 33_300],
    [7.5, 95_033, 712_748],
    [1.005, 100, 101],
    [2.675, 100, 268],
    [0.001, 499, 0],
    [0.001, 500, 1],
    [0.001, -500, -1],
  ])('%s × %s øre is %s', (quantity, price, net) => {
    expect(exactNet(quantity, ore(price))).toBe(BigInt(net));
  });
});

test.each([
  [1, '1'],
  [0.5, '0,5'],
  [1234, '1\u00A0234'],
  [1_234_567.125, '1\u00A0234\u00A0567,125'],
])('%s is written %s', (quantity, text) => {
  expect(formatQuantity(quantity)).toBe(text);
});

describe('on the wire', () => {
  const faultsOf = (quantity: unknown) => {
    const result = validate(decimalQuantity(), quantity);
    return result.ok ? [] : result.faults.map(({ message }) => message);
  };

  test.each([0.001, 0.5, 1, 12.345, 999_999_999_999.999, Number.MAX_SAFE_INTEGER])(
    '%s is taken',
    (quantity) => {
      expect(faultsOf(quantity)).toEqual([]);
    },
  );

  test.each([
    [0, 'must be greater than or equal to 0.001'],
    [0.0005, 'must be greater than or equal to 0.001'],
    [-1, 'must be greater than or equal to 0.001'],
    [1.0001, 'must have at most three decimals'],
    [2 ** 53, 'must be less than or equal to 9007199254740991'],
    [1e300, 'must be less than or equal to 9007199254740991'],
    ['1', 'must be a number'],
    [null, 'is a required field'],
  ])('%s is refused', (quantity, message) => {
    expect(faultsOf(quantity)).toEqual([`body ${message}`]);
  });
});
