import { expect, test } from 'vitest';

import { COMMON_UNITS, formatCounted, OTHER_UNITS, unitName } from './unit-names.ts';
import { DEFAULT_UNIT } from '../unit.ts';

test.each([
  [1, 'HUR', '1 time'],
  [1.5, 'HUR', '1,5 timer'],
  // Decimals take the plural, also below one.
  [0.5, 'HUR', '0,5 timer'],
  [2, 'HUR', '2 timer'],
  [1, 'EA', '1 stk'],
  [12, 'EA', '12 stk'],
  [1234.25, 'MTK', '1 234,25 m²'],
  [3, 'MON', '3 måneder'],
  [1, 'XPK', '1 pakke'],
  // A code from another program, without a Norwegian name here.
  [2, 'KWT', '2 KWT'],
  // A line made while `units` was off.
  [2, null, '2'],
  [2, undefined, '2'],
])('%s of %s is written %s', (quantity, unit, text) => {
  expect(formatCounted(quantity, unit)).toBe(text.replaceAll(' ', '\u00A0'));
});

test('each unit in the choice has a name of its own', () => {
  const units = [...COMMON_UNITS, ...OTHER_UNITS];
  expect(new Set(units.map(unitName)).size).toBe(units.length);
  expect(units[0]).toBe(DEFAULT_UNIT);
});
