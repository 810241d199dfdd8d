import type { ErrorWords } from '../../domain/api/error.ts';

/** Refusals at the link of a quote. */
export const OFFER_ERRORS = {
  offer_revised: {
    en: 'Another revision of the quote is the newest; read it first',
    nb: 'Tilbudet er endret siden du åpnet siden. Les den nye versjonen før du svarer.',
  },
  offer_without_code: {
    en: 'The quote is accepted without a code',
    nb: 'Dette tilbudet godtar du uten kode',
  },
  offer_code_needed: {
    status: 403,
    en: 'Accepting needs a code: POST …/code/ mails one',
    nb: 'Skriv inn koden fra e-posten. Har du ingen, kan du be om en.',
  },
} satisfies Record<string, ErrorWords>;
