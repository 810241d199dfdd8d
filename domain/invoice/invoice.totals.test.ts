import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ore } from '../money.ts';
import { VAT_RATES } from './invoice-line.schema.ts';
import { invoiceTotals, lineGross, lineNet, type TotalsLine } from './invoice.totals.ts';

const lines = fc.array(
  fc.record({
    quantity: fc.integer({ min: 1, max: 10_000 }),
    netUnitAmount: fc.integer({ min: -10_000_000, max: 10_000_000 }).map(ore),
    vatRate: fc.constantFrom(...VAT_RATES),
  }),
  { maxLength: 50 },
);

function line(quantity: number, price: number, vatRate: TotalsLine['vatRate']): TotalsLine {
  return { quantity, netUnitAmount: ore(price), vatRate };
}

describe('the sums of an invoice', () => {
  test('three rates: each summed apart, VAT rounded once per rate', () => {
    expect(invoiceTotals([line(1, 10010, 25), line(1, 3333, 15), line(1, 1000, 0)])).toEqual({
      net: 14343,
      vat: 2503 + 500,
      gross: 17346,
      subtotals: [
        { vatRate: 25, net: 10010, vat: 2503 },
        { vatRate: 15, net: 3333, vat: 500 },
        { vatRate: 0, net: 1000, vat: 0 },
      ],
    });
  });

  test('VAT is of the sum, not the sum of each line’s', () => {
    const threeTimesTwo = [line(1, 2, 25), line(1, 2, 25), line(1, 2, 25)];
    expect(threeTimesTwo.map((each) => lineGross(each) - lineNet(each))).toEqual([1, 1, 1]);
    expect(invoiceTotals(threeTimesTwo).vat).toBe(2);
  });

  test('a discount of half an øre’s VAT is rounded away from zero', () => {
    expect(invoiceTotals([line(1, -2, 25)]).vat).toBe(-1);
  });

  test('hold together, whatever the lines and their order', () => {
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

  test('are refused when they leave the safe integers, never wrong', () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(invoiceTotals([line(1, most, 0)]).gross).toBe(most);
    expect(() => invoiceTotals([line(1, most, 0), line(1, 1, 0)])).toThrow(RangeError);
    expect(() => invoiceTotals([line(1, most, 25)])).toThrow(RangeError);
  });
});
