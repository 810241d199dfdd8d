import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { lineNet, type TreatedLine } from '../invoice/invoice.totals.ts';
import { ore } from '../money.ts';
import { lineOfPart, netLeft, partOf, wholeOf, type PartWish, type Taken } from './quote-parts.ts';

const NOTHING: Taken = { share: 0n, net: ore(0) };

function lineOf(quantity: number, netUnitAmount: number, unit: string | null = 'HUR'): TreatedLine {
  return {
    quantity,
    unit,
    description: 'Snekkerarbeid',
    netUnitAmount: ore(netUnitAmount),
    vatRate: 25,
    vatTreatment: 'STANDARD',
    productNumber: 'S-1',
  };
}

function sumOf(parts: readonly Taken[]): Taken {
  return {
    share: parts.reduce((sum, { share }) => sum + share, 0n),
    net: ore(parts.reduce((sum, { net }) => sum + net, 0)),
  };
}

/** The part of a wish; the test fails when nothing is left for it. */
function taking(line: TreatedLine, before: readonly Taken[], wish: PartWish): Taken {
  const part = partOf(line, sumOf(before), wish);
  if (!part) throw new Error('More than is left');
  return part;
}

describe('a part of a line', () => {
  test('is its share of the net, rounded, and the last one takes the øre that are left (QUO-52)', () => {
    const line = lineOf(1, 10_000_01);
    const third = taking(line, [], { percent: 33.33 });
    const other = taking(line, [third], { percent: 33.33 });
    const rest = taking(line, [third, other], {});
    expect([third.net, other.net, rest.net]).toEqual([333_300, 333_300, 333_401]);
    expect(partOf(line, sumOf([third, other, rest]), {})).toBeNull();
  });

  test('counts percents and quantities together, exactly', () => {
    const line = lineOf(3, 33_33);
    const one = taking(line, [], { quantity: 1 });
    const percents = taking(line, [one], { percent: 66.66 });
    const before = sumOf([one, percents]);
    expect(netLeft(line, before)).toBe(lineNet(line) - 3333 - 6665);
    expect(partOf(line, before, { percent: 0.01 })).toBeNull();
    expect(taking(line, [one, percents], {}).net).toBe(1);
  });

  test('never takes more øre than are left', () => {
    const line = lineOf(1, 2);
    const parts: Taken[] = [];
    for (const percent of [25, 25, 25, 25]) parts.push(taking(line, parts, { percent }));
    expect(parts.map(({ net }) => net)).toEqual([1, 1, 0, 0]);
  });

  // QUO-50
  test('of more than is left is none', () => {
    const line = lineOf(10, 100_00);
    const half = taking(line, [], { percent: 50 });
    expect(partOf(line, half, { percent: 50.01 })).toBeNull();
    expect(partOf(line, half, { quantity: 5.001 })).toBeNull();
    expect(partOf(line, NOTHING, { quantity: 10.001 })).toBeNull();
    expect(partOf(line, half, { quantity: 5 })).toEqual(half);
  });

  const wish: fc.Arbitrary<PartWish> = fc.oneof(
    fc.integer({ min: 1, max: 10_000 }).map((hundredths) => ({ percent: hundredths / 100 })),
    fc.integer({ min: 1, max: 20_000 }).map((thousandths) => ({ quantity: thousandths / 1000 })),
    fc.constant({}),
  );
  const steps = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: wish.map((wanted) => ({ wanted })) },
      fc.nat(20).map((given) => ({ given })),
    ),
    { maxLength: 40 },
  );
  const line = fc
    .record({
      thousandths: fc.integer({ min: 1, max: 20_000 }),
      price: fc.oneof(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -1e9, max: 1e9 })),
    })
    .map(({ thousandths, price }) => lineOf(thousandths / 1000, price));

  test('adds up to the øre with the others, in any order, also when some are given back (QUO-52, QUO-53)', () => {
    fc.assert(
      fc.property(line, steps, (quoted, actions) => {
        const [low, high] = [Math.min(0, lineNet(quoted)), Math.max(0, lineNet(quoted))];
        const kept: Taken[] = [];
        for (const action of actions) {
          if ('given' in action) {
            kept.splice(action.given % Math.max(1, kept.length), 1);
          } else {
            const part = partOf(quoted, sumOf(kept), action.wanted);
            if (part) kept.push(part);
          }
          const taken = sumOf(kept);
          expect(taken.share).toBeLessThanOrEqual(wholeOf(quoted));
          expect(taken.net).toBeGreaterThanOrEqual(low);
          expect(taken.net).toBeLessThanOrEqual(high);
          const isAll = taken.share === wholeOf(quoted);
          expect(isAll ? taken.net : lineNet(quoted)).toBe(lineNet(quoted));
        }
        const rest = partOf(quoted, sumOf(kept), {});
        expect(sumOf(rest ? [...kept, rest] : kept)).toEqual({
          share: wholeOf(quoted),
          net: lineNet(quoted),
        });
      }),
      { numRuns: 500 },
    );
  });
});

describe("a part's line on the invoice (QUO-51)", () => {
  function described(
    line: TreatedLine,
    wish: PartWish,
    { before = [], hasUnits = true }: { before?: Taken[]; hasUnits?: boolean } = {},
  ) {
    return lineOfPart(line, taking(line, before, wish), { quoteNumber: 12, hasUnits, wish });
  }

  test('is one piece at the price of the part, and says what it is of', () => {
    expect(described(lineOf(10, 500_00), { percent: 30 })).toEqual({
      ...lineOf(1, 1500_00, null),
      description: 'Snekkerarbeid (30 % av tilbud 12)',
    });
  });

  test.each<[PartWish, number, string | null, string]>([
    [{ percent: 12.5 }, 10, 'HUR', '12,5 % av tilbud 12'],
    [{ quantity: 3 }, 10, 'HUR', '3 av 10 timer, tilbud 12'],
    [{ quantity: 0.5 }, 1, 'HUR', '0,5 av 1 time, tilbud 12'],
    [{ quantity: 3 }, 10, null, '3 av 10, tilbud 12'],
    [{ quantity: 1200 }, 3400, 'MTK', '1 200 av 3 400 m², tilbud 12'],
  ])('%o of %d %s', (wish, quantity, unit, words) => {
    expect(described(lineOf(quantity, 100_00, unit), wish).description).toBe(
      `Snekkerarbeid (${words})`,
    );
  });

  test('names no unit while units are off', () => {
    const { description } = described(lineOf(10, 100_00), { quantity: 3 }, { hasUnits: false });
    expect(description).toBe('Snekkerarbeid (3 av 10, tilbud 12)');
  });

  test("says 'rest' only where nothing was named", () => {
    const line = lineOf(10, 100_00);
    const before = [taking(line, [], { percent: 30 })];
    expect(described(line, {}, { before }).description).toBe('Snekkerarbeid (rest av tilbud 12)');
    expect(described(line, { percent: 70 }, { before }).description).toBe(
      'Snekkerarbeid (70 % av tilbud 12)',
    );
  });

  test('is the line itself where all of it is taken at once', () => {
    const line = lineOf(10, 100_00);
    for (const wish of [{}, { percent: 100 }, { quantity: 10 }])
      expect(described(line, wish)).toEqual(line);
  });

  test('has room for its words', () => {
    const long = { ...lineOf(1, 100_00), description: `${'a'.repeat(975)}${'😀'.repeat(12)}` };
    const { description } = described(long, { percent: 50 });
    expect(description.length).toBeLessThanOrEqual(1000);
    expect(description.isWellFormed()).toBe(true);
    expect(description).toMatch(/… \(50 % av tilbud 12\)$/);
  });
});
