import { describe, expect, test } from 'vitest';

import { paymentDeadline, presentedOn } from './claim.ts';

const REGISTERED = '2026-06-01';

function sent(status: 'SENT' | 'FAILED' | 'QUEUED', day: string | null) {
  return { status, sentTime: day === null ? null : new Date(`${day}T10:00:00Z`) };
}

// REM-1
describe('the day on which a customer was asked to pay', () => {
  test.each([
    ['a draft', { deliveryType: 'EMAIL', registeredOn: null, deliveries: [] }, null],
    ['what waits', { deliveryType: 'EMAIL', deliveries: [sent('QUEUED', null)] }, null],
    ['what was refused', { deliveryType: 'EMAIL', deliveries: [sent('FAILED', null)] }, null],
    ['what came back', { deliveryType: 'EMAIL', deliveries: [sent('FAILED', '2026-06-01')] }, null],
    [
      'what was refused, and sent later',
      { deliveryType: 'EMAIL', deliveries: [sent('FAILED', null), sent('SENT', '2026-06-20')] },
      '2026-06-20',
    ],
    [
      'what was sent twice',
      { deliveryType: 'EHF', deliveries: [sent('SENT', '2026-06-03'), sent('SENT', '2026-07-20')] },
      '2026-06-03',
    ],
    [
      'what was given by hand, and mailed later',
      { deliveryType: 'NONE', deliveries: [sent('SENT', '2026-07-20')] },
      '2026-06-01',
    ],
  ] as const)('of %s', (_, change, day) => {
    expect(presentedOn({ registeredOn: REGISTERED, ...change })).toBe(day);
  });
});

// REM-1
test.each([
  ['2026-06-15', '2026-06-01', '2026-06-15'],
  ['2026-06-15', '2026-06-02', '2026-06-16'],
  ['2026-06-15', '2026-11-25', '2026-12-09'],
  // An issue date in the future.
  ['2027-01-24', '2026-11-25', '2027-01-24'],
])('due %s and asked for on %s is in time through %s', (dueDate, day, deadline) => {
  expect(paymentDeadline({ dueDate, dueDays: 14, presentedOn: day })).toBe(deadline);
});
