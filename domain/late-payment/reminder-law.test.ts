import { describe, expect, test } from 'vitest';

import { ore } from '../money.ts';
import type { ReminderKind } from './reminder-kind.ts';
import {
  deadlineOf,
  feeFrom,
  lateFrom,
  mayStillLeave,
  proposedDeadline,
  refusalOf,
  wasRemindedOn,
  type LateInvoice,
  type ReminderWish,
  type SentReminder,
} from './reminder-law.ts';
import { nextStep, stepByHand, type ReminderStep } from './reminder-steps.ts';

// A Monday.
const DUE = '2026-08-31';

function late(sent: readonly SentReminder[] = [], change: Partial<LateInvoice> = {}): LateInvoice {
  return { dueDate: DUE, isBusiness: true, sent, ...change };
}

function sent(sentOn: string, dueDate: string, fee = 0, compensation = 0): SentReminder {
  return { sentOn, dueDate, fee: ore(fee), compensation: ore(compensation) };
}

function notice(sentOn: string, change: Partial<ReminderWish> = {}): ReminderWish {
  const dueDate = proposedDeadline(sentOn);
  return { kind: 'NOTICE', sentOn, dueDate, fee: true, compensation: false, ...change };
}

function judged(invoice: LateInvoice, wish: ReminderWish, debtCollectionNotice = false) {
  return refusalOf(invoice, wish, { debtCollectionNotice });
}

const FREE = { kind: 'REMINDER', fee: false } as const;

describe('what the law allows', () => {
  // REM-7
  test('nothing before the invoice is late, a free reminder from then on', () => {
    expect(judged(late(), notice('2026-08-31', FREE))).toBe('NOT_LATE');
    expect(judged(late(), notice('2026-09-01', FREE))).toBeNull();
    const onSunday = late([], { dueDate: '2026-08-30' });
    expect(lateFrom(onSunday)).toBe('2026-09-01');
    expect(judged(onSunday, notice('2026-08-31', FREE))).toBe('NOT_LATE');
  });

  test('14 days from the day on which a notice with a fee was sent, even if it was delayed', () => {
    const { fee, dueDate } = sent('2026-09-14', '2026-09-28', 3750);
    expect(deadlineOf({ fee, dueDate }, '2026-09-14')).toBe('2026-09-28');
    expect(deadlineOf({ fee, dueDate }, '2026-09-17')).toBe('2026-10-01');
    expect(deadlineOf({ fee: ore(0), dueDate }, '2026-09-17')).toBe('2026-09-28');
  });

  // REM-2, REM-10
  test('a fee at the earliest 14 days after the due date', () => {
    expect(judged(late(), notice('2026-09-13'))).toBe('FEE_TOO_EARLY');
    expect(judged(late(), notice('2026-09-13', { fee: false }))).toBeNull();
    expect(judged(late(), notice('2026-09-14'))).toBeNull();
    const onSaturday = late([], { dueDate: '2026-08-29' });
    expect(judged(onSaturday, notice('2026-09-13'))).toBe('FEE_TOO_EARLY');
    expect(feeFrom(onSaturday)).toBe('2026-09-14');
  });

  // REM-10
  test('the second fee after the deadline of the first, and no third', () => {
    // 2026-10-03 is a Saturday: a payment on Monday the 5th is on time.
    const once = late([sent('2026-09-14', '2026-10-03', 37_50)]);
    expect(judged(once, notice('2026-10-05'))).toBe('FEE_BEFORE_DEADLINE');
    expect(judged(once, notice('2026-10-05', { fee: false }))).toBeNull();
    expect(judged(once, notice('2026-10-06'))).toBeNull();
    const twice = late([...once.sent, sent('2026-10-06', '2026-10-20', 37_50)]);
    expect(judged(twice, notice('2026-11-20'))).toBe('NO_FEE_LEFT');
    expect(judged(twice, notice('2026-11-20', { fee: false }))).toBeNull();
  });

  test('a reminder without a fee does not count towards the fees', () => {
    const reminded = late([sent('2026-09-03', '2026-09-17'), sent('2026-09-07', '2026-09-21')]);
    expect(judged(reminded, notice('2026-09-14'))).toBeNull();
  });

  // REM-8, REM-9
  test('at least 14 days to pay from the sending of a notice with a fee or of an inkassovarsel', () => {
    expect(judged(late(), notice('2026-09-14', { dueDate: '2026-09-27' }))).toBe(
      'DEADLINE_TOO_SOON',
    );
    expect(judged(late(), notice('2026-09-14', { dueDate: '2026-09-28' }))).toBeNull();
    expect(judged(late(), notice('2026-09-14', { fee: false, dueDate: '2026-09-14' }))).toBe(
      'DEADLINE_TOO_SOON',
    );
    expect(judged(late(), notice('2026-09-14', { fee: false, dueDate: '2026-09-15' }))).toBeNull();
    const warning = notice('2026-09-01', { kind: 'DEBT_COLLECTION_NOTICE', fee: false });
    expect(judged(late(), { ...warning, dueDate: '2026-09-14' }, true)).toBe('DEADLINE_TOO_SOON');
    expect(judged(late(), warning, true)).toBeNull();
  });

  // REM-9
  test('an inkassovarsel only when the operator has enabled it; its fee counts as one of the two', () => {
    const warning = notice('2026-10-06', { kind: 'DEBT_COLLECTION_NOTICE' });
    const once = late([sent('2026-09-14', '2026-10-03', 37_50)]);
    expect(judged(once, warning)).toBe('DEBT_COLLECTION_NOTICE_OFF');
    expect(judged(once, warning, true)).toBeNull();
    const twice = late([...once.sent, sent('2026-10-01', '2026-10-20', 37_50)]);
    expect(judged(twice, warning, true)).toBe('NO_FEE_LEFT');
  });

  // REM-7
  test('a betalingspåminnelse is free of charge', () => {
    expect(judged(late(), notice('2026-09-14', { kind: 'REMINDER' }))).toBe('FREE_OF_CHARGE');
    const asked = notice('2026-09-14', { ...FREE, compensation: true });
    expect(judged(late(), asked)).toBe('FREE_OF_CHARGE');
  });

  // REM-12
  test('standardkompensasjon for businesses only: once, from the first day, and never with a fee', () => {
    const wish = notice('2026-09-01', { fee: false, compensation: true });
    expect(judged(late(), wish)).toBeNull();
    expect(judged(late([], { isBusiness: false }), wish)).toBe('COMPENSATION_FROM_CONSUMER');
    expect(judged(late(), notice('2026-09-14', { compensation: true }))).toBe(
      'FEE_AND_COMPENSATION',
    );
    const taken = late([sent('2026-09-01', '2026-09-15', 0, 430_00)]);
    const later = { ...wish, sentOn: '2026-09-20', dueDate: '2026-10-05' };
    expect(judged(taken, later)).toBe('COMPENSATION_TAKEN');
    expect(judged(taken, notice('2026-09-20'))).toBe('FEE_AND_COMPENSATION');
    expect(feeFrom(taken)).toBeNull();
    const withFee = late([sent('2026-09-14', '2026-09-28', 37_50)]);
    expect(judged(withFee, later)).toBe('FEE_AND_COMPENSATION');
  });

  // REM-22
  test('a second reminder on one day is a hint, not a refusal', () => {
    const reminded = late([sent('2026-09-03', '2026-09-17')]);
    expect(wasRemindedOn(reminded, '2026-09-03')).toBe(true);
    expect(wasRemindedOn(reminded, '2026-09-04')).toBe(false);
    expect(judged(reminded, notice('2026-09-03', FREE))).toBeNull();
    const stopped = late([{ ...sent('2026-09-03', '2026-09-17'), stopped: true }]);
    expect(wasRemindedOn(stopped, '2026-09-03')).toBe(false);
  });

  // REM-27
  test('a delayed reminder is sent while its deadline still gives the customer time', () => {
    const until = { dueDate: '2026-09-17' } as const;
    const mayLeave = (kind: ReminderKind, today: string) =>
      mayStillLeave({ ...until, kind }, today);
    expect(mayLeave('NOTICE', '2026-09-16')).toBe(true);
    expect(mayLeave('NOTICE', '2026-09-17')).toBe(false);
    // inkassoloven § 9: 14 days from its sending
    expect(mayLeave('DEBT_COLLECTION_NOTICE', '2026-09-03')).toBe(true);
    expect(mayLeave('DEBT_COLLECTION_NOTICE', '2026-09-04')).toBe(false);
  });

  test('the proposed deadline is 14 days, extended to a working day', () => {
    expect(proposedDeadline('2026-11-23')).toBe('2026-12-07');
    expect(proposedDeadline('2026-12-11')).toBe('2026-12-28');
  });
});

describe('the next step', () => {
  const steps: readonly ReminderStep[] = [
    { days: 3, kind: 'REMINDER', fee: false, interest: false },
    { days: 14, kind: 'NOTICE', fee: true, interest: true },
    { days: 31, kind: 'NOTICE', fee: true, interest: true },
  ];

  // REM-22
  test('is the first unsent step, after the deadline of the previous one', () => {
    const [first, second, third] = [
      sent('2026-09-03', '2026-09-17'),
      sent('2026-09-18', '2026-10-02', 37_50),
      sent('2026-10-05', '2026-10-19', 37_50),
    ];
    expect(nextStep(steps, late())).toEqual({
      step: 1,
      kind: 'REMINDER',
      fee: false,
      interest: false,
      from: '2026-09-03',
    });
    expect(nextStep(steps, late([first]))).toMatchObject({ step: 2, from: '2026-09-18' });
    expect(nextStep(steps, late([first, second]))).toMatchObject({ step: 3, from: '2026-10-03' });
    expect(nextStep(steps, late([first, second, third]))).toBeNull();
  });

  test('is proposed by hand too, at once, and with a fee only where the law allows it (REM-6)', () => {
    const first = sent('2026-09-03', '2026-09-17');
    const notice = { kind: 'NOTICE', fee: false, interest: true };
    const byHand = (before: SentReminder[], day: string, debtCollectionNotice = false) =>
      stepByHand(steps, late(before), day, { debtCollectionNotice });
    expect(byHand([], '2026-09-01')).toMatchObject({ ...FREE, interest: false });
    expect(byHand([first], '2026-09-13')).toMatchObject(notice);
    expect(byHand([first], '2026-09-13').feeFrom).toBe('2026-09-14');
    expect(byHand([first], '2026-09-14')).toMatchObject({ ...notice, fee: true });
    // After the last step, that one again.
    expect(byHand([first, first, first], '2026-11-20')).toMatchObject({ ...notice, fee: true });
    expect(byHand([first], '2026-09-03').remindedToday).toBe(true);
    expect(byHand([first], '2026-09-04').remindedToday).toBe(false);
  });

  test('by hand is a debt collection notice only where the operator allows it (REM-9)', () => {
    const warning = [
      { days: 3, kind: 'DEBT_COLLECTION_NOTICE', fee: false, interest: true },
    ] as const;
    const proposed = (debtCollectionNotice: boolean) =>
      stepByHand(warning, late(), '2026-09-10', { debtCollectionNotice });
    expect(proposed(false)).toMatchObject({ kind: 'NOTICE', kinds: ['REMINDER', 'NOTICE'] });
    expect(proposed(true)).toMatchObject({ kind: 'DEBT_COLLECTION_NOTICE' });
    expect(proposed(true).kinds).toHaveLength(3);
  });

  test('waits until its fee is allowed, and has no fee when none is left', () => {
    const [, second] = steps;
    const byHand = [sent('2026-09-14', '2026-10-20', 37_50), sent('2026-09-16', '2026-09-30')];
    expect(nextStep(steps, late(byHand))).toMatchObject({ step: 3, fee: true, from: '2026-10-21' });
    const taken = late([sent('2026-09-01', '2026-09-15', 0, 430_00)]);
    expect(nextStep(steps, taken)).toMatchObject({ kind: second?.kind, step: 2, fee: false });
  });

  test('is always allowed by law on its day', () => {
    const all: SentReminder[] = [];
    for (let step = nextStep(steps, late(all)); step; step = nextStep(steps, late(all))) {
      const { kind, fee, from } = step;
      expect(judged(late(all), notice(from, { kind, fee }))).toBeNull();
      all.push(sent(from, proposedDeadline(from), fee ? 37_50 : 0));
    }
    expect(all).toHaveLength(3);
  });
});
