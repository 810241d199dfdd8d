import { describe, expect, test } from 'vitest';

import {
  mod10,
  mod11,
  highestInvoiceNumber,
  KID_LENGTH_MAX,
  KID_LENGTH_MIN,
  KID_MODULI,
  makeAgreedKid,
  makeKid,
  type KidRules,
  endsWithMod11,
} from './kid.ts';

// KID-1, KID-2
test('customer and invoice number, padded, with a MOD10 check digit', () => {
  expect(makeKid(1, 1001)).toBe('000000100000010015');
  expect(makeKid(9_999_999, 9_999_999_999)).toBe(`99999999999999999${mod10('9'.repeat(17))}`);
});

// KID-1
test('every KID has the same length, as a bank agreement requires', () => {
  const lengths = [makeKid(1, 1), makeKid(50, 1003), makeKid(9_999_999, 1)].map(
    (kid) => kid.length,
  );
  expect(new Set(lengths)).toEqual(new Set([18]));
});

test('a number that does not fit is refused, not cut', () => {
  expect(() => makeKid(10_000_000, 1)).toThrow(RangeError);
  expect(() => makeKid(1, 10_000_000_000)).toThrow(RangeError);
});

const MANY = 100_000;
const LENGTHS = Array.from(
  { length: KID_LENGTH_MAX - KID_LENGTH_MIN + 1 },
  (_, index) => KID_LENGTH_MIN + index,
);
const RULES = LENGTHS.flatMap((length) =>
  KID_MODULI.map((modulus): KidRules => ({ length, modulus })),
);

function expectRight(kid: string, { length, modulus }: KidRules): void {
  const base = kid.slice(0, -1);
  const check = modulus === 'MOD10' ? mod10(base) : mod11(base);
  if (kid.length !== length || !/^\d+$/.test(kid) || kid.at(-1) !== String(check)) {
    throw new Error(`${kid} is no KID of ${length} digits with ${modulus}`);
  }
}

describe.each(
  [7, 8, 12, 18, 19, 20, 25].flatMap((length) =>
    KID_MODULI.map((modulus) => [length, modulus] as const),
  ),
)('of %i digits with %s', (length, modulus) => {
  test('100,000 numbers give as many KIDs of that length, and each checks', () => {
    const rules = { length, modulus };
    const kids = new Set<string>();
    for (let number = 1; number <= MANY; number++) {
      if (number > highestInvoiceNumber(rules)) break;
      // Customer numbers of one to seven digits, in no order.
      const kid = makeAgreedKid(rules, (number * 7919) % 10_000_000, number) ?? '';
      expectRight(kid, rules);
      kids.add(kid);
    }
    expect(kids.size).toBe(Math.min(MANY, highestInvoiceNumber(rules)));
  });
});

test.each(RULES)('$length digits with $modulus: all that has room, and no more', (rules) => {
  const highest = highestInvoiceNumber(rules);
  for (const number of [1, 10, highest - 1, highest]) {
    expectRight(makeAgreedKid(rules, 9_999_999, number) ?? '', rules);
  }
  expect(makeAgreedKid(rules, 1, highest + 1)).toBeNull();
});

test('a KID without a filler has room for one digit more', () => {
  expect(highestInvoiceNumber({ length: 4, modulus: 'MOD10' })).toBe(999);
  expect(highestInvoiceNumber({ length: 4, modulus: 'MOD11' })).toBe(99);
  expect(highestInvoiceNumber({ length: 25, modulus: 'MOD11' })).toBe(9_999_999_999);
});

test('the customer number is included when all its digits fit', () => {
  expect(makeAgreedKid({ length: 18, modulus: 'MOD10' }, 42, 1001)).toBe(makeKid(42, 1001));
  expect(makeAgreedKid({ length: 17, modulus: 'MOD10' }, 42, 1001)).toMatch(/^0{12}1001\d$/);
  expect(makeAgreedKid({ length: 19, modulus: 'MOD11' }, 42, 1001)).toMatch(
    /^[01]00000420000001001\d$/,
  );
  expect(makeAgreedKid({ length: 18, modulus: 'MOD11' }, 42, 1001)).toMatch(/^[01]0{12}1001\d$/);
});

// KID-5
test('the next filler is used when MOD11 has no digit', () => {
  // 001236 would end in '-'.
  expect(mod11('001236')).toBeNull();
  const kid = makeAgreedKid({ length: 7, modulus: 'MOD11' }, 1, 1236);
  expect(kid).toBe(`101236${mod11('101236')}`);
});

test('two invoice numbers never share a KID when ten digits fit, under any rules', () => {
  const numbers = [1, 2, 1001, 1236, 10_001, 1_001_001, 9_999_999_999];
  for (const length of LENGTHS.filter((digits) => digits >= 12)) {
    const kids = KID_MODULI.flatMap((modulus) =>
      numbers.map((number) => makeAgreedKid({ length, modulus }, number % 9_999_999, number)),
    );
    const byKid = Map.groupBy(
      kids.map((kid, index) => ({ kid, number: numbers[index % numbers.length] })),
      ({ kid }) => kid,
    );
    for (const same of byKid.values()) expect(new Set(same.map((one) => one.number)).size).toBe(1);
  }
});

// KID-3
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
