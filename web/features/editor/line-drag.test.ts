import { expect, test } from 'vitest';

import { placeOf, shiftOf } from './line-drag.ts';

const boxes = [0, 100, 200, 300].map((top) => ({ top, height: 88 }));

test('a line is put where its middle has passed the middles of others', () => {
  expect(placeOf(1, 0, boxes)).toBe(1);
  expect(placeOf(1, 99, boxes)).toBe(1);
  expect(placeOf(1, 101, boxes)).toBe(2);
  expect(placeOf(1, 2_000, boxes)).toBe(3);
  expect(placeOf(1, -101, boxes)).toBe(0);
  expect(placeOf(3, -2_000, boxes)).toBe(0);
});

test('the others make room', () => {
  const shifts = (from: number, to: number) =>
    boxes.map((_, index) => shiftOf(index, { from, to, offset: 7, height: 88 }));
  expect(shifts(0, 2)).toEqual([7, -100, -100, 0]);
  expect(shifts(3, 1)).toEqual([0, 100, 100, 7]);
  expect(shifts(1, 1)).toEqual([0, 7, 0, 0]);
});
