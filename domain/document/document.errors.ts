import type { ErrorWords } from '../api/error.ts';

/** Refusals about documents and their files. */
export const DOCUMENT_ERRORS = {
  too_many_pdfs: {
    status: 429,
    en: 'Too many PDFs are being made for you; try again in a moment',
    nb: 'Det lages for mange PDF-er for deg akkurat nå; prøv igjen om litt',
  },
  pdf_not_printable: {
    status: 503,
    en: 'The PDF cannot be made just now; we have been told',
    nb: 'PDF-en kan ikke lages akkurat nå. Vi har fått beskjed; prøv igjen om litt.',
  },
  document_out_of_reach: {
    status: 503,
    en: 'The document cannot be fetched just now; try again in a moment',
    nb: 'Dokumentet kan ikke hentes akkurat nå. Prøv igjen om et øyeblikk.',
  },
  attachment_empty: {
    status: 400,
    en: 'The file is empty',
    nb: 'Filen er tom',
  },
  attachment_type: {
    status: 415,
    en: 'An attachment must be PDF, PNG, JPEG, CSV, XLSX or ODS, without macros',
    nb: 'Et vedlegg må være PDF, PNG, JPEG, CSV, XLSX eller ODS, uten makroer',
  },
  attachment_cut: {
    status: 415,
    en: 'The PDF is not complete',
    nb: 'PDF-en er ikke hel. Hent eller lagre den på nytt, og prøv igjen.',
  },
  attachment_utf16: {
    status: 415,
    en: 'The CSV is in UTF-16; save it in UTF-8',
    nb: 'CSV-filen er lagret som «Unicode-tekst» (UTF-16). Lagre den som «CSV UTF-8», og prøv igjen.',
  },
  attachment_unreadable: {
    status: 415,
    en: 'The picture cannot be read',
    nb: 'Bildet kan ikke leses. Lagre det på nytt, og prøv igjen.',
  },
  attachment_too_many_pixels: {
    status: 413,
    en: 'The picture has too many pixels; at most 25 million',
    nb: 'Bildet har for mange piksler. Gjør det mindre; det er plass til 25 millioner.',
  },
  attachment_too_large: {
    status: 413,
    en: (size) => `The attachment would be ${megabytes(size)} MB; there is room for 5 MB each`,
    nb: (size) => `Vedlegget blir ${norwegian(megabytes(size))} MB. Det er plass til 5 MB i hvert.`,
  },
  too_many_attachments: {
    en: 'There is room for at most ten attachments',
    nb: 'Det er plass til høyst ti vedlegg',
  },
  attachments_too_large: {
    en: (size) =>
      `The attachments would be ${megabytes(size)} MB; there is room for 5 MB each, and 9 MB in all`,
    nb: (size) =>
      `Vedleggene blir ${norwegian(megabytes(size))} MB. Det er plass til 5 MB i hvert, og 9 MB til sammen.`,
  },
  mail_too_large: {
    en: (size) => `The mail would be ${megabytes(size)} MB; at most 20 MB can be sent`,
    nb: (size) =>
      `E-posten blir ${norwegian(megabytes(size))} MB, og det går an å sende 20 MB. Fjern et vedlegg.`,
  },
  draft_has_no_ehf: {
    en: 'A draft has no EHF; register the invoice first',
    nb: 'Et utkast har ingen EHF; registrer fakturaen først',
  },
  ehf_not_possible: {
    en: (obstacle) => `No EHF can be made: ${EHF_OBSTACLES[obstacle as EhfObstacle].en}`,
    nb: (obstacle) => `EHF kan ikke lages: ${EHF_OBSTACLES[obstacle as EhfObstacle].nb}`,
  },
} satisfies Record<string, ErrorWords>;

function megabytes(bytes: string | number | undefined): string {
  return (Number(bytes) / 1024 / 1024).toFixed(1);
}

function norwegian(number: string): string {
  return number.replace('.', ',');
}

/** Why a document has no EHF. The codes are stable. */
export type EhfObstacle =
  | 'draft'
  | 'no_lines'
  | 'no_original'
  | 'seller_number_invalid'
  | 'buyer_number_missing'
  | 'buyer_number_invalid'
  | 'vat_without_registration'
  | 'treatment_of_others';

/** Each reason in words that fit after a colon. */
export const EHF_OBSTACLES: Readonly<
  Record<EhfObstacle, { readonly en: string; readonly nb: string }>
> = {
  draft: {
    en: 'a draft has no invoice number',
    nb: 'et utkast har ikke fakturanummer',
  },
  no_lines: { en: 'the invoice has no lines', nb: 'fakturaen har ingen linjer' },
  no_original: {
    en: 'the credit note does not name the invoice it credits',
    nb: 'kreditnotaen viser ikke til fakturaen den krediterer',
  },
  seller_number_invalid: {
    en: "the seller's organisation number is not valid",
    nb: 'selgerens organisasjonsnummer er ikke gyldig',
  },
  buyer_number_missing: {
    en: 'the buyer has no organisation number',
    nb: 'kjøperen mangler organisasjonsnummer',
  },
  buyer_number_invalid: {
    en: "the buyer's organisation number is not valid",
    nb: 'kjøperens organisasjonsnummer er ikke gyldig',
  },
  vat_without_registration: {
    en: 'the invoice charges VAT although the seller is not VAT-registered',
    nb: 'fakturaen har merverdiavgift selv om selgeren ikke er avgiftsregistrert',
  },
  treatment_of_others: {
    en: "a line has a VAT treatment that does not fit the seller's VAT registration",
    nb: 'en linje har en mva-behandling som ikke passer til selgerens avgiftsregistrering',
  },
};
