import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ore } from '../money.ts';
import { VAT_RATES } from '../vat-treatment.ts';
import { invoiceTotals, lineGross, lineNet, type TotalsLine } from './invoice.totals.ts';

const lines = fc.array(
  fc.record({
    quantity: fc.oneof(
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 1, max: 10_000_000 }).map((thousandths) => thousandths / 1000),
    ),
    netUnitAmount: fc.integer({ min: -10_000_000, max: 10_000_000 }).map(ore),
    vatRate: fc.constantFrom(...VAT_RATES),
  }),
  { maxLength: 50 },
);

function line(quantity: number, price: number, vatRate: TotalsLine['vatRate']): TotalsLine {
  return { quantity, netUnitAmount: ore(price), vatRate };
}

describe('the sums of an invoice', () => {
  test('three rates: summed per rate, VAT rounded once per rate', () => {
    expect(invoiceTotals([line(1, 10010, 25), line(1, 3333, 15), line(1, 1000, 0)])).toEqual({
      net: 14343,
      vat: 2503 + 500,
      gross: 17346,
      subtotals: [
        { vatRate: 25, vatTreatment: null, net: 10010, vat: 2503 },
        { vatRate: 15, vatTreatment: null, net: 3333, vat: 500 },
        { vatRate: 0, vatTreatment: null, net: 1000, vat: 0 },
      ],
    });
  });

  // INV-10
  test("VAT is computed on the rate's sum, not per line", () => {
    const threeTimesTwo = [line(1, 2, 25), line(1, 2, 25), line(1, 2, 25)];
    expect(threeTimesTwo.map((each) => lineGross(each) - lineNet(each))).toEqual([1, 1, 1]);
    expect(invoiceTotals(threeTimesTwo).vat).toBe(2);
  });

  test('a discount of half an øre’s VAT is rounded away from zero', () => {
    expect(invoiceTotals([line(1, -2, 25)]).vat).toBe(-1);
  });

  test('agree with each other for any lines in any order', () => {
    fc.assert(
      fc.property(lines, (given) => {
        const totals = invoiceTotals(given);
        expect(totals.gross).toBe(totals.net + totals.vat);
        expect(totals.net).toBe(given.reduce((sum, each) => sum + lineNet(each), 0));
        expect(totals.vat).toBe(totals.subtotals.reduce((sum, part) => sum + part.vat, 0));
        for (const part of totals.subtotals) {
          expect(Math.abs(part.vat * 100 - part.net * part.vatRate)).toBeLessThanOrEqual(50);
        }
        expect(invoiceTotals(given.toReversed())).toEqual(totals);
      }),
    );
  });

  // INV-9
  test('equal the sums computed by hand with decimal digits', () => {
    const digits = (number: number, places: number) => {
      const [whole = '', fraction = ''] = String(Math.abs(number)).split('.');
      return BigInt(whole + fraction.padEnd(places, '0')) * (number < 0 ? -1n : 1n);
    };
    const round = (exact: bigint, parts: bigint) => {
      const [above, sign] = exact < 0n ? [-exact, -1n] : [exact, 1n];
      return ((above + parts / 2n) / parts) * sign;
    };
    fc.assert(
      fc.property(lines, (given) => {
        const nets = given.map((each) =>
          round(digits(each.quantity, 3) * BigInt(each.netUnitAmount), 1000n),
        );
        expect(given.map((each) => BigInt(lineNet(each)))).toEqual(nets);
        const vat = VAT_RATES.map((rate) => {
          const net = nets.filter((_, index) => given[index]?.vatRate === rate);
          return round(net.reduce((sum, each) => sum + each, 0n) * BigInt(rate), 100n);
        });
        const sum = [...nets, ...vat].reduce((total, each) => total + each, 0n);
        expect(BigInt(invoiceTotals(given).gross)).toBe(sum);
      }),
    );
  });

  test('throw when they exceed the safe integers', () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(invoiceTotals([line(1, most, 0)]).gross).toBe(most);
    expect(() => invoiceTotals([line(1, most, 0), line(1, 1, 0)])).toThrow(RangeError);
    expect(() => invoiceTotals([line(1, most, 25)])).toThrow(RangeError);
  });
});
