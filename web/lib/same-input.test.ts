import { expect, test } from 'vitest';

import { changedFields, isSameInput } from './same-input.ts';

test.each<[unknown, unknown, boolean]>([
  ['', null, true],
  [undefined, '', true],
  [0, null, false],
  [false, undefined, false],
  ['a', 'a', true],
  ['a', 'b', false],
  [NaN, NaN, true],
  [NaN, null, false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, null], false],
  [{ a: '', b: 1 }, { b: 1 }, true],
  [{ lines: [{ price: 1 }] }, { lines: [{ price: 2 }] }, false],
  [{ lines: [{ price: 1 }] }, { lines: [] }, false],
  [{ a: 1 }, 'a', false],
])('%j and %j: %s', (left, right, isSame) => {
  expect(isSameInput(left, right)).toBe(isSame);
});

test('what differs is named by its field', () => {
  const before = { name: 'Kari', email: null, lines: [{ price: 1 }] };
  const after = { name: 'Kari N', email: '', lines: [{ price: 2 }] };
  expect(changedFields(before, after)).toEqual(['name', 'lines']);
});
