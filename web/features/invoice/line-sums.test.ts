import fc from 'fast-check';
import { expect, test } from 'vitest';

import { validate } from '../../../domain/api/validation.ts';
import { forFeatures, listOf } from '../../../domain/invoice/invoice-line.schema.ts';
import { VAT_RATES, type VatRate } from '../../../domain/vat-treatment.ts';
import { invoiceTotals, lineGross, toInvoiceLine } from '../../../domain/invoice/invoice.totals.ts';
import { fieldNumber, formatNumber } from '../../lib/number-text.ts';
import { draftLineGross, draftTotals } from './line-sums.ts';

const LINES = forFeatures(listOf)(new Set(['units', 'vat']));

const line = (
  invoicedQuantity: number,
  netUnitAmount: number | null,
  vatRatePercentage: VatRate,
) => ({
  invoicedQuantity,
  netUnitAmount,
  vatRatePercentage,
});

// INV-11
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

// INV-10
test('the form shows what will be invoiced, to the øre, whatever is typed', () => {
  const typed = fc.record({
    thousandths: fc.integer({ min: 1, max: 100_000_000 }),
    ore: fc.integer({ min: -1_000_000, max: 100_000_000 }),
    rate: fc.constantFrom(...VAT_RATES),
  });
  fc.assert(
    fc.property(fc.array(typed, { minLength: 1, maxLength: 8 }), (lines) => {
      const drafts = lines.map(({ thousandths, ore, rate }) => {
        const quantity = fieldNumber(formatNumber(thousandths / 1000, 3), 3);
        const price = fieldNumber(formatNumber(ore / 100, 2), 2);
        expect([quantity.fault, price.fault]).toEqual([undefined, undefined]);
        return { ...line(quantity.value ?? 0, price.value, rate), description: 'Arbeid' };
      });
      const sent = validate(LINES, drafts);
      if (!sent.ok) throw new Error(sent.faults[0]?.message);
      const invoiced = sent.value.map((form) =>
        Object.assign(toInvoiceLine(form), { vatRate: form.vatRatePercentage }),
      );
      expect(draftTotals(drafts)).toEqual(invoiceTotals(invoiced));
      expect(drafts.map(draftLineGross)).toEqual(invoiced.map(lineGross));
      expect(invoiced.map(({ quantity }) => quantity * 1000).map(Math.round)).toEqual(
        lines.map(({ thousandths }) => thousandths),
      );
    }),
  );
});

test('an unfinished line does not keep the others from being summed', () => {
  const totals = draftTotals([line(1, 100, 25), line(1, null, 25), line(1, 50, 0)]);
  expect(totals).toMatchObject({ net: 15_000, vat: 2_500, gross: 17_500 });
});

test('what is beyond money has no sum, and does not break the screen', () => {
  expect(draftTotals([line(Number.MAX_SAFE_INTEGER, 1_000_000, 25)])).toBeNull();
});
