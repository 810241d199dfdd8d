import { expect, test } from 'vitest';

import { validate } from '../../../../domain/api/validation.ts';
import {
  consequenceOf,
  creditFormOf,
  limitOf,
  treatmentsLeft,
  type CreditableLine,
  type CreditDraft,
} from './credit-form.ts';

const PLANKS: CreditableLine = {
  id: 11,
  description: 'Planke 48 × 148',
  invoicedQuantity: 5,
  netUnitAmount: 250,
  netAmount: 1250,
  vatRatePercentage: 25,
  quantityLeft: 3,
  netLeft: 750,
};
const WORK: CreditableLine = { ...PLANKS, id: 12, description: 'Arbeid', vatRatePercentage: 15 };
const DISCOUNT: CreditableLine = {
  ...PLANKS,
  id: 13,
  description: 'Rabatt',
  invoicedQuantity: 1,
  netUnitAmount: -100,
  netAmount: -100,
  quantityLeft: 1,
  netLeft: -100,
};
const LINES = [PLANKS, WORK, DISCOUNT];
const NEITHER = { quantity: null, netAmount: null };

function check(changes: Partial<CreditDraft>) {
  const draft: CreditDraft = {
    way: 'LINES',
    lines: [NEITHER, NEITHER, NEITHER],
    reductions: [{ description: 'Prisavslag', netAmount: null, vatTreatment: 'STANDARD' }],
    reason: '',
    ...changes,
  };
  const result = validate(creditFormOf(LINES), draft, (path) => String(path.at(-1)));
  return result.ok
    ? result.value
    : result.faults.map(({ path, message }) => [path.join('.'), message.replaceAll('\u00A0', ' ')]);
}

test('everything that is left is neither lines nor reductions, whatever is filled in of the other ways', () => {
  const lines = [{ quantity: 99, netAmount: null }, NEITHER, NEITHER];
  expect(check({ way: 'ALL', lines, reason: 'Retur' })).toEqual({
    lines: null,
    reductions: null,
    reason: 'Retur',
  });
});

test('chosen lines are sent by their ids, 0 and empty are not chosen', () => {
  const lines = [{ quantity: 0, netAmount: null }, { quantity: 2, netAmount: null }, NEITHER];
  expect(check({ lines })).toMatchObject({ lines: [{ id: 12, quantity: 2 }], reductions: null });
  expect(check({ lines: [NEITHER, NEITHER, { quantity: null, netAmount: 40.5 }] })).toMatchObject({
    lines: [{ id: 13, netAmount: 40.5 }],
  });
});

test('a fault is at the field of the form, though fewer lines are sent', () => {
  const lines = [NEITHER, { quantity: null, netAmount: 10.001 }, { quantity: -1, netAmount: null }];
  expect(check({ lines })).toEqual([
    ['lines.1.netAmount', 'netAmount must have at most two decimals'],
    ['lines.2.quantity', expect.stringContaining('must be')],
  ]);
  // Text that is no number.
  expect(check({ lines: [{ quantity: NaN, netAmount: null }, NEITHER, NEITHER] })).toEqual([
    ['lines.0.quantity', expect.stringContaining('must be')],
  ]);
});

test('more than is left, and nothing at all, is told at the line', () => {
  const lines = [
    { quantity: 4, netAmount: null },
    { quantity: null, netAmount: 750.01 },
    { quantity: null, netAmount: 101 },
  ];
  expect(check({ lines })).toEqual([
    ['lines.0.quantity', 'Bare 3 er igjen.'],
    ['lines.1.netAmount', 'Bare 750,00 kr er igjen.'],
    ['lines.2.netAmount', 'Bare 100,00 kr er igjen.'],
  ]);
  // An amount of it was credited before, so less is left than its price.
  expect(limitOf({ ...PLANKS, netLeft: 600 }, { quantity: 3, netAmount: null }).quantity).toMatch(
    /^Bare 600,00/,
  );
  expect(check({})).toEqual([
    ['lines.0.quantity', 'Skriv et antall eller et beløp på minst én linje.'],
  ]);
});

test('a price reduction needs a text and an amount', () => {
  const reduction = { description: ' ', netAmount: null, vatTreatment: 'FOOD' as const };
  expect(check({ way: 'REDUCTIONS', reductions: [reduction] })).toEqual([
    ['reductions.0.description', 'description is a required field'],
    ['reductions.0.netAmount', 'netAmount is a required field'],
  ]);
  const filled = { ...reduction, description: 'Ripe', netAmount: 100 };
  expect(check({ way: 'REDUCTIONS', reductions: [filled] })).toEqual({
    lines: null,
    reductions: [filled],
    reason: null,
  });
});

// CRE-15
test('a price is reduced with the VAT that is left of the invoice', () => {
  const line = (vatRatePercentage: CreditableLine['vatRatePercentage'], netLeft = 1) => ({
    ...PLANKS,
    vatRatePercentage,
    netLeft,
  });
  const labels = (lines: CreditableLine[], isRegistered = true) =>
    treatmentsLeft(lines, isRegistered).map(({ value, label }) => `${value} ${label}`);
  expect(labels([line(25), line(25), line(15), line(0, -5)])).toEqual([
    'STANDARD 25 %',
    'FOOD 15 %',
  ]);
  expect(labels([line(0)])).toEqual(['EXEMPT 0 %']);
  expect(labels([line(0)], false)).toEqual(['NOT_REGISTERED 0 %']);
  expect(labels([{ ...line(0), vatTreatment: 'OUTSIDE' }])).toEqual([
    'OUTSIDE 0 % utenfor mva-loven',
  ]);
});

// CRE-16
test.each([
  [0, 1250, { kind: 'pays', amount: 1250 }],
  [500.1, 1250, { kind: 'pays', amount: 749.9 }],
  [1250, 1250, { kind: 'settled', amount: 0 }],
  [1250, 1000, { kind: 'credit', amount: 250 }],
  [0.3, 0, { kind: 'credit', amount: 0.3 }],
  [0, 0, { kind: 'nothing', amount: 0 }],
] as const)('with %d paid and %d left, the customer is told', (paid, left, consequence) => {
  expect(consequenceOf(paid, left)).toEqual(consequence);
});
