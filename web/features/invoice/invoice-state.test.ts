import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../../domain/date.ts';
import { stateText } from './detail/InvoiceSummary.tsx';
import { DELIVERY_STATUS_LABELS, STATUS_LABELS } from './invoice-labels.ts';
import { isUnderWay } from './invoice.api.ts';
import { isOverdue } from './overdue.ts';
import { StatusPill } from './StatusBadge.tsx';

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

const delivered = (status: 'SENT' | 'FAILED' | 'QUEUED', address = 'faktura@nordnes.no') => [
  {
    uuid: 'd',
    deliveryType: 'EMAIL' as const,
    status,
    recipient: address,
    recipients: [{ address, status, reason: null }],
    unreached: [],
    sentTime: null,
    failureReason: null,
    waitingReason: null,
    deferredUntil: null,
    unconfirmed: false,
    stoppedBy: null,
  },
];

const DUE: Omit<Parameters<typeof stateText>[0], 'status'> = {
  kind: 'INVOICE',
  deliveryType: 'NONE',
  deliveries: [],
  grossAmount: 1250,
  dueDate: '2026-12-13',
  paidDate: null,
  disputed: false,
};

test.each([
  ['PENDING', 'Venter'],
  ['QUEUED', 'Lagt i kø'],
  ['SENT', 'Utsendt'],
  ['FAILED', 'Feilet'],
] as const)('a delivery that is %s is called %s (DEL-2, DEL-4)', (status, text) => {
  expect(DELIVERY_STATUS_LABELS[status].text).toBe(text);
});

// INV-38
test.each([
  [{}, 'Ikke registrert ennå'],
  [{ status: 'PAID', paidDate: '2026-11-12' }, 'Betalt 12.11.2026'],
  [{ status: 'CANCELLED', creditedAmount: 1250 }, 'Kreditert'],
  [{ dueDate: '2026-10-30' }, 'Ikke sendt herfra, forfalt for 30 dager siden'],
  [
    { deliveries: delivered('SENT'), dueDate: '2026-11-29' },
    'Sendt til faktura@nordnes.no, forfaller i dag',
  ],
  [
    { deliveries: delivered('FAILED'), dueDate: '2026-11-30' },
    'Kom ikke fram til faktura@nordnes.no, forfaller om 1 dag',
  ],
  [{ deliveryType: 'EMAIL', kind: 'CREDIT_NOTE' }, 'Venter på å bli sendt'],
  [
    { deliveries: delivered('QUEUED'), disputed: true, dueDate: '2026-12-01' },
    'Sendes til faktura@nordnes.no, forfaller om 2 dager, bestridt',
  ],
] as const)('an invoice says its state in a sentence: %o', (fields, sentence) => {
  const status = Object.keys(fields).length === 0 ? 'DRAFT' : 'REGISTERED';
  expect(stateText({ ...DUE, status, ...fields }, '2026-11-29', true)).toBe(sentence);
});

test('badges have the colours of their states (INV-22)', () => {
  const { CANCELLED, PAID, REGISTERED } = STATUS_LABELS;
  expect([CANCELLED.tone, PAID.tone, REGISTERED.tone]).toEqual(['gray', 'green', 'blue']);
  const { FAILED, QUEUED, SENT } = DELIVERY_STATUS_LABELS;
  expect([FAILED.tone, QUEUED.tone, SENT.tone]).toEqual(['red', 'purple', 'green']);
});

const LATE = { dueDate: addDays(todayInOslo(), -2) };
const PART_PAID = { paidAmount: 250, amountDue: 1000 };
const DISPUTED = { disputed: true };

test.each([
  [{}, 'Registrert', ''],
  [{ status: 'PAID', ...LATE }, 'Betalt', ''],
  [{ deliveries: delivered('SENT') }, 'Utsendt', ''],
  [{ deliveries: delivered('SENT'), ...PART_PAID }, 'Delvis betalt, rest 1 000,00', 'Utsendt'],
  [{ ...DISPUTED, ...PART_PAID }, 'Bestridt', 'Delvis betalt, rest 1 000,00'],
  [{ ...LATE, ...DISPUTED }, 'Forfalt 2 dager', 'Bestridt'],
  [{ deliveries: delivered('FAILED'), ...LATE }, 'Feilet', 'Forfalt 2 dager'],
] as const)('of %o one badge says what matters most (INV-36)', (fields, badge, rest) => {
  const invoice = {
    ...DUE,
    status: 'REGISTERED' as const,
    deliveryStatus: null,
    dueDate: '2099-01-01',
    paidAmount: 0,
    amountDue: 1250,
    ...fields,
  };
  const html = renderToStaticMarkup(createElement(StatusPill, { invoice, showsDisputes: true }));
  const text = html.replaceAll(/<[^>]*>/g, '').replaceAll('\u00A0', ' ');
  expect(text).toBe(badge + rest);
  expect(html.match(/data-tone/g)).toHaveLength(1);
  expect(html.indexOf('data-tone')).toBeLessThan(html.indexOf(badge.slice(0, 6)));
});
