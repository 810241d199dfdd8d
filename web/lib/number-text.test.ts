import { expect, test } from 'vitest';

import {
  asTyped,
  countOf,
  fieldNumber,
  formatNumber,
  numberIn,
  showCount,
  stepOf,
  stepped,
  withOtherSign,
} from './number-text.ts';

const tooMany = 'tooManyDecimals';

/** The whole table of WEB-18: in kroner, and in a field for whole numbers. */
const MEANINGS: readonly [text: string, kroner: number | string, whole: number | string][] = [
  ['12500', 12_500, 12_500],
  ['12 500', 12_500, 12_500],
  ['12\u00A0500', 12_500, 12_500],
  ['12\u202F500', 12_500, 12_500],
  ['12.500', 12_500, 12_500],
  ['1.000', 1000, 1000],
  ['1.234.567', 1_234_567, 1_234_567],
  ['1,234,567', 1_234_567, 1_234_567],
  ['10,00', 10, 10],
  ['10.00', 10, 10],
  ['10,', 10, 10],
  ['10.', 10, 10],
  ['12,50', 12.5, 'notWhole'],
  ['12.50', 12.5, 'notWhole'],
  ['1,5', 1.5, 'notWhole'],
  ['1.5', 1.5, 'notWhole'],
  ['1234.5', 1234.5, 'notWhole'],
  [',5', 0.5, 'notWhole'],
  ['1 234 567,89', 1_234_567.89, 'notWhole'],
  ['1.234,50', 1234.5, 'notWhole'],
  ['1,234.50', 1234.5, 'notWhole'],
  ['1.234.567,5', 1_234_567.5, 'notWhole'],
  ['1,234,567.89', 1_234_567.89, 'notWhole'],
  ['12,345', tooMany, 'notWhole'],
  ['12,500', tooMany, 'notWhole'],
  ['1,000', tooMany, tooMany],
  ['1.2345', tooMany, 'notWhole'],
  ['1234.567', tooMany, 'notWhole'],
  ['0.125', tooMany, 'notWhole'],
  ['0.000', tooMany, tooMany],
  ['1.234,567', tooMany, 'notWhole'],
  ['1.23.456', 'notANumber', 'notANumber'],
  ['1.234.56', 'notANumber', 'notANumber'],
  ['12.50,5', 'notANumber', 'notANumber'],
  ['1,2,3', 'notANumber', 'notANumber'],
  ['5-3', 'notANumber', 'notANumber'],
  ['-', 'notANumber', 'notANumber'],
  [',', 'notANumber', 'notANumber'],
  ['\u2212250,50', -250.5, 'notWhole'],
  ['-1', -1, -1],
  ['\u20131.000', -1000, -1000],
  ['0', 0, 0],
];

test.each(MEANINGS)('%j is %s in kroner and %s as a whole number', (text, kroner, whole) => {
  const meant = ({ value, fault }: ReturnType<typeof fieldNumber>) => fault ?? value;
  expect(meant(fieldNumber(text, 2))).toBe(kroner);
  expect(meant(fieldNumber(text, 0))).toBe(whole);
});

test.each([
  ['500,-', 500],
  ['12.500,-', 12_500],
  ['12 500,\u2013', 12_500],
  ['\u2212500.-', -500],
])('%j is typed for whole kroner, and means %s', (text, kroner) => {
  expect(fieldNumber(text, 2)).toEqual({ value: kroner, fault: undefined });
});

test('nothing is no number and no fault', () => {
  expect(fieldNumber(' ', 2)).toEqual({ value: null, fault: undefined });
});

test.each(MEANINGS)('%j is understood as it is when it is pasted', (text) => {
  const isNumber = /\d/.test(text) && text !== '5-3';
  expect(numberIn(text)).toBe(isNumber ? text.replace(/^[-\u2013]/, '\u2212') : null);
});

/** The rows of WEB-18 for pasted numbers with a sign. */
test.each([
  ['(100,00)', -100],
  ['100,00-', -100],
  ['100,00 -', -100],
  ['100-', -100],
  ['-100,00', -100],
  ['- 100,00', -100],
  ['\u2212100,00', -100],
  ['\u2212 100,00', -100],
  ['100,00\u2212', -100],
  ['\u2010100,00', -100],
  ['\u2011100,00', -100],
  ['\u2012100,00', -100],
  ['\u2013100,00', -100],
  ['100,00 \u2013', -100],
  ['\u2014100,00', -100],
  ['\uFE63100,00', -100],
  ['\uFF0D100,00', -100],
  ['\u00AD100,00', -100],
  ['( 1\u00A0234,50 )', -1234.5],
  ['(kr 100,00)', -100],
  ['kr (100,00)', -100],
  ['(100,00) kr', -100],
  ['kr -100', -100],
  ['-kr 100', -100],
  ['100,00- kr', -100],
  ['($1,234.50)', -1234.5],
  ['(500,-)', -500],
  ['-500,-', -500],
  ['Rabatt: -100', -100],
  ['Rabatt (100,00)', -100],
  // Invisible characters.
  ['\u202A-100,00\u202C', -100],
  ['-\u200E100,00', -100],
  ['\u200E(100,00)\u200E', -100],
  ['\uFEFF100,00-', -100],
  ['12\u200B500', 12_500],
  ['\u202A12 500,00\u202C', 12_500],
  // Ambiguous signs: nothing is pasted.
  ['--100', null],
  ['-100-', null],
  ['-(100)', null],
  ['(100)-', null],
  ['(100', null],
  ['100)', null],
  ['((100))', null],
  ['100,00 CR', null],
  ['500 - maling', null],
  // Signs and words that do not make a number negative.
  ['500,-', 500],
  ['+100', 100],
  ['100 stk', 100],
])('pasted, %j is %s', (text, kroner) => {
  const pasted = numberIn(text);
  expect(pasted === null ? null : fieldNumber(pasted, 2).value).toBe(kroner);
});

test.each([
  ['(100,00)', -100],
  ['100,00-', -100],
  ['100,00 \u2212', -100],
  ['-(100)', 'notANumber'],
  ['. 45', 'notANumber'],
  ['12, 50', 'notANumber'],
  ['100--', 'notANumber'],
])('%j in a field means %s', (text, kroner) => {
  const { value, fault } = fieldNumber(text, 2);
  expect(fault ?? value).toBe(kroner);
});

test('a number below the least is brought up to it, but for a turned sign and an invented fraction', () => {
  expect(fieldNumber('0', 0, 1).fault).toBeUndefined();
  expect(fieldNumber('0', 3, 0.001)).toEqual({ value: 0, fault: 'tooSmall' });
  expect(fieldNumber('-5', 0, 1)).toEqual({ value: -5, fault: 'tooSmall' });
  expect(fieldNumber('-5', 2, 0)).toEqual({ value: -5, fault: 'tooSmall' });
  expect(fieldNumber('-5', 2).fault).toBeUndefined();
});

test.each([
  ['kr 1 234,50', '1 234,50'],
  ['12.500 kr', '12.500'],
  ['12\u00A0500 kr.', '12\u00A0500'],
  ['12 500,-', '12 500'],
  ['500.\u2013', '500'],
  ['NOK 1.234,50', '1.234,50'],
  ['1 234,50\n', '1 234,50'],
  ['Sum: 500', '500'],
  ['kr \u2212100', '\u2212100'],
  ['.50', '.50'],
  ['$.50', '.50'],
  // The mark of a word is no decimal one (WEB-18); beside a space it may be either.
  ['ca. 500', '500'],
  ['ca.500', '500'],
  ['pr.stk. 45', '45'],
  ['Total. 1250', '1250'],
  ['NOK. 500', '500'],
  ['kr.500', '500'],
  ['ca .50', null],
  ['kr ,50', null],
  ['nr. 3. 500', null],
  ['100\t200', null],
  ['100\n200', null],
  ['50 %', null],
  ['7,03801E+12', null],
  ['1e5', null],
  ['2 av 3', null],
  ['12. mai 2026', null],
  ['fem', null],
  ['', null],
])('of %j is pasted %j', (text, number) => {
  expect(numberIn(text)).toBe(number);
});

test('what is refused is told to the form so that its schema refuses it too, never rounded', () => {
  expect(fieldNumber('12,345', 2).value).toBe(12.345);
  expect(fieldNumber('1,5', 0).value).toBe(1.5);
  expect(fieldNumber('12,500', 2).value).toBeNaN();
  expect(fieldNumber('1,000', 0).value).toBeNaN();
  expect(fieldNumber('1,2,3', 2).value).toBeNaN();
});

test('only numeric characters are taken, and the caret stays where it was', () => {
  const take = (text: string, caret: number, min?: number) => asTyped({ text, caret }, { min });
  expect(take('1e2a3', 5)).toEqual({ text: '123', caret: 3 });
  expect(take('1 234,5', 7)).toEqual({ text: '1 234,5', caret: 7 });
  expect(take('1,5', 3)).toEqual({ text: '1,5', caret: 3 });
  expect(take('1x234', 2)).toEqual({ text: '1234', caret: 1 });
  expect(take('-12', 3)).toEqual({ text: '-12', caret: 3 });
  expect(take('-12', 3, 0)).toEqual({ text: '12', caret: 2 });
});

test('the sign can be changed without a minus among the keys', () => {
  expect(withOtherSign('250,50')).toBe('\u2212250,50');
  expect(withOtherSign('\u2212250,50')).toBe('250,50');
  expect(withOtherSign('-1')).toBe('1');
  expect(withOtherSign('')).toBe('\u2212');
});

test('money is written in groups with two decimals, whole numbers as they are', () => {
  expect(formatNumber(1234.5, 2)).toBe('1\u00A0234,50');
  expect(formatNumber(9999999, 0)).toBe('9999999');
  expect(formatNumber(-2, 0)).toBe('\u22122');
  expect(formatNumber(1e21, 0)).toBe('1000000000000000000000');
  expect(formatNumber(null, 2)).toBe('');
  expect(fieldNumber(formatNumber(-1234.5, 2), 2).value).toBe(-1234.5);
});

test.each([
  ['7,5', 7.5],
  ['7.5', 7.5],
  ['0,125', 0.125],
  ['0.125', 0.125],
  [',5', 0.5],
  ['1 234,25', 1234.25],
  ['1.234,25', 1234.25],
  ['1,000', 1],
  // A point before three digits separates thousands, also in a field with three decimals.
  ['1.500', 1500],
  ['0,0005', 'tooManyDecimals'],
  ['1,5000', 'tooManyDecimals'],
  ['1,2,3', 'notANumber'],
])('%j is a quantity of %s', (text, meaning) => {
  const { value, fault } = fieldNumber(text, 3);
  expect(fault ?? value).toBe(meaning);
});

test('a quantity is written with the decimals that it has', () => {
  expect(formatNumber(7.5, 3)).toBe('7,5');
  expect(formatNumber(1234.125, 3)).toBe('1234,125');
  expect(formatNumber(2, 3)).toBe('2');
});

test('a quantity from a time with decimals is written as it is where they are not taken', () => {
  expect(formatNumber(7.5, 0)).toBe('7,5');
  expect(formatNumber(-1.6, 0)).toBe('\u22121,6');
  expect(fieldNumber(formatNumber(7.5, 0), 0)).toEqual({ value: 7.5, fault: 'notWhole' });
});

test('an arrow key steps by 1, with Shift by 10, with Ctrl or Meta by a tenth', () => {
  const up = { key: 'ArrowUp', shiftKey: false, ctrlKey: false, metaKey: false };
  expect(stepOf(up, 2)).toBe(1);
  expect(stepOf({ ...up, shiftKey: true }, 2)).toBe(10);
  expect(stepOf({ ...up, ctrlKey: true }, 2)).toBe(0.1);
  expect(stepOf({ ...up, key: 'ArrowDown', metaKey: true }, 3)).toBe(-0.1);
  expect(stepOf({ ...up, key: 'ArrowDown' }, 0)).toBe(-1);
  expect(stepOf({ ...up, key: 'ArrowDown', metaKey: true }, 0)).toBe(0);
  expect(stepOf({ ...up, key: 'a' }, 2)).toBe(0);
});

test('a step is exact, begins at nothing and stays within the bounds', () => {
  expect(stepped(0.2, 0.1, {})).toBe(0.3);
  expect(stepped(null, 1, {})).toBe(1);
  expect(stepped(1, -0.1, { min: 1 })).toBe(1);
  expect(stepped(95, 10, { max: 100 })).toBe(100);
  // A step down to the fractional minimum 0.001 is not taken.
  expect(stepped(1, -1, { min: 0.001 })).toBe(1);
  expect(stepped(2.5, -1, { min: 0.001 })).toBe(1.5);
  expect(stepped(0.5, -0.1, { min: 0.001 })).toBe(0.4);
});

test.each([0, 7, 999, 1000, 12_345, 1_234_567, -5000, Number.MAX_SAFE_INTEGER])(
  '%d is written as Norwegian is',
  (count) => {
    expect(showCount(count)).toBe(count.toLocaleString('nb-NO'));
  },
);

test('one thing has the singular', () => {
  expect([1, 2, 1000].map((count) => countOf(count, 'kunde', 'kunder'))).toEqual([
    '1 kunde',
    '2 kunder',
    '1\u00A0000 kunder',
  ]);
});
