import { expect, test } from 'vitest';

import {
  canBecome,
  canBeResent,
  canChange,
  deletableStatus,
  INVOICE_STATUSES,
  isShownStamped,
} from './invoice.status.ts';

// INV-19
test('only a registered invoice can be marked paid, and only a paid one unpaid', () => {
  expect(INVOICE_STATUSES.filter((status) => canBecome(status, 'PAID'))).toEqual(['REGISTERED']);
  expect(canBecome('PAID', 'REGISTERED')).toBe(true);
});

test('a credit note never changes, nor does a cancelled invoice', () => {
  const changeable = (kind: 'INVOICE' | 'CREDIT_NOTE') =>
    INVOICE_STATUSES.filter((status) => canChange({ kind, status }));
  expect(changeable('INVOICE')).toEqual(['DRAFT', 'REGISTERED', 'PAID']);
  expect(changeable('CREDIT_NOTE')).toEqual([]);
});

test('a draft is deleted, a registered invoice credited; a paid one is credited only with payments on', () => {
  const deletable = (kind: 'INVOICE' | 'CREDIT_NOTE', payments: boolean) =>
    INVOICE_STATUSES.filter((status) => deletableStatus({ kind, status }, { payments }));
  expect(deletable('INVOICE', false)).toEqual(['DRAFT', 'REGISTERED']);
  expect(deletable('INVOICE', true)).toEqual(['DRAFT', 'REGISTERED', 'PAID']);
  expect(deletable('CREDIT_NOTE', true)).toEqual([]);
});

test('a failed delivery can be repeated unless the invoice is cancelled', () => {
  expect(canBeResent({ status: 'PAID', deliveryStatus: 'FAILED' })).toBe(true);
  expect(canBeResent({ status: 'CANCELLED', deliveryStatus: 'FAILED' })).toBe(false);
  expect(canBeResent({ status: 'REGISTERED', deliveryStatus: 'SENT' })).toBe(false);
});

test('a settled invoice is shown stamped unless it was sent', () => {
  expect(isShownStamped({ status: 'PAID', deliveryStatus: null })).toBe(true);
  expect(isShownStamped({ status: 'CANCELLED', deliveryStatus: 'SENT' })).toBe(false);
  expect(isShownStamped({ status: 'REGISTERED', deliveryStatus: 'FAILED' })).toBe(false);
});
