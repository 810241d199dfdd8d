import { describe, expect, test } from 'vitest';

import {
  BUILT_IN_RATES,
  compensationOn,
  feeOn,
  halfYearOf,
  interestRateOn,
  missingOn,
  type LatePaymentRates,
} from './rates.ts';

describe('rates of late payment', () => {
  // REM-11, REM-28
  test.each([
    ['2020-09-30', 70_00],
    ['2020-10-01', 35_00],
    ['2025-12-31', 35_00],
    ['2026-01-01', 37_50],
    ['2031-08-01', 37_50],
  ])('a notice sent on %s may ask for %i øre', (date, fee) => {
    expect(feeOn(BUILT_IN_RATES, date)).toBe(fee);
  });

  // REM-11
  test('half an øre is dropped, and the newest inkassosats counts in any order', () => {
    const rates: LatePaymentRates = [
      { kind: 'DEBT_COLLECTION', from: '2028-01-01', value: 785_35 },
      ...BUILT_IN_RATES,
    ];
    expect(feeOn(rates, '2027-12-31')).toBe(37_50);
    expect(feeOn(rates, '2028-01-01')).toBe(39_26);
  });

  test('interest and compensation are looked up by half-year', () => {
    expect(interestRateOn(BUILT_IN_RATES, '2026-06-30')).toBe(1200);
    expect(interestRateOn(BUILT_IN_RATES, '2026-07-01')).toBe(1225);
    expect(compensationOn(BUILT_IN_RATES, '2026-06-30')).toBe(460_00);
    expect(compensationOn(BUILT_IN_RATES, '2026-11-22')).toBe(430_00);
  });

  test.each([
    ['2020-01-01', 950, null],
    ['2020-07-01', 800, 430],
    ['2021-01-01', 800, 400],
    ['2021-07-01', 800, 400],
    ['2022-01-01', 850, 390],
    ['2022-07-01', 925, 400],
    ['2023-01-01', 1075, 410],
    ['2023-07-01', 1175, null],
    ['2024-01-01', 1250, 470],
    ['2024-07-01', 1250, null],
    ['2025-01-01', 1250, 470],
    ['2025-07-01', 1225, null],
    ['2026-01-01', 1200, 460],
    ['2026-07-01', 1225, 430],
  ])('from %s interest is %i and the compensation %s kr (REM-14, REM-28)', (from, rate, kroner) => {
    expect(interestRateOn(BUILT_IN_RATES, from)).toBe(rate);
    const compensation =
      missingOn(BUILT_IN_RATES, from).length > 0
        ? null
        : compensationOn(BUILT_IN_RATES, from) / 100;
    expect(compensation).toBe(kroner);
  });

  test('a later rate of the same day replaces the built-in one', () => {
    const rates: LatePaymentRates = [
      ...BUILT_IN_RATES,
      { kind: 'INTEREST', from: '2026-07-01', value: 1200 },
      { kind: 'DEBT_COLLECTION', from: '2026-01-01', value: 760_00 },
    ];
    expect(interestRateOn(rates, '2026-11-22')).toBe(1200);
    expect(feeOn(rates, '2026-11-22')).toBe(38_00);
  });

  // REM-14, REM-28
  test('an unknown rate throws an error that names the rate and the half-year', () => {
    expect(() => interestRateOn(BUILT_IN_RATES, '2027-01-01')).toThrow(
      'satsen for 1. halvår 2027 mangler',
    );
    expect(() => compensationOn(BUILT_IN_RATES, '2025-08-01')).toThrow(
      'standardkompensasjonen for 2. halvår 2025 mangler',
    );
    expect(() => feeOn(BUILT_IN_RATES, '2016-12-31')).toThrow(
      'inkassosatsen for 2. halvår 2016 mangler',
    );
  });

  test('a half-year begins on 1 January or 1 July', () => {
    expect(halfYearOf('2027-06-30')).toEqual({ from: '2027-01-01', name: '1. halvår 2027' });
    expect(halfYearOf('2027-07-01')).toEqual({ from: '2027-07-01', name: '2. halvår 2027' });
  });
});
