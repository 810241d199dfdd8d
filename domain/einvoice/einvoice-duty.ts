import { HOME_COUNTRY } from '../country.ts';
import { todayInOslo, type IsoDate } from '../date.ts';

/** From this day on sales between businesses are documented as e-invoices (bokføringsforskriften § 5-2-9). */
export const DUTY_FROM: IsoDate = '2027-01-01';

/** Whether the law asks for e-invoices on a day. */
export function isDutyInForce(day: IsoDate = todayInOslo()): boolean {
  return day >= DUTY_FROM;
}

/** Why an e-invoice is asked for, or not: the first that fits (EINV-2). */
export const DUTY_REASONS = [
  'BUYER_PRIVATE',
  'BUYER_ABROAD',
  'BUYER_WITHOUT_NUMBER',
  'SELLER_EXEMPT',
  'BEFORE_2027',
  'BUSINESS',
] as const;
export type DutyReason = (typeof DUTY_REASONS)[number];

interface Facts {
  readonly isPrivate: boolean;
  /** Norway where none is stated. */
  readonly country?: string | null | undefined;
  readonly orgNumber: string | null;
  /** Whether the seller has said so. */
  readonly isExempt: boolean;
  /** The day of registering in Oslo; of a draft today. */
  readonly day: IsoDate;
}

export function dutyReasonOf({ isPrivate, country, orgNumber, isExempt, day }: Facts): DutyReason {
  if (isPrivate) return 'BUYER_PRIVATE';
  if ((country ?? HOME_COUNTRY) !== HOME_COUNTRY) return 'BUYER_ABROAD';
  if (orgNumber === null) return 'BUYER_WITHOUT_NUMBER';
  if (isExempt) return 'SELLER_EXEMPT';
  return isDutyInForce(day) ? 'BUSINESS' : 'BEFORE_2027';
}

/** The hint about a Norwegian customer that is neither private nor has a number. */
export const WITHOUT_NUMBER =
  'Uten organisasjonsnummer kan kunden ikke få EHF. Er kunden en privatperson?';

/** Whether the buyer is a Norwegian business, which the network is asked about. */
export function isAskedAbout(reason: DutyReason): boolean {
  return !reason.startsWith('BUYER_');
}

/** How a document that was registered went, as far as e-invoices are concerned: the first that fits (EINV-5). */
export const VERDICTS = ['EHF', 'RECIPIENT_CANNOT', 'NO_ANSWER', 'OTHER_WAY'] as const;
export type EInvoiceVerdict = (typeof VERDICTS)[number];

/**
 * @param isSentAsEhf whether a delivery by EHF is under way or has arrived
 * @param outcome of the evidence; null without any
 */
export function verdictOf(isSentAsEhf: boolean, outcome: string | null): EInvoiceVerdict {
  if (isSentAsEhf) return 'EHF';
  if (outcome === 'NOT_REGISTERED' || outcome === 'FORMAT_UNSUPPORTED') return 'RECIPIENT_CANNOT';
  return outcome === 'REACHABLE' ? 'OTHER_WAY' : 'NO_ANSWER';
}
