import type { ErrorWords } from '../api/error.ts';
import { QUOTE_STATE_NAMES, type QuoteState } from './quote.state.ts';

/** Refusals about quotes, by the company's calls and at the customer's link. */
export const QUOTE_ERRORS = {
  quote_state: {
    en: (state) => `The quote is ${state}`,
    nb: (state) => `Tilbudet har status «${QUOTE_STATE_NAMES[state as QuoteState]}»`,
  },
  unknown_quote_line: {
    status: 400,
    en: (id) => `The quote has no line ${id}`,
    nb: (id) => `Tilbudet har ingen linje ${id}`,
  },
  quote_above_left: {
    en: (line) => `Less is left of «${line}»`,
    nb: (line) => `Det er mindre igjen av «${line}»`,
  },
  quote_expired: {
    en: 'valid_until has passed',
    nb: 'Gyldig til-datoen er passert. Endre den før du sender tilbudet.',
  },
  negative_quote: {
    en: 'A quote with a negative total cannot be sent',
    nb: 'Et tilbud med negativ sum kan ikke sendes',
  },
  quote_unprintable: {
    en: (letters) => `The quote has characters that cannot be printed: ${letters}`,
    nb: (letters) => `Tilbudet har tegn som ikke kan skrives ut: ${letters}`,
  },
  quote_customer_deleted: {
    en: 'The customer of the quote was deleted; make a new quote',
    nb: 'Kunden er slettet. Lag et nytt tilbud.',
  },
  customer_has_quotes: {
    en: 'The customer has a quote that is a draft, sent or accepted; end it first',
    nb: 'Kunden har et tilbud som er utkast, sendt eller godtatt. Avslutt tilbudet først.',
  },
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
