import { expect, test } from 'vitest';

import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { issuedTotals } from './InvoiceSummary.tsx';

const line = (netUnitAmount: number, vatRatePercentage: 25 | 15): Invoice['lines'][number] => ({
  id: netUnitAmount,
  invoicedQuantity: 1,
  description: 'Planke',
  netUnitAmount,
  netAmount: netUnitAmount,
  vatRatePercentage,
  grossAmount: netUnitAmount,
});

test('the sums of a credit note have the VAT that it credits', () => {
  const lines = [line(0.1, 25)];
  expect(issuedTotals({ kind: 'CREDIT_NOTE', lines, vatAmount: 0.02 })).toEqual({
    net: 10,
    vat: 2,
    gross: 12,
    subtotals: [{ vatRate: 25, vatTreatment: null, net: 10, vat: 2 }],
  });
  // Which treatment has the øre is not known here.
  const mixed = [...lines, line(10, 15)];
  expect(issuedTotals({ kind: 'CREDIT_NOTE', lines: mixed, vatAmount: 1.52 })).toEqual({
    net: 1010,
    vat: 152,
    gross: 1162,
    subtotals: [],
  });
  expect(
    issuedTotals({ kind: 'CREDIT_NOTE', lines: mixed, vatAmount: 1.53 })?.subtotals,
  ).toHaveLength(2);
});
