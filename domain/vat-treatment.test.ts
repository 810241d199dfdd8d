import { expect, test } from 'vitest';

import { treatmentOf, treatmentOfRate, VAT_TREATMENT_NAMES, vatRateOn } from './vat-treatment.ts';

test('each treatment has its label, rate, SAF-T code, income account and EHF category (VAT-1)', () => {
  expect(
    VAT_TREATMENT_NAMES.map((name) => {
      const { label, saftCode, incomeAccount, category } = treatmentOf(name);
      return [name, label, vatRateOn(name, '2026-11-29'), saftCode, incomeAccount, category];
    }),
  ).toEqual([
    ['STANDARD', '25 %', 25, '3', '3000', 'S'],
    ['FOOD', '15 % næringsmidler', 15, '31', '3030', 'S'],
    ['REDUCED', '12 %', 12, '33', '3050', 'S'],
    ['EXEMPT', '0 % fritatt', 0, '5', '3100', 'Z'],
    ['EXPORT', '0 % utførsel', 0, '52', '3105', 'G'],
    ['OUTSIDE', '0 % utenfor mva-loven', 0, '6', '3200', 'E'],
    ['REVERSE', '0 % omvendt avgiftsplikt', 0, '51', '3005', 'AE'],
    ['NOT_REGISTERED', 'Ingen mva', 0, '7', '3200', 'O'],
  ]);
  expect([treatmentOfRate(6, true), treatmentOfRate(12, true)]).toEqual(['REDUCED', 'REDUCED']);
});
