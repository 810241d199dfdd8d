/** Why a document has no EHF. The codes are stable. */
export type EhfObstacle =
  | 'draft'
  | 'no_lines'
  | 'no_original'
  | 'seller_number_invalid'
  | 'buyer_number_missing'
  | 'buyer_number_invalid'
  | 'vat_without_registration';

interface Words {
  readonly en: string;
  readonly nb: string;
}

const WORDS: Readonly<Record<EhfObstacle, Words>> = {
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
};

/** The reason in words that fit after a colon. */
export function ehfObstacle(code: unknown, language: keyof Words): string {
  return WORDS[code as EhfObstacle][language];
}

/**
 * The document cannot be said in EHF Billing 3.0, and never will be: it is frozen. The message is
 * the reason in English.
 */
export class EhfNotPossible extends Error {
  override readonly name = 'EhfNotPossible';
  readonly code: EhfObstacle;

  constructor(code: EhfObstacle) {
    super(ehfObstacle(code, 'en'));
    this.code = code;
  }
}
