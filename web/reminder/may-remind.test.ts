import { expect, test } from 'vitest';

import { whyNotRemind } from './may-remind.ts';

const LATE = {
  kind: 'INVOICE',
  status: 'REGISTERED',
  disputed: false,
  amountDue: 1250,
  dueDate: '2026-11-20',
} as const;

test.each([
  [{}, null],
  [{ kind: 'CREDIT_NOTE' as const }, 'En kreditnota skal ikke betales.'],
  [{ status: 'DRAFT' as const }, 'Fakturaen er et utkast og er ikke sendt ennå.'],
  [{ status: 'PAID' as const, amountDue: 0 }, 'Fakturaen er betalt.'],
  [{ status: 'CANCELLED' as const, amountDue: 0 }, 'Fakturaen er kreditert.'],
  [{ disputed: true }, 'Kunden har bestridt fakturaen.'],
  [{ amountDue: 0 }, 'Det er ikke noe igjen å betale.'],
  [{ dueDate: '2026-11-22' }, 'Fakturaen forfaller i dag.'],
  // A Saturday, looked at on Sunday.
  [
    { dueDate: '2026-11-21' },
    'Forfallsdatoen var en fridag, så fakturaen kan betales til og med 23.11.2026.',
  ],
  [{ dueDate: '2026-12-01' }, 'Fakturaen forfaller 01.12.2026.'],
])('an invoice that is late, but %o', (difference, reason) => {
  expect(whyNotRemind({ ...LATE, ...difference }, '2026-11-22')).toBe(reason);
});
