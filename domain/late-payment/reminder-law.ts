import { addDays, type IsoDate } from '../date.ts';
import type { Ore } from '../money.ts';
import type { ReminderKind } from './reminder-kind.ts';
import { workingDayFrom } from './working-days.ts';

/** A fee is allowed at the earliest this many days after the due date (inkassoforskriften § 1-2; REM-10). */
export const DAYS_BEFORE_FEE = 14;
/** Shortest deadline, from sending, of a reminder with a fee or a warning of debt collection (inkassoloven § 9). */
const DAYS_OF_NOTICE = 14;
/** Most notices with a fee per invoice (inkassoforskriften § 1-3). */
export const FEES_MAX = 2;

/** The facts of a sent reminder that the law looks at. A fee that was waived later still counts. */
export interface SentReminder {
  readonly sentOn: IsoDate;
  /** The deadline that the reminder set. */
  readonly dueDate: IsoDate;
  /** Øre; 0 when there is none. */
  readonly fee: Ore;
  /** Øre; 0 when there is none. */
  readonly compensation: Ore;
  /** Stopped before it was sent: its step is done, but nobody was reminded. */
  readonly stopped?: boolean;
}

/** The facts of an invoice that the law looks at. */
export interface LateInvoice {
  /** Result of `paymentDeadline`: a Saturday, Sunday or holiday counts as the next working day. */
  readonly dueDate: IsoDate;
  /** Whether the customer is a business: a consumer never pays compensation. */
  readonly isBusiness: boolean;
  /** Its reminders, in the order in which they were sent. */
  readonly sent: readonly SentReminder[];
}

/** A reminder that a user wants to send. */
export interface ReminderWish {
  readonly kind: ReminderKind;
  /** The day of sending, in Oslo. */
  readonly sentOn: IsoDate;
  readonly dueDate: IsoDate;
  readonly fee: boolean;
  readonly compensation: boolean;
}

/** Why a reminder may not be sent as requested (REM-7 to REM-12, REM-22). */
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

/** Parts that an operator must enable, since the law on them is changing (the setting DEBT_COLLECTION_NOTICE). */
export interface ReminderSwitches {
  readonly debtCollectionNotice: boolean;
}

/**
 * Why this reminder of this invoice may not be sent, or null when it may. The rules are inkassoloven § 9,
 * inkassoforskriften §§ 1-2 and 1-3 and forsinkelsesrenteloven § 3a. Payments and disputes are not checked here.
 */
export function refusalOf(
  invoice: LateInvoice,
  wish: ReminderWish,
  switches: ReminderSwitches,
): ReminderRefusal | null {
  if (wish.sentOn < lateFrom(invoice)) return 'NOT_LATE';
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

/** Whether a reminder was sent on this day or later. No other is proposed then; by hand it is only a hint. */
export function wasRemindedOn({ sent }: Pick<LateInvoice, 'sent'>, day: IsoDate): boolean {
  return sent.some(({ sentOn, stopped }) => stopped !== true && sentOn >= day);
}

/** The first day on which an invoice is late: the day after its due date, or after the next working day. */
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

/** Whether a reminder that is sent today still gives the customer enough time before its deadline. */
export function mayStillLeave(
  { kind, dueDate }: Pick<ReminderWish, 'kind' | 'dueDate'>,
  today: IsoDate,
): boolean {
  return dueDate >= earliestDeadline({ kind, sentOn: today, fee: false });
}

/**
 * The deadline of a reminder sent on a given day. With a fee, the customer has 14 days from the actual sending before
 * another fee, even if the mail was delayed.
 */
export function deadlineOf(
  { dueDate, fee }: Pick<SentReminder, 'dueDate' | 'fee'>,
  leftOn: IsoDate,
): IsoDate {
  const earliest = addDays(leftOn, DAYS_OF_NOTICE);
  return fee > 0 && earliest > dueDate ? earliest : dueDate;
}

/** The proposed deadline of every reminder: 14 days, extended to the next working day. */
export function proposedDeadline(sentOn: IsoDate): IsoDate {
  return workingDayFrom(addDays(sentOn, DAYS_OF_NOTICE));
}

/** The first day on which a notice may claim a fee, or null when no fee is left. */
export function feeFrom(invoice: LateInvoice): IsoDate | null {
  const withFee = invoice.sent.filter(({ fee }) => fee > 0);
  if (withFee.length >= FEES_MAX || hasCompensation(invoice)) return null;
  const first = addDays(workingDayFrom(invoice.dueDate), DAYS_BEFORE_FEE);
  const second = withFee.map(({ dueDate }) => dayAfterDeadline(dueDate));
  return [first, ...second].reduce((latest, day) => (day > latest ? day : latest));
}

/** The day after a deadline. A payment on the next working day is still on time. */
export function dayAfterDeadline(dueDate: IsoDate): IsoDate {
  return addDays(workingDayFrom(dueDate), 1);
}

function refusalOfFee(invoice: LateInvoice, wish: ReminderWish): ReminderRefusal | null {
  // Each is deducted from the other (Justisdepartementets lovavdeling 13/644), so only one can be claimed.
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
