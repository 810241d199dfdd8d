import type { IsoDate } from '../../domain/date.ts';
import type { DeliveryStatus, DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import {
  earlierClaim,
  interestOn,
  type AskedFor,
  type Settlement,
} from '../../domain/late-payment/interest.ts';
import { feeOn, MissingRateError, type LatePaymentRates } from '../../domain/late-payment/rates.ts';
import {
  proposedDeadline,
  refusalOf,
  wasRemindedOn,
  type ReminderSwitches,
  type ReminderWish,
  type SentReminder,
} from '../../domain/late-payment/reminder-law.ts';
import {
  nextStep,
  type NextStep,
  type ReminderStep,
} from '../../domain/late-payment/reminder-steps.ts';
import { workingDaysBetween } from '../../domain/late-payment/working-days.ts';
import { formatOre, ore, type Ore } from '../../domain/money.ts';
import type { Waits } from '../../domain/reminder/reminder.schema.ts';
import { AppError, type ErrorCode } from '../errors.ts';

/** A late invoice as plain values. */
export interface Candidate extends AskedFor {
  /** Its `paymentDeadline`. */
  readonly dueDate: IsoDate;
  readonly isBusiness: boolean;
  /** Øre, with VAT. */
  readonly claim: Ore;
  readonly amountDue: Ore;
  readonly settlements: readonly Settlement[];
  readonly disputed: boolean;
  readonly deliveryType: DeliveryType;
  readonly deliveryStatus: DeliveryStatus | null;
  /** The customer's credit, øre. */
  readonly credit: Ore;
  /** Whether an unplaced payment may belong to this invoice (REM-24). */
  readonly mayBePaid: boolean;
  /** Null when the customer has no address: the reminder is printed (REM-26). */
  readonly recipient: string | null;
  readonly isSuppressed: boolean;
  /** The reminders so far, in the order sent. */
  readonly sent: readonly SentReminder[];
  /** The mail status of the last reminder; null when it had no mail or was stopped. */
  readonly lastDelivery: DeliveryStatus | null;
}

/** The facts that are the same for all invoices of a company. */
export interface Circumstances {
  /** In Oslo. */
  readonly today: IsoDate;
  readonly steps: readonly ReminderStep[];
  readonly minimumAmount: Ore;
  readonly rates: LatePaymentRates;
  readonly switches: ReminderSwitches;
  readonly bankFiles: BankFiles;
}

/**
 * How current the bank files are. NONE also when the feature `payments` is off. HALF_BOOKED: a file is being
 * booked or undone.
 */
export type BankFiles = 'FRESH' | 'OLD' | 'NONE' | 'HALF_BOOKED';

/** Working days after which the newest bank file is too old to remind by (REM-24). */
const FILE_DAYS_MAX = 4;
/**
 * Working days between the last day in a file and its upload. A file that ends earlier is an old file, uploaded
 * late.
 */
const FILE_END_DAYS_MAX = 10;

/** The next reminder, and the reason why it waits, if any. */
export interface Judged {
  readonly next: NextStep;
  readonly newDueDate: IsoDate;
  /** Øre; null when a rate is missing or the sum is too large. */
  readonly claim: { readonly fee: Ore; readonly interest: Ore; readonly amount: Ore } | null;
  readonly waits: { readonly code: Waits; readonly reason: AppError } | null;
}

/** The dates that say how current a booked file is. */
interface BookedFile {
  /** The day in Oslo on which it was read. */
  readonly readOn: IsoDate;
  /** The last day that the file covers. */
  readonly through: IsoDate | null;
}

/** Says whether the newest booked bank file is current. */
export function judgeBankFiles(files: readonly BookedFile[], today: IsoDate): BankFiles {
  if (files.length === 0) return 'NONE';
  const isFresh = files.some(
    ({ readOn, through }) =>
      workingDaysBetween(readOn, today) <= FILE_DAYS_MAX &&
      (through === null || workingDaysBetween(through, readOn) <= FILE_END_DAYS_MAX),
  );
  return isFresh ? 'FRESH' : 'OLD';
}

/**
 * Finds the reminder that is due today by the company's steps, and the reason why it waits. Null when no reminder
 * is due today.
 */
export function judgeProposal(candidate: Candidate, circumstances: Circumstances): Judged | null {
  const { today, steps } = circumstances;
  const next = nextStep(steps, candidate);
  if (next === null || next.from > today || candidate.amountDue <= 0) return null;
  const wish: ReminderWish = {
    kind: next.kind,
    sentOn: today,
    dueDate: proposedDeadline(today),
    fee: next.fee,
    compensation: false,
  };
  const priced = claimOf(candidate, next, circumstances);
  return {
    next,
    newDueDate: wish.dueDate,
    claim: 'reason' in priced ? null : priced,
    waits:
      waitsForSomebody(candidate) ??
      waitsForDelivery(candidate) ??
      waitsForAmount(candidate, circumstances) ??
      ('reason' in priced ? priced : null) ??
      waitsForLaw(candidate, wish, circumstances.switches) ??
      // Last: an invoice that waits for BANK_FILE_OLD has no other obstacle, so a newer file lets it be sent.
      waitsForBankFile(circumstances),
  };
}

type Wait = NonNullable<Judged['waits']>;

function wait(code: Waits, error: ErrorCode, subject?: string): Wait {
  return { code, reason: new AppError(error, subject === undefined ? {} : { subject }) };
}

function waitsForSomebody({ disputed, credit, mayBePaid }: Candidate): Wait | null {
  if (disputed) return wait('DISPUTED', 'invoice_disputed');
  if (credit > 0) return wait('CREDIT', 'customer_has_credit', formatOre(credit));
  return mayBePaid ? wait('UNPLACED_PAYMENT', 'payment_unplaced') : null;
}

/**
 * Waits while the invoice, or its last reminder, is not delivered. An invoice of type NONE without a delivery was
 * handed over by the owner: it does not wait.
 */
function waitsForDelivery(candidate: Candidate): Wait | null {
  const { deliveryType, deliveryStatus, lastDelivery, isSuppressed } = candidate;
  const isGiven = deliveryType === 'NONE' && deliveryStatus === null;
  if (deliveryStatus === 'FAILED') return wait('NOT_DELIVERED', 'invoice_not_delivered');
  if (!isGiven && deliveryStatus !== 'SENT') return wait('UNDER_WAY', 'invoice_under_way');
  if (lastDelivery === 'FAILED') return wait('NOT_DELIVERED', 'reminder_not_delivered');
  if (lastDelivery === 'QUEUED') return wait('UNDER_WAY', 'reminder_under_way');
  return isSuppressed ? wait('SUPPRESSED_ADDRESS', 'address_suppressed') : null;
}

function waitsForAmount({ amountDue }: Candidate, { minimumAmount }: Circumstances): Wait | null {
  if (amountDue >= minimumAmount) return null;
  return wait('BELOW_MINIMUM', 'below_minimum_amount', formatOre(minimumAmount));
}

function waitsForLaw(
  candidate: Candidate,
  wish: ReminderWish,
  switches: ReminderSwitches,
): Wait | null {
  const refusal = wasRemindedOn(candidate, wish.sentOn)
    ? 'REMINDED_TODAY'
    : refusalOf(candidate, wish, switches);
  return refusal && wait('LAW', 'reminder_refused', refusal);
}

function waitsForBankFile({ bankFiles }: Circumstances): Wait | null {
  if (bankFiles === 'HALF_BOOKED') return wait('BANK_FILE_UNDER_WAY', 'bank_file_under_way');
  return bankFiles === 'OLD' ? wait('BANK_FILE_OLD', 'bank_file_old') : null;
}

function claimOf(
  candidate: Candidate,
  { fee: hasFee, interest: hasInterest }: NextStep,
  { rates, today }: Circumstances,
): NonNullable<Judged['claim']> | Wait {
  try {
    const { amountDue, claim: principal, settlements, dueDate } = candidate;
    const fee = hasFee ? feeOn(rates, today) : ore(0);
    const claim = { principal, settlements, dueDate, through: today };
    const interest = hasInterest ? interestOn(rates, claim).amount : ore(0);
    const earlier = earlierClaim(candidate, interest);
    return { fee, interest, amount: ore(amountDue + earlier + fee + interest) };
  } catch (error) {
    if (error instanceof MissingRateError) {
      return wait('NO_RATE', 'rate_missing', `${error.kind} ${error.from}`);
    }
    // The sum of the claim exceeds the largest amount in øre.
    if (error instanceof RangeError) return wait('TOO_LARGE', 'total_too_large');
    throw error;
  }
}
