import type { ErrorWords } from '../api/error.ts';

/** Refusals about the profile, its logo and its accounts. */
export const COMPANY_ERRORS = {
  company_closed: { en: 'The company is closed', nb: 'Bedriften er avsluttet' },
  profile_incomplete: {
    en: 'The profile must be completed first',
    nb: 'Profilen må fullføres først',
  },
  logo_unreadable: {
    status: 400,
    en: 'The logo is not a PNG or JPEG that can be read',
    nb: 'Logoen er ikke et PNG- eller JPEG-bilde som kan leses',
  },
  logo_too_many_pixels: {
    status: 400,
    en: 'The logo has too many pixels; at most 16 million',
    nb: 'Logoen har for mange piksler. Gjør bildet mindre; det er plass til 16 millioner.',
  },
  start_number_fixed: {
    en: 'start_invoice_number is fixed once an invoice has been created',
    nb: 'Startnummeret kan ikke endres etter at en faktura er laget',
  },
  unknown_account: {
    status: 400,
    en: 'account is not one of the bank accounts of the company',
    nb: 'Kontoen er ikke en av bankkontoene til bedriften',
  },
  account_has_kid_agreement: {
    en: (account) => `Account ${account} has the KID agreement; end or change the agreement first`,
    nb: (account) => `Konto ${account} har KID-avtalen. Avslutt eller endre avtalen først.`,
  },
  no_kid_left: {
    en: (number) =>
      `The KID agreement has no KID for invoice number ${number}; change or end it first`,
    nb: (number) =>
      `KID-avtalen har ingen KID til fakturanummer ${number}. Endre eller avslutt avtalen først.`,
  },
} satisfies Record<string, ErrorWords>;
