import type { ErrorWords } from '../api/error.ts';

/** Refusals about products. */
export const PRODUCT_ERRORS = {
  product_number_taken: {
    en: (number) => `number ${number} is taken`,
    nb: (number) => `Produktnummer ${number} er i bruk`,
  },
  unknown_product: {
    status: 400,
    en: (number) => `There is no product number ${number}`,
    nb: (number) => `Det finnes ikke noe produkt med nummer ${number}`,
  },
  product_numbers_used_up: {
    en: 'There is no number after the highest; give the product a number',
    nb: 'Det finnes ikke noe nummer etter det høyeste. Velg et nummer selv.',
  },
  import_product_twice: {
    status: 400,
    en: 'number is on an earlier row too',
    nb: 'Produktnummeret står også på en tidligere rad',
  },
} satisfies Record<string, ErrorWords>;
