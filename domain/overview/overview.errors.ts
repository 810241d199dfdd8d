import type { ErrorWords } from '../api/error.ts';

/** Refusals about links to the overview. */
export const OVERVIEW_ERRORS = {
  too_many_links: {
    en: 'There are 20 links that work; end one of them first',
    nb: 'Du har 20 lenker som virker. Trekk tilbake en av dem først.',
  },
} satisfies Record<string, ErrorWords>;
