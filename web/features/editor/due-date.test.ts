import { expect, test } from 'vitest';

import { daysUntil, dueDateAfter } from './due-date.ts';

test('days lead to a date, and the date back to the days, over a leap day and a clock change', () => {
  expect(dueDateAfter('2026-10-20', 14)).toBe('2026-11-03');
  expect(dueDateAfter('2028-02-20', 14)).toBe('2028-03-05');
  for (const days of [1, 14, 365, 36_500]) {
    expect(daysUntil('2026-10-20', dueDateAfter('2026-10-20', days))).toBe(days);
  }
});

test('days that an invoice cannot have are counted all the same, so that they are seen and refused', () => {
  for (const days of [0, -1, -300, 36_501, 99_999]) {
    expect(daysUntil('2026-10-20', dueDateAfter('2026-10-20', days))).toBe(days);
  }
});

test('what is no number of days, or no date, leads nowhere', () => {
  expect(dueDateAfter('2026-10-20', null)).toBe('');
  expect(dueDateAfter('2026-10-20', 1.5)).toBe('');
  expect(dueDateAfter('2026-10-20', NaN)).toBe('');
  expect(dueDateAfter('2026-10-20', 9e15)).toBe('');
  expect(dueDateAfter('2026-02-30', 14)).toBe('');
  expect(dueDateAfter('', 14)).toBe('');
  expect(daysUntil('2026-10-20', '20.11')).toBeNull();
  expect(daysUntil('', '2026-10-20')).toBeNull();
});
