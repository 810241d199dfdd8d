import { describe, expect, test } from 'vitest';

import { BUILT_IN_RATES } from '../../domain/late-payment/rates.ts';
import { ore } from '../../domain/money.ts';
import { DEFAULT_REMINDER_SETTINGS } from '../../domain/profile/reminder-settings.schema.ts';
import { sentenceOf } from '../errors.ts';
import {
  judgeBankFiles,
  judgeProposal,
  type Candidate,
  type Circumstances,
} from './proposal-judging.ts';

// A Monday.
const DUE = '2026-08-31';

function judge(
  change: Partial<Candidate> = {},
  today = '2026-09-03',
  other: Partial<Circumstances> = {},
) {
  const candidate: Candidate = {
    dueDate: DUE,
    isBusiness: true,
    claim: ore(10_000_00),
    amountDue: ore(10_000_00),
    settlements: [],
    reminderAmount: ore(0),
    interestAsked: ore(0),
    disputed: false,
    deliveryType: 'EMAIL',
    deliveryStatus: 'SENT',
    credit: ore(0),
    mayBePaid: false,
    recipient: 'kunde@example.no',
    isSuppressed: false,
    sent: [],
    lastDelivery: null,
    ...change,
  };
  return judgeProposal(candidate, {
    today,
    steps: DEFAULT_REMINDER_SETTINGS.steps,
    minimumAmount: ore(100_00),
    rates: BUILT_IN_RATES,
    switches: { debtCollectionNotice: false },
    bankFiles: 'FRESH',
    ...other,
  });
}

function wordsOf(judged: ReturnType<typeof judge>): string | null {
  return judged?.waits ? sentenceOf(judged.waits.reason, 'nb') : null;
}

const FREE = { sentOn: '2026-09-03', dueDate: '2026-09-17', fee: ore(0), compensation: ore(0) };
const NOTICE = {
  sentOn: '2026-09-18',
  dueDate: '2026-10-02',
  fee: ore(37_50),
  compensation: ore(0),
};

describe('proposals', () => {
  test('the first step is proposed from its day on, and nothing before', () => {
    expect(judge({}, '2026-09-02')).toBeNull();
    expect(judge()).toEqual({
      next: { step: 1, kind: 'REMINDER', fee: false, interest: false, from: '2026-09-03' },
      newDueDate: '2026-09-17',
      claim: { fee: 0, interest: 0, amount: 10_000_00 },
      waits: null,
    });
  });

  test('the next step is proposed after the deadline of the previous one, with fee and interest', () => {
    const sent = [FREE];
    expect(judge({ sent }, '2026-09-17')).toBeNull();
    // 18 days of 12.25 per cent.
    expect(judge({ sent }, '2026-09-18')).toMatchObject({
      next: { step: 2, kind: 'NOTICE' },
      claim: { fee: 37_50, interest: 60_41, amount: 10_097_91 },
      waits: null,
    });
  });

  // REM-4
  test('nothing is proposed after the last step, nor for a paid invoice', () => {
    const third = { ...NOTICE, sentOn: '2026-10-05', dueDate: '2026-10-19' };
    expect(judge({ sent: [FREE, NOTICE, third] }, '2026-12-01')).toBeNull();
    expect(judge({ amountDue: ore(0) })).toBeNull();
  });

  test('the claim includes earlier fees, and interest counted anew', () => {
    const asked = { reminderAmount: ore(97_91), interestAsked: ore(60_41) };
    const again = { sent: [FREE, NOTICE], ...asked };
    // 35 days.
    expect(judge(again, '2026-10-05')?.claim).toEqual({
      fee: 37_50,
      interest: 117_47,
      amount: 10_192_47,
    });
  });

  test('the claim keeps earlier interest when the step asks for none', () => {
    const asked = { reminderAmount: ore(97_91), interestAsked: ore(60_41) };
    const steps = [FREE, NOTICE, NOTICE].map(() => ({
      days: 14,
      kind: 'REMINDER' as const,
      fee: false,
      interest: false,
    }));
    const judged = judge({ sent: [FREE, NOTICE], ...asked }, '2026-10-05', { steps });
    expect(judged?.claim).toEqual({ fee: 0, interest: 0, amount: 10_097_91 });
  });

  test('after a part payment, interest runs on the rest from the next day', () => {
    const settlements = [{ date: '2026-09-10', amount: ore(6000_00) }];
    const part = { sent: [FREE], settlements, amountDue: ore(4000_00) };
    // 10 days of 10 000 kr and 8 of 4 000 kr.
    expect(judge(part, '2026-09-18')?.claim).toEqual({
      fee: 37_50,
      interest: 44_30,
      amount: 4081_80,
    });
  });
});

// REM-24
describe('a reminder waits', () => {
  test.each<[string, Partial<Candidate>, string]>([
    ['DISPUTED', { disputed: true }, 'Kunden har bestridt kravet'],
    ['CREDIT', { credit: ore(50_00) }, 'Kunden har 50,00 kr til gode'],
    [
      'UNPLACED_PAYMENT',
      { mayBePaid: true },
      'En innbetaling som ikke er koblet til faktura, kan gjelde denne. Koble den først.',
    ],
    ['NOT_DELIVERED', { deliveryStatus: 'FAILED' }, 'Fakturaen kom ikke fram til kunden'],
    ['UNDER_WAY', { deliveryStatus: 'QUEUED' }, 'Fakturaen er ikke sendt ennå'],
    ['UNDER_WAY', { deliveryStatus: 'PENDING' }, 'Fakturaen er ikke sendt ennå'],
    [
      'SUPPRESSED_ADDRESS',
      { isSuppressed: true },
      'Adressen har avvist e-post tidligere og får ikke mer. Rett den hos kunden først.',
    ],
    ['BELOW_MINIMUM', { amountDue: ore(99_99) }, 'Under minstebeløpet på 100,00 kr'],
  ])('as %s', (code, change, message) => {
    const judged = judge(change);
    expect([judged?.waits?.code, wordsOf(judged)]).toEqual([code, message]);
  });

  test('while the previous reminder is not delivered', () => {
    const again = (lastDelivery: Candidate['lastDelivery']) =>
      judge({ sent: [FREE], lastDelivery }, '2026-09-18')?.waits?.code;
    expect(again('QUEUED')).toBe('UNDER_WAY');
    expect(again('FAILED')).toBe('NOT_DELIVERED');
    expect(again('SENT')).toBeUndefined();
    // Printed, or stopped because something was paid.
    expect(again(null)).toBeUndefined();
  });

  test('but not for an invoice that was handed over and never mailed', () => {
    expect(judge({ deliveryType: 'NONE', deliveryStatus: null })?.waits).toBeNull();
    expect(
      judge({ deliveryType: 'NONE', deliveryStatus: null, recipient: null })?.waits,
    ).toBeNull();
  });

  test('for a rate that is missing, and names it', () => {
    const judged = judge({ dueDate: '2026-12-01', sent: [] }, '2027-01-20', {
      steps: [{ days: 14, kind: 'NOTICE', fee: true, interest: true }],
    });
    expect(judged).toMatchObject({ claim: null, waits: { code: 'NO_RATE' } });
    expect(wordsOf(judged)).toBe('Satsen for 1. halvår 2027 mangler');
    // A step without fee and interest needs no rate.
    expect(judge({ dueDate: '2026-12-01' }, '2027-01-20')?.waits).toBeNull();
  });

  test('while the operator has not turned on debt collection notices', () => {
    const steps = [
      { days: 14, kind: 'DEBT_COLLECTION_NOTICE', fee: true, interest: true },
    ] as const;
    const off = judge({}, '2026-09-14', { steps });
    expect(off?.waits).toMatchObject({
      code: 'LAW',
      reason: { code: 'reminder_refused', subject: 'DEBT_COLLECTION_NOTICE_OFF' },
    });
    const on = judge({}, '2026-09-14', { steps, switches: { debtCollectionNotice: true } });
    expect(on?.waits).toBeNull();
  });

  test('for another day when one was sent today (REM-22)', () => {
    // A deadline that has passed keeps nothing else back.
    const sent = [{ ...FREE, sentOn: '2026-09-18' }];
    expect(judge({ sent }, '2026-09-18')?.waits).toMatchObject({
      code: 'LAW',
      reason: { code: 'reminder_refused', subject: 'REMINDED_TODAY' },
    });
    expect(judge({ sent }, '2026-09-19')?.waits).toBeNull();
  });

  test('for a newer bank file', () => {
    const waits = { code: 'BANK_FILE_OLD', reason: { code: 'bank_file_old' } };
    expect(judge({}, undefined, { bankFiles: 'OLD' })?.waits).toMatchObject(waits);
    expect(judge({}, undefined, { bankFiles: 'NONE' })?.waits).toBeNull();
    // A newer file would not let this one be sent.
    const small = judge({ amountDue: ore(99_99) }, undefined, { bankFiles: 'OLD' });
    expect(small?.waits?.code).toBe('BELOW_MINIMUM');
  });
});

// REM-24
describe('the bank files are', () => {
  const today = '2026-09-10';
  test.each([
    // A Thursday: the Friday before is four working days ago.
    ['FRESH', '2026-09-04', '2026-09-03'],
    ['OLD', '2026-09-03', '2026-09-02'],
    ['FRESH', '2026-09-10', null],
    ['FRESH', '2026-09-10', '2026-08-27'],
    ['OLD', '2026-09-10', '2026-08-26'],
  ])(
    '%s when the newest was read on %s and tells of days through %s',
    (expected, readOn, through) => {
      const older = { readOn: '2026-01-02', through: null };
      expect(judgeBankFiles([older, { readOn, through }], today)).toBe(expected);
    },
  );

  test('NONE when no file was read', () => {
    expect(judgeBankFiles([], today)).toBe('NONE');
  });
});
