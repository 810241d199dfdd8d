import type { ErrorWords } from '../api/error.ts';

/** Refusals of closing a company and deleting an account, and what hinders it (CLO-2). */
export const CLOSING_ERRORS = {
  other_org_number: {
    status: 400,
    en: 'confirm must be the organisation number of the company',
    nb: 'Skriv organisasjonsnummeret til bedriften',
  },
  closing_hindered: {
    en: 'The company cannot be closed yet; obstacles says why',
    nb: 'Bedriften kan ikke avsluttes ennå',
  },
  archive_missing: {
    en: 'Fetch an archive that was made after the last document and payment; it is good for seven days',
    nb: 'Last ned et arkiv som er laget etter siste faktura og betaling. Det gjelder i sju dager.',
  },
  deliveries_under_way: {
    en: 'Something is being sent; wait until it is',
    nb: 'Noe er på vei ut. Vent til det er sendt.',
  },
  export_unfinished: {
    en: 'An export is being made; wait until it is done',
    nb: 'En eksport lages. Vent til den er ferdig.',
  },
  customers_have_credit: {
    en: 'Customers have credit; pay it back, or accept it when the books are kept',
    nb: 'Kunder har penger til gode. Betal dem tilbake først, eller godta det når bøkene blir stående.',
  },
  company_open: { en: 'The company is open', nb: 'Bedriften er ikke avsluttet' },
  closing_begun: {
    en: 'It is too late: parts of the company have been deleted',
    nb: 'Det er for sent: deler av bedriften er slettet',
  },
  other_account: {
    status: 400,
    en: 'confirm must be the e-mail address of the account',
    nb: 'Skriv e-postadressen til kontoen din',
  },
  only_owner: {
    en: (company) =>
      `You are the only owner of ${company}; close it, or make another an owner first`,
    nb: (company) =>
      `Du er den eneste eieren av ${company}. Avslutt bedriften, eller gjør en annen til eier først.`,
  },
} satisfies Record<string, ErrorWords>;
