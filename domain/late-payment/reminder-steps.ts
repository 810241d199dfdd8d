import { addDays, type IsoDate } from '../date.ts';
import { REMINDER_KINDS, type ReminderKind } from './reminder-kind.ts';
import {
  dayAfterDeadline,
  feeFrom,
  wasRemindedOn,
  type LateInvoice,
  type ReminderSwitches,
} from './reminder-law.ts';
import { workingDayFrom } from './working-days.ts';

/** One step of a company's settings: the reminder to send this many days after the due date. */
export interface ReminderStep {
  readonly days: number;
  readonly kind: ReminderKind;
  readonly fee: boolean;
  readonly interest: boolean;
}

export interface NextStep extends Omit<ReminderStep, 'days'> {
  /** Step number, from 1. */
  readonly step: number;
  /** The first day on which it may be sent. */
  readonly from: IsoDate;
}

/**
 * The proposal for a reminder by hand: the next step, or the last step again after all were sent, and what the law
 * and the operator allow in its place.
 */
export function stepByHand(
  steps: readonly ReminderStep[],
  invoice: LateInvoice,
  today: IsoDate,
  { debtCollectionNotice }: ReminderSwitches,
) {
  const { kind, fee, interest } = steps[invoice.sent.length] ?? steps.at(-1) ?? FRIENDLY;
  const kinds = REMINDER_KINDS.filter(
    (one) => debtCollectionNotice || one !== 'DEBT_COLLECTION_NOTICE',
  );
  const feeDay = feeFrom(invoice);
  const mayHaveFee = feeDay !== null && feeDay <= today;
  return {
    // The operator may have turned debt collection notices off after the steps were saved.
    kind: kinds.includes(kind) ? kind : 'NOTICE',
    fee: fee && mayHaveFee,
    interest,
    kinds,
    feeFrom: feeDay,
    mayHaveFee,
    remindedToday: wasRemindedOn(invoice, today),
  };
}

const FRIENDLY: Omit<ReminderStep, 'days'> = { kind: 'REMINDER', fee: false, interest: false };

/**
 * The first step that was not sent, by hand or by automation; null after the last step. It comes at the earliest on
 * the day after the deadline of the previous reminder, and when the law allows its fee. When no fee is left, it comes
 * without one.
 */
export function nextStep(steps: readonly ReminderStep[], invoice: LateInvoice): NextStep | null {
  const next = steps[invoice.sent.length];
  if (next === undefined) return null;
  const { days, kind, interest } = next;
  const feeDay = next.fee ? feeFrom(invoice) : null;
  const last = invoice.sent.at(-1);
  const from = [
    addDays(workingDayFrom(invoice.dueDate), days),
    ...(last === undefined ? [] : [dayAfterDeadline(last.dueDate)]),
    ...(feeDay === null ? [] : [feeDay]),
  ].reduce((latest, day) => (day > latest ? day : latest));
  return { step: invoice.sent.length + 1, kind, fee: feeDay !== null, interest, from };
}
