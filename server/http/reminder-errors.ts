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
  reminder_not_due: {
    status: 409,
    en: 'No reminder of the invoice is due: it may be paid, credited or reminded of already',
    nb: 'Ingen purring er klar: Fakturaen kan være betalt, kreditert eller purret allerede',
  },
  reminder_refused: {
    status: 409,
    en: (refusal) => `The reminder is not allowed: ${String(refusal)}`,
    nb: (refusal) => `Purringen er ikke tillatt: ${String(refusal)}`,
  },
  reminder_not_delivered: {
    status: 409,
    en: 'The reminder before did not reach the customer',
    nb: 'Forrige purring kom ikke fram til kunden',
  },
  reminder_under_way: {
    status: 409,
    en: 'The reminder before has not been sent yet',
    nb: 'Forrige purring er ikke sendt ennå',
  },
  invoice_disputed: {
    status: 409,
    en: 'The customer disputes the invoice',
    nb: 'Kunden har bestridt kravet',
  },
  invoice_not_delivered: {
    status: 409,
    en: 'The invoice did not reach the customer',
    nb: 'Fakturaen kom ikke fram til kunden',
  },
  invoice_under_way: {
    status: 409,
    en: 'The invoice has not been sent yet',
    nb: 'Fakturaen er ikke sendt ennå',
  },
  customer_has_credit: {
    status: 409,
    en: (amount) => `The customer has a credit of ${String(amount)} kroner`,
    nb: (amount) => `Kunden har ${String(amount)} kr til gode`,
  },
  bank_file_old: {
    status: 409,
    en: 'The newest file of the bank is older than four working days; read a newer one first',
    nb: 'Siste bankfil er eldre enn fire virkedager. Les inn en nyere først.',
  },
  below_minimum_amount: {
    status: 409,
    en: (amount) => `Less is due than the smallest amount of ${String(amount)} kroner`,
    nb: (amount) => `Under minstebeløpet på ${String(amount)} kr`,
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
