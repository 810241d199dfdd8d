import type { ErrorWords } from '../api/error.ts';

/** Refusals about e-invoices by law. */
export const EINVOICE_ERRORS = {
  draft_without_evidence: {
    status: 409,
    en: 'It is a draft: the network is asked when it is registered',
    nb: 'Dette er et utkast. Nettverket blir spurt når fakturaen registreres',
  },
  no_network: {
    status: 409,
    en: 'The operator has named no network that could be asked: PEPPOL_NETWORK',
    nb: 'Denne installasjonen kan ikke slå opp i ELMA',
  },
  check_working: {
    status: 409,
    en: 'The customers are being checked',
    nb: 'Kundene blir sjekket nå',
  },
  checked_lately: {
    status: 429,
    en: 'The customers were checked within the last hour',
    nb: 'Kundene ble sjekket for mindre enn en time siden',
  },
  unknown_verdict: {
    status: 400,
    en: (verdicts) => `einvoice must be one or several of ${verdicts}, with commas between them`,
    nb: 'Utvalget av e-fakturaer finnes ikke',
  },
} as const satisfies Readonly<Record<string, ErrorWords>>;
