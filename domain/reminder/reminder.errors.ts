import type { ErrorWords } from '../api/error.ts';
import {
  halfYearOf,
  LATE_PAYMENT_RATE_KINDS,
  type LatePaymentRateKind,
} from '../late-payment/rates.ts';
import type { ReminderRefusal } from '../late-payment/reminder-law.ts';

/** Refusals about reminders and their claims. */
export const REMINDER_ERRORS = {
  rate_missing: {
    en: (rate) => missingRate(rate, 'en'),
    nb: (rate) => missingRate(rate, 'nb'),
  },
  reminder_not_due: {
    en: 'No reminder of the invoice is due: it may be paid, credited or reminded of already',
    nb: 'Ingen purring er klar: Fakturaen kan være betalt, kreditert eller purret allerede',
  },
  reminder_not_delivered: {
    en: 'The reminder before did not reach the customer',
    nb: 'Forrige purring kom ikke fram til kunden',
  },
  reminder_under_way: {
    en: 'The reminder before has not been sent yet',
    nb: 'Forrige purring er ikke sendt ennå',
  },
  invoice_disputed: {
    en: 'The customer disputes the invoice',
    nb: 'Kunden har bestridt kravet',
  },
  invoice_not_delivered: {
    en: 'The invoice did not reach the customer',
    nb: 'Fakturaen kom ikke fram til kunden',
  },
  invoice_under_way: {
    en: 'The invoice has not been sent yet',
    nb: 'Fakturaen er ikke sendt ennå',
  },
  customer_has_credit: {
    en: (amount) => `The customer has a credit of ${String(amount)} kroner`,
    nb: (amount) => `Kunden har ${String(amount)} kr til gode`,
  },
  payment_unplaced: {
    en: 'A payment that may be of this invoice has not been placed yet',
    nb: 'En innbetaling som ikke er koblet til faktura, kan gjelde denne. Koble den først.',
  },
  bank_file_old: {
    en: 'The newest file of the bank is older than four working days; read a newer one first',
    nb: 'Siste bankfil er eldre enn fire virkedager. Les inn en nyere først.',
  },
  below_minimum_amount: {
    en: (amount) => `Less is due than the smallest amount of ${String(amount)} kroner`,
    nb: (amount) => `Under minstebeløpet på ${String(amount)} kr`,
  },
  invoice_not_remindable: {
    en: (standing) =>
      `Only a registered invoice of which something is due is reminded of; this is ${standing}`,
    nb: 'Det er ikke noe å purre på her',
  },
  invoice_not_disputable: {
    en: 'Only a registered invoice is disputed',
    nb: 'Bare en registrert faktura kan være bestridt',
  },
  reminder_refused: {
    en: (refusal) => REFUSALS[refusal as ReminderRefusal].en,
    nb: (refusal) => REFUSALS[refusal as ReminderRefusal].nb,
  },
  reminder_step_taken: {
    en: (step) => `Reminder number ${step} of the invoice has been made already`,
    nb: (step) => `Purring nummer ${step} på fakturaen er laget alt`,
  },
  reminder_outdated: {
    en: 'Something else is due by now; make a new reminder',
    nb: 'Det som skal betales er endret siden. Lag en ny purring.',
  },
  reminder_deadline_passed: {
    en: 'Its deadline leaves the customer no time; make a new reminder',
    nb: 'Fristen i purringen er for kort nå. Lag en ny purring.',
  },
  debt_collection_step: {
    status: 400,
    en: (field) =>
      `${field} must be REMINDER or NOTICE: DEBT_COLLECTION_NOTICE is not turned on here`,
    nb: 'Inkassovarsel er ikke slått på her. Velg en annen type.',
  },
} satisfies Record<string, ErrorWords>;

const REFUSALS: Readonly<Record<ReminderRefusal, { en: string; nb: string }>> = {
  NOT_LATE: {
    en: 'The invoice is not past due',
    nb: 'Fakturaen er ikke forfalt',
  },
  REMINDED_TODAY: {
    en: 'The customer has been reminded of the invoice today',
    nb: 'Kunden er purret i dag',
  },
  DEBT_COLLECTION_NOTICE_OFF: {
    en: 'DEBT_COLLECTION_NOTICE is not turned on here',
    nb: 'Inkassovarsel er ikke slått på her',
  },
  DEADLINE_TOO_SOON: {
    en: 'The new due date is too soon: a reminder is due after its day, one with a fee and a notice of debt collection 14 days after it at the earliest (inkassoloven § 9)',
    nb: 'Fristen er for kort. Med gebyr, og for inkassovarsel, må den være minst 14 dager.',
  },
  FREE_OF_CHARGE: {
    en: 'A REMINDER asks for no fee and no compensation; a NOTICE may',
    nb: 'En betalingspåminnelse har verken gebyr eller kompensasjon. Velg purring.',
  },
  FEE_AND_COMPENSATION: {
    en: 'Either fees or compensation are asked for of one invoice, never both',
    nb: 'Det kan kreves enten gebyr eller standardkompensasjon for en faktura, ikke begge',
  },
  FEE_TOO_EARLY: {
    en: 'A fee is asked for 14 days after the due date at the earliest (inkassoforskriften § 1-2)',
    nb: 'Gebyr kan tidligst kreves 14 dager etter forfall',
  },
  FEE_BEFORE_DEADLINE: {
    en: 'A second fee is asked for when the deadline of the first notice has run out (inkassoforskriften § 1-3)',
    nb: 'Gebyr nummer to kan først kreves når fristen i den forrige purringen er ute',
  },
  NO_FEE_LEFT: {
    en: 'Fees are asked for twice at most (inkassoforskriften § 1-3)',
    nb: 'Det er krevd gebyr to ganger, og flere kan ikke kreves',
  },
  COMPENSATION_FROM_CONSUMER: {
    en: 'Compensation is asked of businesses alone (forsinkelsesrenteloven § 3 a)',
    nb: 'Standardkompensasjon kan bare kreves av bedrifter',
  },
  COMPENSATION_TAKEN: {
    en: 'Compensation is asked for once',
    nb: 'Standardkompensasjon er krevd før',
  },
};

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
