import type { ErrorWords } from '../api/error.ts';

/** Refusals about API tokens. */
export const TOKEN_ERRORS = {
  beyond_scopes: {
    status: 403,
    en: 'The API key may not do this: its scopes and the role of its maker decide',
    nb: 'API-nøkkelen kan ikke gjøre dette.',
  },
  scope_not_held: {
    status: 403,
    en: 'An API key may do no more than its maker',
    nb: 'En nøkkel kan ikke gjøre mer enn du selv kan',
  },
  too_many_tokens: {
    en: 'The company has as many API keys as it may have; end one first',
    nb: 'Bedriften har så mange nøkler som den kan ha. Trekk tilbake en først.',
  },
  token_of_operator: {
    en: 'Only the operator ends this token',
    nb: 'Bare den som driver Faktur, kan avslutte denne nøkkelen',
  },
} satisfies Record<string, ErrorWords>;
