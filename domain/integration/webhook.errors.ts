import type { ErrorWords } from '../api/error.ts';

/** Refusals about webhooks. */
export const WEBHOOK_ERRORS = {
  webhook_not_https: {
    status: 400,
    en: 'url must begin with https://',
    nb: 'Adressen må begynne med https://',
  },
  webhook_not_public: {
    status: 400,
    en: 'url must be of a host on the public network',
    nb: 'Adressen må være på det åpne nettet',
  },
  too_many_webhooks: {
    en: 'There are 10 webhooks; remove one of them first',
    nb: 'Du har 10 webhooks. Fjern en av dem først.',
  },
  webhook_off: {
    en: 'The webhook is off; turn it on first',
    nb: 'Webhooken er slått av. Slå den på først.',
  },
  webhook_delivery_waits: {
    en: 'The message waits already',
    nb: 'Meldingen venter på å bli sendt',
  },
} satisfies Record<string, ErrorWords>;
