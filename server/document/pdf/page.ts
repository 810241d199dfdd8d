import { countryName } from '../../../domain/country.ts';
import type { Ore } from '../../../domain/money.ts';
import type { IsoDate } from '../../../domain/date.ts';
import { kidLabel, type InvoiceDocument } from '../../../domain/document/invoice-document.ts';
import { readableEmail } from '../../../domain/email.ts';
import {
  formatBankAccount,
  formatOrgNumber,
  type Buyer,
  type Seller,
} from '../../../domain/parties.ts';
import { fitLogo, LOGO_BOX } from '../../../domain/profile/profile.schema.ts';
import { FONT_FAMILIES } from '../../platform/pdf/fonts.ts';
import type { TextCleaner } from '../../platform/pdf/printable-text.ts';

export const NO_BREAK_SPACE = '\u00A0';

export type Pair = readonly [label: string, value: string];

/** Printed instead of a draft's number. */
export const NOT_YET = 'Tildeles senere';

/** The stamp on a copy of an invoice that is a draft, paid or credited. The original is never stamped. */
export type Stamp =
  | { readonly kind: 'DRAFT' }
  | { readonly kind: 'PAID'; readonly paidDate: IsoDate; readonly amount: Ore }
  | { readonly kind: 'CREDITED'; readonly creditNoteNumber: number };

const STAMP_WORDS: Readonly<Record<Stamp['kind'], string>> = {
  DRAFT: 'UTKAST',
  PAID: 'BETALT – KOPI',
  CREDITED: 'KREDITERT – KOPI',
};

/** Whether nothing is left to pay. */
export function isSettled(stamp: Stamp | null): stamp is Exclude<Stamp, { kind: 'DRAFT' }> {
  return stamp !== null && stamp.kind !== 'DRAFT';
}

/** The content of the box at the foot of the last page. */
export interface PaymentBox {
  readonly heading: string;
  readonly items: readonly Pair[];
  readonly amount: Pair;
}

/** The input of `document.typ` that all documents share: clean text, never markup. */
export interface PageContent {
  readonly heading: string;
  /** Paragraphs before the invoice lines; each is a list of text lines. */
  readonly intro: readonly (readonly string[])[];
  readonly credits: string | null;
  readonly facts: readonly Pair[];
  readonly columns: readonly string[];
  readonly lines: readonly (readonly string[])[];
  /** A small text below the first cell of each line; '' is none. */
  readonly products: readonly string[];
  /** The words before the last column's figure of the page before; null shows none. */
  readonly carried: string | null;
  /** Whether the first column has more than rates. */
  readonly 'wide-rates': boolean;
  readonly 'vat-columns': readonly string[];
  readonly 'vat-rows': readonly (readonly string[])[];
  /** Paragraphs beside the sums. */
  readonly notes: readonly string[];
  readonly sums: readonly Pair[];
  /** How far the sums reach below the paragraphs beside them (points). */
  readonly 'sum-space': number;
  readonly total: Pair;
  /** Whether the total stands above the sums. */
  readonly 'total-first'?: boolean;
  /** Paragraphs after the lines, below a heading of their own. */
  readonly terms?: { readonly heading: string; readonly paragraphs: PageContent['intro'] } | null;
  readonly payment: PaymentBox;
  readonly attachment: {
    readonly name: string;
    readonly content: string;
    readonly description: string;
  } | null;
}

interface Frame {
  /** Such as 'Faktura 1001'. */
  readonly name: string;
  readonly date: string;
  readonly stamp: Stamp | null;
  readonly seller: Seller;
  readonly buyer: Buyer;
  /** A PNG. */
  readonly logo: Uint8Array | null;
}

/** The parts that all documents share: seller, buyer, head and foot of each page. */
export function page(
  { name, date, stamp, seller, buyer, logo }: Frame,
  { clean }: TextCleaner,
  content: PageContent,
) {
  const sellerName = clean(seller.name);
  return {
    fonts: FONT_FAMILIES,
    title: `${name} fra ${sellerName}`,
    author: sellerName,
    date: date.split('-').map(Number),
    // The text across the page is decoration, which screen readers and searches ignore, so there is a stamp too.
    watermark: stamp?.kind === 'DRAFT' ? STAMP_WORDS.DRAFT : null,
    stamp: stamp && STAMP_WORDS[stamp.kind],
    // Its size in millimetres, and an alternative text.
    logo: logo && { ...fitLogo(logo, LOGO_BOX), alt: `Logoen til ${sellerName}` },
    seller: { name: sellerName, lines: sellerLines(seller).map(clean) },
    buyer: { label: 'Til', name: clean(buyer.name), lines: buyerLines(buyer).map(clean) },
    header: [sellerName, name],
    footer: [sellerName, orgNumberLine(seller)],
    'total-first': false,
    terms: null,
    ...content,
  };
}

function orgNumberLine({ orgNumber, vatRegistered }: Seller): string {
  const number = `Org.nr${NO_BREAK_SPACE}${formatOrgNumber(orgNumber)}`;
  return vatRegistered ? `${number}${NO_BREAK_SPACE}MVA` : number;
}

function addressLines({ address1, address2, postalCode, city }: Seller | Buyer): string[] {
  const place = [postalCode, city].filter(Boolean).join(' ');
  return [address1, address2, place].filter((line): line is string => Boolean(line));
}

function sellerLines(seller: Seller): string[] {
  return [
    ...addressLines(seller),
    orgNumberLine(seller),
    // Foretaksregisterloven § 10-2.
    ...(seller.foretaksregisteret ? ['Foretaksregisteret'] : []),
    readableEmail(seller.email),
  ];
}

function buyerLines(buyer: Buyer): string[] {
  const number = buyer.orgNumber && `Org.nr${NO_BREAK_SPACE}${formatOrgNumber(buyer.orgNumber)}`;
  const { contactName, country } = buyer;
  return [
    ...(contactName ? [`Att. ${contactName}`] : []),
    ...addressLines(buyer),
    ...(country ? [countryName(country)] : []),
    ...(number ? [number] : []),
  ];
}

/** The account and the KID to pay with. */
export function payee(
  document: Pick<InvoiceDocument, 'bankAccountNumber' | 'kid' | 'kidModulus' | 'invoiceNumber'>,
): Pair[] {
  const { bankAccountNumber, kid, invoiceNumber } = document;
  const message = invoiceNumber === null ? NOT_YET : `Faktura ${invoiceNumber}`;
  return [
    ['Kontonummer', formatBankAccount(bankAccountNumber)],
    [kidLabel(document), kid ?? message],
  ];
}
