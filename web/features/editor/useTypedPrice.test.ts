import { expect, test } from 'vitest';

import { grossOf, netOf, VAT_RATES } from '../../../domain/vat-treatment.ts';
import { lineDifference } from './useTypedPrice.ts';

const line = { invoicedQuantity: 1, description: 'Klipp', vatRatePercentage: 25 } as const;

test('a price with VAT is kept without it', () => {
  expect(netOf(499, 25)).toBe(399.2);
  expect(netOf(100, 15)).toBe(86.96);
  expect(netOf(-125, 25)).toBe(-100);
  expect(netOf(125, 0)).toBe(125);
  expect(netOf(null, 25)).toBeNull();
  expect(netOf(NaN, 25)).toBeNaN();
  // Not rounded, so that the schema can refuse it.
  expect(netOf(12.345, 25)).toBe(12.345);
});

test('it comes back to the øre, or one øre beside it', () => {
  for (const rate of VAT_RATES) {
    for (let amount = -3_000; amount <= 3_000; amount++) {
      const gross = amount / 100;
      const back = grossOf(netOf(gross, rate), rate) ?? NaN;
      expect(Math.abs(Math.round(back * 100) - amount)).toBeLessThanOrEqual(1);
      const net = gross;
      expect(netOf(grossOf(net, rate), rate)).toBe(net === 0 ? 0 : net);
    }
  }
});

test('what a line differs by is told for all of its quantity', () => {
  const typed = (gross: number, quantity: number) =>
    lineDifference({ ...line, invoicedQuantity: quantity, netUnitAmount: netOf(gross, 25) }, gross);
  expect(typed(499, 3)).toBe(0);
  expect(typed(499.02, 1)).toBe(1);
  expect(typed(99.99, 1)).toBe(0);
  expect(typed(99.99, 10)).toBe(-2);
  expect(lineDifference({ ...line, netUnitAmount: null }, null)).toBe(0);
});
