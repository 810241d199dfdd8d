import { addDays, type IsoDate } from '../date.ts';
import type { Ore } from '../money.ts';
import { workingDayFrom } from './working-days.ts';

/**
 * REMINDER (betalingspåminnelse) asks for no more than the claim and its interest, NOTICE (purring) may ask
 * for a fee, DEBT_COLLECTION_NOTICE (inkassovarsel) says besides that a collector comes next.
 */
export const REMINDER_KINDS = ['REMINDER', 'NOTICE', 'DEBT_COLLECTION_NOTICE'] as const;
export type ReminderKind = (typeof REMINDER_KINDS)[number];

/** A fee is asked for so many days after the due date at the earliest (inkassoforskriften § 1-2). */
export const DAYS_BEFORE_FEE = 14;
/** The shortest deadline of what asks for a fee, or warns of debt collection (inkassoloven § 9), from its sending. */
const DAYS_OF_NOTICE = 14;
/** Notices that may ask for a fee (inkassoforskriften § 1-3). */
export const FEES_MAX = 2;

/** What the law looks at in a reminder that was sent. What was waived later was asked for all the same. */
export interface SentReminder {
  readonly sentOn: IsoDate;
  /** The deadline that it set. */
  readonly dueDate: IsoDate;
  /** Øre; 0 is none. */
  readonly fee: Ore;
  /** Øre; 0 is none. */
  readonly compensation: Ore;
  /** Whether it was stopped before it left: its step is done, and nobody was reminded. */
  readonly stopped?: boolean;
}

/** The invoice as the law looks at it. */
export interface LateInvoice {
  /** Its `paymentDeadline`: a Saturday, Sunday or holiday counts as the next working day. */
  readonly dueDate: IsoDate;
  /** Whether its customer is a business: a consumer is never asked for compensation. */
  readonly isBusiness: boolean;
  /** Its reminders in the order of their sending. */
  readonly sent: readonly SentReminder[];
}

/** A reminder that somebody wants to send. */
export interface ReminderWish {
  readonly kind: ReminderKind;
  /** The day of its sending in Oslo. */
  readonly sentOn: IsoDate;
  readonly dueDate: IsoDate;
  readonly fee: boolean;
  readonly compensation: boolean;
}

/** Why a reminder may not be sent as it is wanted. */
const REMINDER_REFUSALS = [
  'NOT_LATE',
  'REMINDED_TODAY',
  'DEBT_COLLECTION_NOTICE_OFF',
  'DEADLINE_TOO_SOON',
  'FREE_OF_CHARGE',
  'FEE_AND_COMPENSATION',
  'FEE_TOO_EARLY',
  'FEE_BEFORE_DEADLINE',
  'NO_FEE_LEFT',
  'COMPENSATION_FROM_CONSUMER',
  'COMPENSATION_TAKEN',
] as const;
export type ReminderRefusal = (typeof REMINDER_REFUSALS)[number];

/** What an operator has to turn on, since the law on it is changing (the setting DEBT_COLLECTION_NOTICE). */
export interface ReminderSwitches {
  readonly debtCollectionNotice: boolean;
}

/**
 * Why this reminder of this invoice may not be sent, null when it may. The rules are those of
 * inkassoloven § 9, inkassoforskriften §§ 1-2 and 1-3 and forsinkelsesrenteloven § 3a, and one of ours: one
 * a day. What is paid or disputed is not looked at here.
 */
export function refusalOf(
  invoice: LateInvoice,
  wish: ReminderWish,
  switches: ReminderSwitches,
): ReminderRefusal | null {
  if (wish.sentOn < lateFrom(invoice)) return 'NOT_LATE';
  if (invoice.sent.some(({ sentOn, stopped }) => stopped !== true && sentOn >= wish.sentOn)) {
    return 'REMINDED_TODAY';
  }
  if (wish.kind === 'DEBT_COLLECTION_NOTICE' && !switches.debtCollectionNotice) {
    return 'DEBT_COLLECTION_NOTICE_OFF';
  }
  if (wish.dueDate < earliestDeadline(wish)) return 'DEADLINE_TOO_SOON';
  if (wish.kind === 'REMINDER' && (wish.fee || wish.compensation)) return 'FREE_OF_CHARGE';
  return (
    (wish.fee ? refusalOfFee(invoice, wish) : null) ??
    (wish.compensation ? refusalOfCompensation(invoice, wish) : null)
  );
}

/** The first day on which an invoice is late: the day after the working day on which it was due. */
export function lateFrom({ dueDate }: Pick<LateInvoice, 'dueDate'>): IsoDate {
  return dayAfterDeadline(dueDate);
}

/** The earliest date that a reminder may set as its deadline. */
function earliestDeadline({
  kind,
  sentOn,
  fee,
}: Pick<ReminderWish, 'kind' | 'sentOn' | 'fee'>): IsoDate {
  return addDays(sentOn, fee || kind === 'DEBT_COLLECTION_NOTICE' ? DAYS_OF_NOTICE : 1);
}

/** Whether the deadline of a reminder that was made still gives its customer time when it leaves today. */
export function mayStillLeave(
  { kind, dueDate }: Pick<ReminderWish, 'kind' | 'dueDate'>,
  today: IsoDate,
): boolean {
  return dueDate >= earliestDeadline({ kind, sentOn: today, fee: false });
}

/**
 * The deadline of a reminder that left on a day: what asks for a fee gives a fortnight from then on,
 * however long its mail was delayed, before another may.
 */
export function deadlineOf(
  { dueDate, fee }: Pick<SentReminder, 'dueDate' | 'fee'>,
  leftOn: IsoDate,
): IsoDate {
  const earliest = addDays(leftOn, DAYS_OF_NOTICE);
  return fee > 0 && earliest > dueDate ? earliest : dueDate;
}

/** The deadline that is proposed for every reminder: a fortnight, and through the next working day. */
export function proposedDeadline(sentOn: IsoDate): IsoDate {
  return workingDayFrom(addDays(sentOn, DAYS_OF_NOTICE));
}

/** The first day on which a notice may ask for a fee, null when none may any more. */
export function feeFrom(invoice: LateInvoice): IsoDate | null {
  const withFee = invoice.sent.filter(({ fee }) => fee > 0);
  if (withFee.length >= FEES_MAX || hasCompensation(invoice)) return null;
  const first = addDays(workingDayFrom(invoice.dueDate), DAYS_BEFORE_FEE);
  const second = withFee.map(({ dueDate }) => dayAfterDeadline(dueDate));
  return [first, ...second].reduce((latest, day) => (day > latest ? day : latest));
}

/** The day after a deadline ran out: what is paid on the next working day is in time. */
export function dayAfterDeadline(dueDate: IsoDate): IsoDate {
  return addDays(workingDayFrom(dueDate), 1);
}

function refusalOfFee(invoice: LateInvoice, wish: ReminderWish): ReminderRefusal | null {
  // Each is deducted from the other (Justisdepartementets lovavdeling 13/644), so only one is asked for.
  if (wish.compensation || hasCompensation(invoice)) return 'FEE_AND_COMPENSATION';
  const from = feeFrom(invoice);
  if (from === null) return 'NO_FEE_LEFT';
  if (wish.sentOn >= from) return null;
  return hasFee(invoice) ? 'FEE_BEFORE_DEADLINE' : 'FEE_TOO_EARLY';
}

function refusalOfCompensation(
  invoice: LateInvoice,
  { fee }: ReminderWish,
): ReminderRefusal | null {
  if (!invoice.isBusiness) return 'COMPENSATION_FROM_CONSUMER';
  if (hasCompensation(invoice)) return 'COMPENSATION_TAKEN';
  return fee || hasFee(invoice) ? 'FEE_AND_COMPENSATION' : null;
}

function hasFee({ sent }: LateInvoice): boolean {
  return sent.some(({ fee }) => fee > 0);
}

function hasCompensation({ sent }: LateInvoice): boolean {
  return sent.some(({ compensation }) => compensation > 0);
}
