import { expect, test } from 'vitest';

import { isUnderWay, pollEvery } from './invoice.queries.ts';
import { isOverdue } from './overdue.ts';

test('an invoice is asked for again while it is on its way, and no longer', () => {
  expect(isUnderWay({ status: 'REGISTERED', deliveryStatus: 'PENDING' })).toBe(true);
  expect(isUnderWay({ status: 'REGISTERED', deliveryStatus: 'QUEUED' })).toBe(true);
  expect(isUnderWay({ status: 'REGISTERED', deliveryStatus: 'SENT' })).toBe(false);
  expect(isUnderWay({ status: 'REGISTERED', deliveryStatus: null })).toBe(false);
  expect(isUnderWay({ status: 'CANCELLED', deliveryStatus: 'QUEUED' })).toBe(true);
  expect(isUnderWay({ status: 'DRAFT', deliveryStatus: 'PENDING' })).toBe(false);
});

test('it is asked for quickly for a minute, and again after each new sending', () => {
  const query = { state: { dataUpdateCount: 3 } };
  const first = { uuid: 'a', deliveryStatus: 'PENDING' } as const;
  expect(pollEvery(query, [first])).toBe(2_000);
  query.state.dataUpdateCount += 29;
  expect(pollEvery(query, [first])).toBe(2_000);
  query.state.dataUpdateCount += 1;
  expect(pollEvery(query, [first])).toBe(15_000);
  expect(pollEvery(query, [first, { uuid: 'b', deliveryStatus: 'PENDING' }])).toBe(2_000);
  query.state.dataUpdateCount += 30;
  expect(pollEvery(query, [first])).toBe(2_000);
  expect(pollEvery(query, [])).toBe(false);
  query.state.dataUpdateCount += 100;
  expect(pollEvery(query, [first])).toBe(2_000);
});

test('an invoice is overdue the day after it should have been paid', () => {
  const sent = { kind: 'INVOICE', status: 'REGISTERED', deliveryStatus: 'SENT' } as const;
  const due = { ...sent, dueDate: '2026-11-21' };
  expect(isOverdue(due, '2026-11-21')).toBe(false);
  expect(isOverdue(due, '2026-11-22')).toBe(true);
  expect(isOverdue({ ...due, status: 'PAID' }, '2026-11-22')).toBe(false);
  expect(isOverdue({ ...due, deliveryStatus: 'QUEUED' }, '2026-11-22')).toBe(false);
});
