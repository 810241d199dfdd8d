import type { ErrorWords } from '../../domain/api/error.ts';
import { QUOTE_STATE_NAMES, type QuoteState } from '../../domain/quote/quote.state.ts';

/** Refusals about quotes. */
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
  quote_customer_deleted: {
    en: 'The customer of the quote was deleted',
    nb: 'Kunden er slettet',
  },
  customer_has_quotes: {
    en: 'The customer has a quote that is a draft, sent or accepted; end it first',
    nb: 'Kunden har et tilbud som er utkast, sendt eller godtatt. Avslutt tilbudet først.',
  },
} satisfies Record<string, ErrorWords>;
