import { expect, test } from 'vitest';

import { movedTo } from './proposal-choice.ts';

test('the arrows go round over the proposals and none of them', () => {
  const way = (key: string) => [-1, 0, 1, 2].map((active) => movedTo(key, active, 3));
  expect(way('ArrowDown')).toEqual([0, 1, 2, -1]);
  expect(way('ArrowUp')).toEqual([2, -1, 0, 1]);
  expect(way('Enter')).toEqual([undefined, undefined, undefined, undefined]);
});
