import fc from 'fast-check';
import { expect, test } from 'vitest';

import { invoiceTotals, lineNet } from '../../../domain/invoice/invoice.totals.ts';
import { formatOre } from '../../../domain/money.ts';
import { anyDocument } from '../../testing/any-documents.ts';
import { sampleInvoice, sampleLine } from '../../testing/invoice-documents.ts';
import { invoicePage } from './invoice-page.ts';
import { textCleaner } from '../../platform/pdf/printable-text.ts';

function pageOf(document: Parameters<typeof invoicePage>[0]['document']) {
  return invoicePage({ document, stamp: null, xml: null, logo: null }, textCleaner([]));
}

test('paper asks for what invoiceTotals has, to the øre, in any document', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const page = pageOf(document);
      expect(page.total[1]).toBe(formatOre(invoiceTotals(document.lines).gross));
      expect(page.lines.map((cells) => cells.at(-1))).toEqual(
        document.lines.map((line) => formatOre(lineNet(line))),
      );
    }),
    { numRuns: 50 },
  );
});

test('quantities are printed with a comma and their units in Norwegian', () => {
  const lines = [
    sampleLine('Rådgivning', 7.5, 950, 25, 'HUR'),
    sampleLine('Gulv', 1, 349, 25, 'MTK'),
    sampleLine('Fra et annet program', 2.125, 10, 25, 'C62'),
    sampleLine('Uten enhet', 1234, 10),
  ];
  const quantities = pageOf(sampleInvoice({ lines })).lines.map((cells) => cells[1]);
  expect(quantities).toEqual(['7,5\u00A0timer', '1\u00A0m²', '2,125\u00A0C62', '1\u00A0234']);
});
