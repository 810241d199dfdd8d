import { expect, test } from 'vitest';

import { ore } from '../money.ts';
import { claimLeft } from './claim-left.ts';
import { BUILT_IN_RATES } from './rates.ts';

// 20 days of 10 000 kr at 12.25 per cent are 67.12.
const ASKED = {
  sentOn: '2026-09-20',
  deadline: '2026-08-31',
  claim: ore(10_000_00),
  claimThen: ore(10_000_00),
  principal: ore(10_000_00),
  interest: ore(67_12),
};

function paid(date: string, kroner: number) {
  return { date, amount: ore(kroner * 100) };
}

test.each([
  ['nothing came', [], 67_12, false],
  ['all came on the due date', [paid('2026-08-31', 10_000)], 0, true],
  ['all came ten days late', [paid('2026-09-10', 10_000)], 33_56, true],
  ['half came on the due date', [paid('2026-08-31', 5000)], 33_56, false],
  ['the rest came on the day of sending', [paid('2026-09-20', 10_000)], 67_12, false],
  ['all came on the day before it', [paid('2026-09-19', 10_000)], 63_77, true],
  ['all came later', [paid('2026-10-01', 10_000)], 67_12, false],
  ['it came in two parts', [paid('2026-08-20', 4000), paid('2026-08-31', 6000)], 0, true],
])('when %s', (_, settlements, interest, feeWaived) => {
  expect(claimLeft(BUILT_IN_RATES, ASKED, settlements)).toEqual({ interest, feeWaived });
});

test('the interest never grows, and a reminder without interest gets none', () => {
  const less = { ...ASKED, interest: ore(10_00) };
  expect(claimLeft(BUILT_IN_RATES, less, []).interest).toBe(10_00);
  const none = { ...ASKED, interest: ore(0) };
  expect(claimLeft(BUILT_IN_RATES, none, []).interest).toBe(0);
  const half = [paid('2026-08-31', 5000)];
  const known = { ...ASKED, principal: ore(5000_00) };
  expect(claimLeft(BUILT_IN_RATES, known, half).interest).toBe(67_12);
  expect(claimLeft([], ASKED, half).interest).toBe(67_12);
});

// REM-13, REM-19
test.each([
  ['a part is credited later', { claim: 6000 }, [], 40_27, false],
  ['all is credited later', { claim: 0 }, [], 0, false],
  [
    'a part was paid in time, and the rest is credited later',
    { claim: 4000, principal: 6000 },
    [paid('2026-08-31', 4000)],
    0,
    false,
  ],
  [
    'a part was credited before it, and the rest had come',
    { claim: 6000, claimThen: 6000, principal: 6000 },
    [paid('2026-08-31', 6000)],
    0,
    true,
  ],
])('when %s', (_, kroner, payments, interest, feeWaived) => {
  const amounts = Object.entries(kroner).map(([key, value]) => [key, ore(value * 100)]);
  const asked = { ...ASKED, ...(Object.fromEntries(amounts) as object) };
  expect(claimLeft(BUILT_IN_RATES, asked, payments)).toEqual({ interest, feeWaived });
});
