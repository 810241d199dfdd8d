import type { IsoDate } from '../date.ts';
import type { InvoiceLine } from '../invoice/invoice.totals.ts';
import type { InvoiceTerms } from '../invoice/invoice.schema.ts';
import type { InvoiceKind } from '../invoice/invoice.status.ts';
import type { KidModulus } from '../kid.ts';
import type { Buyer, Seller } from '../parties.ts';

/**
 * Everything that is printed, mailed, sent as EHF and hashed. It is frozen when the invoice is registered;
 * that of a draft is what would be frozen now, without number and KID. Amounts are in øre; those of a
 * credit note are positive, the kind says which way they count.
 */
export interface InvoiceDocument extends InvoiceTerms {
  readonly kind: InvoiceKind;
  readonly invoiceNumber: number | null;
  readonly kid: string | null;
  /** That of the agreement with the bank by which the KID was made; null without one. */
  readonly kidModulus: KidModulus | null;
  /** Eleven digits. */
  readonly bankAccountNumber: string;
  /** What a credit note reverses (bff § 5-2-7). */
  readonly credits: { readonly invoiceNumber: number; readonly issueDate: IsoDate } | null;
  readonly seller: Seller;
  readonly buyer: Buyer;
  readonly lines: readonly InvoiceLine[];
  /** The seller's logo, by the SHA-256 of its bytes in hex. */
  readonly logo: string | null;
}

/** 'Faktura-1001.pdf', 'Kreditnota-1002.xml'; a draft has no number. */
export function documentFileName(
  { kind, invoiceNumber }: Pick<InvoiceDocument, 'kind' | 'invoiceNumber'>,
  extension: 'pdf' | 'xml',
): string {
  const name = kind === 'CREDIT_NOTE' ? 'Kreditnota' : 'Faktura';
  return `${name}-${invoiceNumber ?? 'utkast'}.${extension}`;
}

/** What paper, mail and screen call the KID: without an agreement it is but a message to quote. */
export function kidLabel({ kidModulus }: Pick<InvoiceDocument, 'kidModulus'>): string {
  return kidModulus === null ? 'KID/melding' : 'KID';
}
