import type { ErrorWords } from '../api/error.ts';

/** Refusals about links of invoices. */
export const INVOICE_LINK_ERRORS = {
  draft_has_no_link: {
    en: 'A draft has no link; register it first',
    nb: 'Et utkast har ingen lenke. Registrer fakturaen først.',
  },
  link_of_credit_note: {
    en: 'A credit note has the link of its invoice',
    nb: 'Kreditnotaen har samme lenke som fakturaen',
  },
  portal_off: {
    en: 'The pages for customers are turned off',
    nb: 'Sidene for kundene er slått av i profilen',
  },
  no_other_invoices: {
    en: 'The link shows no other invoices of its customer, or there is no address for a code',
    nb: 'Du kan ikke se de andre fakturaene her. Spør den som sendte fakturaen.',
  },
} satisfies Record<string, ErrorWords>;
