export const TERMS_LABELS = {
  isPrivate: 'Privatperson',
  contactName: 'Kontaktperson',
  invoiceEmails: 'E-post for fakturaer',
  reference: 'Referanse',
  dueDays: 'Dager til forfall',
  deliveryType: 'Leveringsmetode',
  country: 'Land',
  vatNumber: 'Mva-nummer',
  ehfFirst: 'Send på e-post selv om kunden kan motta EHF',
} as const;

export const TERMS = Object.keys(TERMS_LABELS) as (keyof typeof TERMS_LABELS)[];

/** Bokføringsforskriften § 5-1-2. */
export const REQUIRED_OF_INVOICES =
  'En faktura skal vise kjøperens adresse eller organisasjonsnummer.';
