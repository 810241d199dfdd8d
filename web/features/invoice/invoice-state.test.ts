import { expect, test } from 'vitest';

import { isUnderWay } from './invoice.api.ts';
import { isOverdue } from './overdue.ts';

test('an invoice is asked for again while it is on its way, and no longer', () => {
  expect(isUnderWay({ status: 'REGISTERED', deliveryStatus: 'PENDING' })).toBe(true);
  expect(isUnderWay({ status: 'REGISTERED', deliveryStatus: 'QUEUED' })).toBe(true);
  expect(isUnderWay({ status: 'REGISTERED', deliveryStatus: 'SENT' })).toBe(false);
  expect(isUnderWay({ status: 'REGISTERED', deliveryStatus: null })).toBe(false);
  expect(isUnderWay({ status: 'CANCELLED', deliveryStatus: 'QUEUED' })).toBe(true);
  expect(isUnderWay({ status: 'DRAFT', deliveryStatus: 'PENDING' })).toBe(false);
});

test('an invoice is overdue the day after it should have been paid, however it was delivered', () => {
  const dueDate = '2026-11-21';
  const due = { kind: 'INVOICE', status: 'REGISTERED', dueDate, grossAmount: 100 } as const;
  expect(isOverdue(due, '2026-11-21')).toBe(false);
  expect(isOverdue(due, '2026-11-22')).toBe(true);
  expect(isOverdue({ ...due, status: 'PAID' }, '2026-11-22')).toBe(false);
  expect(isOverdue({ ...due, kind: 'CREDIT_NOTE' }, '2026-11-22')).toBe(false);
  expect(isOverdue({ ...due, grossAmount: 0 }, '2026-11-22')).toBe(false);
  expect(isOverdue({ ...due, creditedAmount: 40 }, '2026-11-22')).toBe(true);
  expect(isOverdue({ ...due, creditedAmount: 100 }, '2026-11-22')).toBe(false);
});
