import { expect, test } from 'vitest';

import type { VatRate } from '../../domain/invoice/invoice-line.schema.ts';
import { draftLineGross, draftTotals } from './line-sums.ts';

const line = (
  invoicedQuantity: number,
  netUnitAmount: number | null,
  vatRatePercentage: VatRate,
) => ({
  invoicedQuantity,
  netUnitAmount,
  vatRatePercentage,
});

test('a line is summed with its VAT', () => {
  expect(draftLineGross(line(2, 12_500.5, 25))).toBe(3_125_125);
  expect(draftLineGross(line(0.5, 950, 25))).toBe(59_375);
});

test.each([
  ['no price yet', line(1, null, 25)],
  ['a fourth decimal of a piece', line(0.5005, 100, 25)],
  ['a third decimal', line(1, 1.005, 25)],
])('%s has no sum', (_, unfinished) => {
  expect(draftLineGross(unfinished)).toBeNull();
});

test('an unfinished line does not keep the others from being summed', () => {
  const totals = draftTotals([line(1, 100, 25), line(1, null, 25), line(1, 50, 0)]);
  expect(totals).toMatchObject({ net: 15_000, vat: 2_500, gross: 17_500 });
});

test('what is beyond money has no sum, and does not break the screen', () => {
  expect(draftTotals([line(Number.MAX_SAFE_INTEGER, 1_000_000, 25)])).toBeNull();
});
