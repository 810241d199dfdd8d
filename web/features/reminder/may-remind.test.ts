import { expect, test } from 'vitest';

import { whyNotRemind } from './may-remind.ts';

const LATE = {
  kind: 'INVOICE',
  status: 'REGISTERED',
  disputed: false,
  amountDue: 1250,
  dueDate: '2026-11-20',
  paymentDeadline: '2026-11-20',
  deliveryStatus: null,
} as const;

function due(dueDate: string) {
  return { dueDate, paymentDeadline: dueDate };
}

// REM-6
test.each([
  [{}, null],
  [{ kind: 'CREDIT_NOTE' as const }, 'En kreditnota skal ikke betales.'],
  [{ status: 'DRAFT' as const }, 'Fakturaen er et utkast og er ikke sendt ennå.'],
  [{ status: 'PAID' as const, amountDue: 0 }, 'Fakturaen er betalt.'],
  [{ status: 'CANCELLED' as const, amountDue: 0 }, 'Fakturaen er kreditert.'],
  [{ disputed: true }, 'Kunden har bestridt fakturaen.'],
  [{ amountDue: 0 }, 'Det er ikke noe igjen å betale.'],
  [due('2026-11-22'), 'Fakturaen forfaller i dag.'],
  // The due date is a Saturday, and today is Sunday.
  [
    due('2026-11-21'),
    'Forfallsdatoen var en fridag, så fakturaen kan betales til og med 23.11.2026.',
  ],
  [due('2026-12-01'), 'Fakturaen forfaller 01.12.2026.'],
  // The due date is a Saturday.
  [
    { paymentDeadline: '2026-12-05' },
    'Fakturaen ble sendt sent, så den kan betales til og med 07.12.2026.',
  ],
  [
    { paymentDeadline: '2026-11-21', dueDate: '2026-11-01' },
    'Fakturaen ble sendt sent, så den kan betales til og med 23.11.2026.',
  ],
  [{ paymentDeadline: null, deliveryStatus: 'QUEUED' as const }, 'Fakturaen er ikke sendt ennå.'],
  [
    { paymentDeadline: null, deliveryStatus: 'FAILED' as const },
    'Fakturaen kom ikke fram til kunden. Send den på nytt.',
  ],
])('an invoice that is late, but %o', (difference, reason) => {
  expect(whyNotRemind({ ...LATE, ...difference }, '2026-11-22')).toBe(reason);
});
