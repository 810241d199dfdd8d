import type { ErrorWords } from '../api/error.ts';

/** Refusals about members, and about what they may do. */
export const MEMBER_ERRORS = {
  not_permitted: {
    status: 403,
    en: 'Your role in the company does not allow this; an owner can change it',
    nb: 'Du har ikke tilgang til dette. En eier i bedriften kan gi deg det.',
  },
  no_company: {
    status: 403,
    en: 'You are not a member of any company',
    nb: 'Du har ikke tilgang til noen bedrift nå. En eier kan gi deg det.',
  },
  other_company: {
    en: 'You are logged in to another company now; choose the company of X-Company first',
    nb: 'Du er logget inn i en annen bedrift nå.',
  },
  owns_company: {
    en: 'The account owns a company already',
    nb: 'Du har en egen bedrift fra før.',
  },
  is_member: {
    en: 'This address is a member already',
    nb: 'Denne adressen er medlem allerede',
  },
  last_owner: {
    en: 'A company has at least one owner without a last day; add another owner first',
    nb: 'Bedriften må ha minst én eier uten sluttdato. Legg til en eier til først.',
  },
  other_address: {
    status: 403,
    en: 'The invitation is for another address; log out first',
    nb: 'Invitasjonen gjelder en annen e-postadresse. Logg ut først.',
  },
} satisfies Record<string, ErrorWords>;
