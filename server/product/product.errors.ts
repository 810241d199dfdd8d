import type { ErrorWords } from '../../domain/api/error.ts';

/** Refusals about products. */
export const PRODUCT_ERRORS = {
  product_number_taken: {
    en: (number) => `number ${number} is taken`,
    nb: (number) => `Produktnummer ${number} er i bruk`,
  },
  product_numbers_used_up: {
    en: 'There is no number after the highest; give the product a number',
    nb: 'Det finnes ikke noe nummer etter det høyeste. Velg et nummer selv.',
  },
} satisfies Record<string, ErrorWords>;
