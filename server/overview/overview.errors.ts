import type { ErrorWords } from '../../domain/api/error.ts';

/** Refusals about links to the overview. */
export const OVERVIEW_ERRORS = {
  too_many_links: {
    en: 'There are 20 links that work; end one of them first',
    nb: 'Du har 20 lenker som virker. Trekk tilbake en av dem først.',
  },
  address_unconfirmed: {
    status: 403,
    en: 'The address of this link is not confirmed in this browser',
    nb: 'Bekreft e-postadressen din med en kode først',
  },
} satisfies Record<string, ErrorWords>;
