import { expect, test } from 'vitest';

import { addDays } from '../date.ts';
import { dueDatesOf, outstandingOf, shownTurnover } from './figures.ts';
import { AGES } from './overview.schema.ts';

test('OVER-2: last year begins with its first month of turnover', () => {
  const year = (...sums: number[]) => sums.map((lastYear) => ({ month: '', net: 1, lastYear }));
  const shown = (...sums: number[]) => shownTurnover(year(...sums)).map(({ lastYear }) => lastYear);
  expect(shown(0, 0, 5, 0, 7)).toEqual([null, null, 5, 0, 7]);
  expect(shown(-5, 0)).toEqual([-5, 0]);
  expect(shown(0, 0)).toEqual([0, 0]);
  expect(shown()).toEqual([]);
});

test('the due dates of each age are those of the invoices in its sum', () => {
  const asOf = '2026-11-26';
  const owed = Array.from({ length: 140 }, (_, index) => ({
    dueDate: addDays(asOf, 20 - index),
    amount: 100 * (index + 1),
    count: 1,
  }));
  const { ages } = outstandingOf(owed, asOf);
  for (const age of AGES) {
    const { from = '0000-01-01', to = '9999-12-31' } = dueDatesOf(age, asOf);
    const due = owed.filter(({ dueDate }) => dueDate >= from && dueDate <= to);
    const amount = due.reduce((sum, one) => sum + one.amount, 0) / 100;
    expect(ages.find((one) => one.age === age)).toEqual({ age, amount, count: due.length });
    expect(due.length).toBeGreaterThan(0);
  }
});
