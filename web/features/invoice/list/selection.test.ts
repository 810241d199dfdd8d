import { expect, test } from 'vitest';

import { between, toggled } from './selection.tsx';
import { keyOf, nextSort, sortIn } from './useListView.ts';

test('a range is what lies between two rows, whichever came first', () => {
  const order = ['a', 'b', 'c', 'd'];
  expect(between(order, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(between(order, 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(between(order, undefined, 'c')).toEqual(['c']);
  // The row that was clicked last is no longer in the list.
  expect(between(order, 'x', 'c')).toEqual(['c']);
  expect([...toggled(new Set(['a', 'b']), ['b', 'c'], true)].toSorted()).toEqual(['a', 'b', 'c']);
  expect([...toggled(new Set(['a', 'b']), ['b', 'c'], false)]).toEqual(['a']);
});

test('a heading sorts in its usual order, then the other way, then not at all', () => {
  expect(nextSort(undefined, 'due_date')).toBe('due_date');
  expect(nextSort('due_date', 'due_date')).toBe('-due_date');
  expect(nextSort('-due_date', 'due_date')).toBeUndefined();
  expect(nextSort('due_date', 'amount')).toBe('-amount');
  expect(nextSort('-amount', 'amount')).toBe('amount');
  expect(keyOf('-issue_date')).toBe('issue_date');
  expect(sortIn(new URLSearchParams('sort=-amount'))).toBe('-amount');
  expect(sortIn(new URLSearchParams('sort=colour'))).toBeUndefined();
});
