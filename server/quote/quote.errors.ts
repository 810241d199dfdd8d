import type { ErrorWords } from '../../domain/api/error.ts';
import { QUOTE_STATE_NAMES, type QuoteState } from '../../domain/quote/quote.state.ts';

/** Refusals about quotes. */
export const QUOTE_ERRORS = {
  quote_state: {
    en: (state) => `The quote is ${state}`,
    nb: (state) => `Tilbudet har status «${QUOTE_STATE_NAMES[state as QuoteState]}»`,
  },
  customer_has_quotes: {
    en: 'The customer has a quote that is a draft, sent or accepted; end it first',
    nb: 'Kunden har et tilbud som er utkast, sendt eller godtatt. Avslutt tilbudet først.',
  },
} satisfies Record<string, ErrorWords>;
