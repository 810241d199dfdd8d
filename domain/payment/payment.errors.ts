import type { ErrorWords } from '../api/error.ts';

/** Refusals about payments and the files of the bank. */
export const PAYMENT_ERRORS = {
  already_paid: {
    en: 'The invoice is paid already',
    nb: 'Fakturaen er allerede betalt',
  },
  not_paid: { en: 'The invoice is not paid', nb: 'Fakturaen er ikke betalt' },
  draft_unpaid: {
    en: 'A draft is not paid; register the invoice first',
    nb: 'Et utkast kan ikke betales; registrer fakturaen først',
  },
  paid_by_bank: {
    en: 'The bank has told of this payment; take it back among the incoming payments (Innbetalinger)',
    nb: 'Betalingen er registrert av banken. Angre den under Innbetalinger.',
  },
  paid_by_bank_while_off: {
    en: 'The bank has told of this payment, and payments are turned off here; it can be taken back when the operator has turned them on again (FEATURES=payments)',
    nb: 'Betalingen er registrert av banken, og innbetalinger er slått av her. Den kan angres når den som drifter Faktur, har slått dem på igjen (FEATURES=payments).',
  },
  invoice_not_payable: {
    en: (status) => `Nothing is due of an invoice that is ${status}`,
    nb: 'Det er ikke noe å betale på denne fakturaen',
  },
  amount_above_due: {
    status: 400,
    en: 'The amount is more than what is due',
    nb: 'Beløpet er høyere enn det som gjenstår å betale',
  },
  paid_after_today: {
    status: 400,
    en: 'The date is after today',
    nb: 'Datoen kan ikke være etter i dag',
  },
  payment_placed: {
    en: 'The payment is placed on an invoice',
    nb: 'Betalingen er koblet til en faktura',
  },
  payment_not_placed: {
    en: 'The payment is not placed on an invoice',
    nb: 'Betalingen er ikke koblet til noen faktura',
  },
  payment_taken_back: {
    en: 'The payment has been taken back already',
    nb: 'Betalingen er allerede angret, tilbakebetalt eller fjernet',
  },
  payment_reversed: {
    en: 'Later payments of the invoice build on this one; take those back first',
    nb: 'Senere posteringer på fakturaen bygger på denne. Angre dem først.',
  },
  payment_used_elsewhere: {
    en: (number) => `A part of the payment is placed on invoice ${number}; take it off there first`,
    nb: (number) => `En del av betalingen er brukt på faktura ${number}. Angre den der først.`,
  },
  payment_refunded: {
    en: 'A part of the payment has been refunded; undo that first',
    nb: 'En del av betalingen er betalt tilbake. Angre tilbakebetalingen under Innbetalinger først.',
  },
  payment_was_placed: {
    en: 'A payment of the bank that was placed is not dropped; it can be refunded',
    nb: 'En betaling som har vært koblet til en faktura, kan ikke fjernes. Den kan betales tilbake.',
  },
  bank_file_booked: {
    en: 'The file is booked, or has been; undo it instead of deleting it',
    nb: 'Filen er bokført, eller har vært det. Den kan angres, men ikke slettes.',
  },
  bank_file_not_booked: {
    en: 'The file was never booked, so there is nothing to undo',
    nb: 'Filen er ikke bokført, så det er ingenting å angre.',
  },
  bank_file_under_way: {
    en: 'A file of the bank is being booked or undone; try again when that is done',
    nb: 'En fil fra banken holder på å bli bokført eller angret. Vent til den er ferdig.',
  },
  entry_refunded: {
    en: (payment) => `${payment} has been refunded; undo that first`,
    nb: (payment) =>
      `${payment} er betalt tilbake. Angre tilbakebetalingen under Innbetalinger først.`,
  },
  entry_taken_back: {
    en: (payment) => `${payment} has been taken back by another file; undo that file first`,
    nb: (payment) => `${payment} er tilbakeført i en annen fil. Angre den filen først.`,
  },
  payment_not_refundable: {
    en: 'What the bank has taken back cannot be refunded',
    nb: 'Det banken har tilbakeført, kan ikke betales tilbake',
  },
  bank_file_not_read: {
    status: 503,
    en: 'The file could not be read just now; try again in a moment',
    nb: 'Filen kunne ikke leses akkurat nå. Prøv igjen om et øyeblikk.',
  },
} satisfies Record<string, ErrorWords>;
