import { describe, expect, test } from 'vitest';

import {
  asTyped,
  formatNumber,
  parseForeignNumber,
  parseNumber,
  stepOf,
  stepped,
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

describe('what is typed', () => {
  const money = { decimals: 2 } as const;

  /** Types keys one by one at the end of an empty field. */
  function type(keys: string, rules: Parameters<typeof asTyped>[2] = money): string {
    return keys.split('').reduce((before, key) => {
      const text = before + key;
      return asTyped(before, { text, caret: text.length }, rules).text;
    }, '');
  }

  test('a point is the decimal comma, unless it turns out to part thousands', () => {
    expect(type('12.5')).toBe('12,5');
    expect(type('12,5.5')).toBe('12,55');
    expect(type('1.234,50')).toBe('1234,50');
    expect(type('1.234.567,5')).toBe('1234567,5');
  });

  test('only numeric characters are taken', () => {
    expect(type('1e2a3')).toBe('123');
    expect(type('1 234,5')).toBe('1 234,5');
    expect(type('-12', { decimals: 2 })).toBe('-12');
    expect(type('-12', { decimals: 2, min: 0 })).toBe('12');
    expect(type('1,5', { decimals: 0 })).toBe('15');
  });

  test('the caret stays where it was', () => {
    const inside = (text: string, caret: number, before: string) =>
      asTyped(before, { text, caret }, money);
    expect(inside('1x234', 2, '1234')).toEqual({ text: '1234', caret: 1 });
    expect(inside('12.34', 3, '1234')).toEqual({ text: '12,34', caret: 3 });
    expect(inside('1,2,34', 2, '12,34')).toEqual({ text: '12,34', caret: 1 });
    // What is taken away is no mark that was typed.
    expect(inside('12,', 3, '12,5')).toEqual({ text: '12,', caret: 3 });
  });

  test('what is pasted or dropped among the digits loses its letters', () => {
    expect(asTyped('12', { text: '1kr 502', caret: 6 }, money)).toEqual({
      text: '1 502',
      caret: 4,
    });
  });
});

test('money is written in groups with two decimals, whole numbers as they are', () => {
  expect(formatNumber(1234.5, 2)).toBe('1\u00A0234,50');
  expect(formatNumber(9999999, 0)).toBe('9999999');
  expect(formatNumber(-1.6, 0)).toBe('\u22122');
  expect(formatNumber(1e21, 0)).toBe('1000000000000000000000');
  expect(formatNumber(null, 2)).toBe('');
  expect(parseNumber(formatNumber(-1234.5, 2))).toBe(-1234.5);
});

test('an arrow key steps by 1, with Shift by 10, with Ctrl or Meta by a tenth', () => {
  const up = { key: 'ArrowUp', shiftKey: false, ctrlKey: false, metaKey: false };
  expect(stepOf(up)).toBe(1);
  expect(stepOf({ ...up, shiftKey: true })).toBe(10);
  expect(stepOf({ ...up, ctrlKey: true })).toBe(0.1);
  expect(stepOf({ ...up, key: 'ArrowDown', metaKey: true })).toBe(-0.1);
  expect(stepOf({ ...up, key: 'a' })).toBe(0);
});

test('a step is exact, begins at nothing and stays within the bounds', () => {
  expect(stepped(0.2, 0.1, {})).toBe(0.3);
  expect(stepped(null, 1, {})).toBe(1);
  expect(stepped(1, -0.1, { min: 1 })).toBe(1);
  expect(stepped(95, 10, { max: 100 })).toBe(100);
});
