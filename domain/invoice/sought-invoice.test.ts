import { expect, test } from 'vitest';

import { soughtInvoice } from './sought-invoice.ts';

test.each([
  ['18925', 1_892_500],
  ['18 925', 1_892_500],
  ['18 925,00', 1_892_500],
  ['18\u00A0925,50', 1_892_550],
  ['18.925,50', 1_892_550],
  ['18925.5', 1_892_550],
  ['kr 18925,-', 1_892_500],
  ['Kr. 500', 50_000],
  ['500 kr', 50_000],
  ['500kr', 50_000],
  ['NOK 1 250,00', 125_000],
  ['\u2212500,00', 50_000],
  ['1,255', null],
  ['krone 5', null],
  ['5 stk', null],
  ['Hansen', null],
  ['99999999999999999999', null],
])('%s is an amount of %s øre (INV-44)', (query, amount) => {
  expect(soughtInvoice(query)).toMatchObject({ invoiceNumber: null, words: query, amount });
});

test.each(['#5', '# 5', 'faktura 5', 'Faktura nr. 5', 'fakturanr 5', 'faktura #5', 'kreditnota 5'])(
  '%s names a number (INV-44)',
  (query) => {
    expect(soughtInvoice(query).invoiceNumber).toBe(5);
  },
);

test.each([
  ['0000 0010 0000 1001 5', '00000010000010015'],
  ['NO 974 760 673 MVA', '974760673'],
  ['974.760.673', '974760673'],
  ['Hansen 5', 'Hansen 5'],
  ['fakturagebyr 5', 'fakturagebyr 5'],
])('%s is sought as %s (INV-44)', (query, text) => {
  expect(soughtInvoice(query)).toMatchObject({ invoiceNumber: null, text });
});
