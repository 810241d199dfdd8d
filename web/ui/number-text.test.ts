import { expect, test } from 'vitest';

import {
  formatNumber,
  parseForeignNumber,
  parseNumber,
  steppedByModifier,
  withMark,
} from './number-text.ts';

test.each([
  ['1\u00A0234,50', 1234.5],
  ['1 234,5', 1234.5],
  ['1234.5', 1234.5],
  ['\u2212250,50', -250.5],
  ['-1', -1],
  ['0', 0],
])('%s is a number', (text, number) => {
  expect(parseNumber(text)).toBe(number);
});

test.each(['', '-', ',', 'abc', '1,2,3', '1e5'])('%j is none', (text) => {
  expect(parseNumber(text)).toBeNull();
});

test.each([
  ['1.234,50', 1234.5],
  ['1,234.50', 1234.5],
  ['1234.50', 1234.5],
  ['1.234.567,5', 1_234_567.5],
  ['kr 1 234,50', 1234.5],
  ['12\u00A0500 kr', 12_500],
  ['12 500,-', 12_500],
  ['1.234.567', null],
  ['fem', null],
])('%s from another program is %s', (text, number) => {
  expect(parseForeignNumber(text)).toBe(number);
});

test('a typed point is the decimal comma, unless it turns out to part thousands', () => {
  const type = (keys: string) =>
    keys
      .split('')
      .reduce((text, key) => (key === ',' || key === '.' ? withMark(text, key) : text + key), '');
  expect(type('12.5')).toBe('12,5');
  expect(type('12,5.5')).toBe('12,55');
  expect(type('1.234,50')).toBe('1234,50');
  expect(type('1.234.567,5')).toBe('1234567,5');
});

test('money is written in groups with two decimals, whole numbers as they are', () => {
  expect(formatNumber(1234.5, 2)).toBe('1\u00A0234,50');
  expect(formatNumber(9999999, 0)).toBe('9999999');
  expect(formatNumber(null, 2)).toBe('');
  expect(parseNumber(formatNumber(-1234.5, 2))).toBe(-1234.5);
});

test('Ctrl and Meta make an arrow key step by a tenth, within the bounds', () => {
  const up = { key: 'ArrowUp', ctrlKey: true, metaKey: false };
  const down = { key: 'ArrowDown', ctrlKey: false, metaKey: true };
  expect(steppedByModifier(up, 0.2, {})).toBe(0.3);
  expect(steppedByModifier(down, 1, { min: 1 })).toBe(1);
  expect(steppedByModifier(up, null, {})).toBe(0.1);
  expect(steppedByModifier({ ...up, ctrlKey: false }, 1, {})).toBeUndefined();
  expect(steppedByModifier({ ...up, key: 'a' }, 1, {})).toBeUndefined();
});
