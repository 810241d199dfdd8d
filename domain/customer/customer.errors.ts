import type { ErrorWords } from '../api/error.ts';
import { formatKroner } from '../money.ts';

/** Refusals about customers, their groups and their import. */
export const CUSTOMER_ERRORS = {
  customer_number_taken: {
    en: (number) => `customer_number ${number} is taken`,
    nb: (number) => `Kundenummer ${number} er i bruk`,
  },
  customer_numbers_used_up: {
    en: 'Every customer number is taken',
    nb: 'Alle kundenumre er i bruk',
  },
  customer_has_drafts: {
    en: 'The customer has drafts; delete or register them first',
    nb: 'Kunden har fakturautkast; slett eller registrer dem først',
  },
  customer_is_owed: {
    en: (kroner) =>
      `The customer has ${Number(kroner).toFixed(2)} kr in credit; place or refund it first`,
    nb: (kroner) =>
      `Kunden har ${formatKroner(Number(kroner))} kr til gode. Bruk pengene på en faktura eller merk dem som tilbakebetalt først.`,
  },
  unknown_customer: {
    status: 400,
    en: (number) => `There is no customer number ${number}`,
    nb: (number) => `Det finnes ingen kunde nummer ${number}`,
  },
  customer_deleted: {
    en: 'The customer was deleted, and gets no invoice',
    nb: 'Kunden er slettet og får ingen faktura',
  },
  unknown_group: {
    status: 400,
    en: 'group_uuid is not a known group',
    nb: 'Kundegruppen finnes ikke',
  },
  empty_group: {
    status: 400,
    en: 'Missing customerNumbers: the group has no customers',
    nb: 'Gruppen har ingen kunder',
  },
  group_too_large: {
    en: 'A group can have at most 100000 customers',
    nb: 'En gruppe kan ha høyst 100 000 kunder',
  },
  import_faulty: {
    status: 400,
    en: (rows) => `Nothing was imported: ${rows === 1 ? '1 row has' : `${rows} rows have`} faults`,
    nb: (rows) => `Ingenting er importert: ${rows === 1 ? '1 rad' : `${rows} rader`} har feil`,
  },
  import_number_twice: {
    status: 400,
    en: 'customer_number is on an earlier row too',
    nb: 'Kundenummeret står også på en tidligere rad',
  },
  import_customer_twice: {
    status: 400,
    en: 'This is the same customer as that of an earlier row; give both a customer_number if not',
    nb: 'Dette er samme kunde som på en tidligere rad. Gi begge et kundenummer hvis de er to.',
  },
  import_org_number_twice: {
    status: 400,
    en: 'org_number is on an earlier row too; give both a customer_number',
    nb: 'Organisasjonsnummeret står også på en tidligere rad. Gi begge et kundenummer.',
  },
  import_private_business: {
    status: 400,
    en: 'The customer is_private, and has an organisation number or EHF',
    nb: 'En privatperson har verken organisasjonsnummer eller EHF. Endre kunden først.',
  },
  import_org_number_shared: {
    status: 400,
    en: 'More than one customer has this org_number; give the row a customer_number',
    nb: 'Flere kunder har dette organisasjonsnummeret. Gi raden et kundenummer.',
  },
} satisfies Record<string, ErrorWords>;
