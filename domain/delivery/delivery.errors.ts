import type { ErrorWords } from '../api/error.ts';

/** Refusals about how a document travels, and about sending it again. */
export const DELIVERY_ERRORS = {
  recipient_without_email: {
    en: 'The customer has no e-mail address',
    nb: 'Kunden mangler e-postadresse',
  },
  recipient_without_org_number: {
    en: 'The customer has no valid organisation number, which EHF needs',
    nb: 'Kunden har ikke et gyldig organisasjonsnummer, og EHF trenger det',
  },
  recipient_without_ehf: {
    en: 'The customer cannot receive EHF',
    nb: 'Kunden kan ikke motta EHF',
  },
  ehf_not_agreed: {
    en: 'The company has no active agreement to send EHF',
    nb: 'Bedriften har ingen gyldig utstederavtale for EHF',
  },
  delivery_type_unavailable: {
    en: (type) => `Delivery by ${type} needs an agreement that does not exist yet`,
    nb: (type) => `Levering med ${type} krever en avtale som ikke finnes ennå`,
  },
  delivery_not_failed: {
    en: 'Only a failed delivery can be sent again',
    nb: 'Bare en mislykket utsending kan sendes på nytt',
  },
  delivery_under_way: {
    en: 'A delivery of the invoice is under way',
    nb: 'Fakturaen er allerede på vei',
  },
  draft_unsent: {
    en: 'A draft is not sent; register the invoice first',
    nb: 'Et utkast sendes ikke; registrer fakturaen først',
  },
  cancelled_invoice_unsent: {
    en: 'A cancelled invoice is not sent again',
    nb: 'En kreditert faktura sendes ikke på nytt',
  },
  address_suppressed: {
    en: 'The address has bounced or complained before and gets no more mail',
    nb: 'Adressen har avvist e-post tidligere og får ikke mer. Rett den hos kunden først.',
  },
} satisfies Record<string, ErrorWords>;
