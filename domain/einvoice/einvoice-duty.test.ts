import { expect, test } from 'vitest';

import { dutyReasonOf, isAskedAbout, verdictOf } from './einvoice-duty.ts';

const BUSINESS = {
  isPrivate: false,
  country: null,
  orgNumber: '974760673',
  isExempt: false,
  day: '2027-01-01',
};

// EINV-2
test.each([
  ['BUSINESS', {}],
  ['BUSINESS', { country: 'NO', day: '2027-12-31' }],
  ['BEFORE_2027', { day: '2026-12-31' }],
  ['SELLER_EXEMPT', { isExempt: true }],
  ['SELLER_EXEMPT', { isExempt: true, day: '2026-12-31' }],
  ['BUYER_WITHOUT_NUMBER', { orgNumber: null, isExempt: true }],
  ['BUYER_ABROAD', { country: 'SE', orgNumber: null }],
  ['BUYER_ABROAD', { country: 'SE' }],
  ['BUYER_PRIVATE', { isPrivate: true, country: 'SE', orgNumber: null }],
])('the reason is the first that fits: %s', (reason, facts) => {
  expect(dutyReasonOf({ ...BUSINESS, ...facts })).toBe(reason);
});

// EINV-3
test('the network is asked about Norwegian businesses alone', () => {
  const asked = ['SELLER_EXEMPT', 'BEFORE_2027', 'BUSINESS'] as const;
  const unasked = ['BUYER_PRIVATE', 'BUYER_ABROAD', 'BUYER_WITHOUT_NUMBER'] as const;
  expect([...asked, ...unasked].filter(isAskedAbout)).toEqual(asked);
});

// EINV-5
test('the verdict is the first that fits', () => {
  for (const outcome of ['REACHABLE', 'NOT_REGISTERED', 'UNKNOWN', null]) {
    expect(verdictOf(true, outcome)).toBe('EHF');
  }
  for (const outcome of ['NOT_REGISTERED', 'FORMAT_UNSUPPORTED']) {
    expect(verdictOf(false, outcome)).toBe('RECIPIENT_CANNOT');
  }
  for (const outcome of ['UNKNOWN', 'NOT_ASKED', null]) {
    expect(verdictOf(false, outcome)).toBe('NO_ANSWER');
  }
  expect(verdictOf(false, 'REACHABLE')).toBe('OTHER_WAY');
});
