import {
  halfYearOf,
  LATE_PAYMENT_RATE_KINDS,
  type LatePaymentRateKind,
} from '../../domain/late-payment/rates.ts';
import type { ErrorCode } from '../errors.ts';
import type { ErrorWords } from './error-words.ts';

/** The part of the error table that is about reminders, and what they may ask for. */
export const REMINDER_ERRORS = {
  rate_missing: {
    status: 409,
    en: (rate) => missingRate(rate, 'en'),
    nb: (rate) => missingRate(rate, 'nb'),
  },
  debt_collection_step: {
    status: 400,
    en: (field) =>
      `${field} must be REMINDER or NOTICE: DEBT_COLLECTION_NOTICE is not turned on here`,
    nb: 'Inkassovarsel er ikke slått på her. Velg en annen type.',
  },
} as const satisfies Partial<Record<ErrorCode, ErrorWords>>;

const RATES: Readonly<Record<LatePaymentRateKind, { en: string; nb: string }>> = {
  INTEREST: { en: 'rate of late interest', nb: 'Satsen' },
  COMPENSATION: { en: 'standard compensation', nb: 'Standardkompensasjonen' },
  DEBT_COLLECTION: { en: 'inkassosats, from which the fee follows,', nb: 'Inkassosatsen' },
};

/** @param rate a kind of rate and the first day of a half-year, such as 'INTEREST 2027-01-01' */
function missingRate(rate: string | number | undefined, language: 'en' | 'nb'): string {
  const [word, from = ''] = String(rate).split(' ');
  const kind = LATE_PAYMENT_RATE_KINDS.find((known) => known === word) ?? 'INTEREST';
  const name = RATES[kind][language];
  if (language === 'nb') return `${name} for ${halfYearOf(from).name} mangler`;
  const half = from.endsWith('-01-01') ? 'first' : 'second';
  return `The ${name} of the ${half} half of ${from.slice(0, 4)} is missing`;
}
