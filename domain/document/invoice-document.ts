import type { Attachment } from '../attachment/attachment.schema.ts';
import type { IsoDate } from '../date.ts';
import {
  invoiceTotals,
  sumOf,
  type InvoiceLine,
  type InvoiceTotals,
  type VatSubtotal,
} from '../invoice/invoice.totals.ts';
import type { InvoiceTerms } from '../invoice/invoice.terms.ts';
import type { CreditExtent, InvoiceKind } from '../invoice/invoice.status.ts';
import type { KidModulus } from '../kid.ts';
import type { Buyer, Seller } from '../parties.ts';

/**
 * Everything that is printed, mailed, sent as EHF and hashed. It is frozen when the invoice is registered. For a
 * draft it is what would be frozen now, without number and KID. Amounts are in øre. A credit note's amounts are
 * positive too; `kind` gives the sign.
 */
export interface InvoiceDocument extends InvoiceTerms {
  readonly kind: InvoiceKind;
  readonly invoiceNumber: number | null;
  readonly kid: string | null;
  /** Modulus of the KID agreement that made the KID; null without an agreement. */
  readonly kidModulus: KidModulus | null;
  /** Eleven digits. */
  readonly bankAccountNumber: string;
  /** The invoice that a credit note reverses (bff § 5-2-7); without an extent all of it. */
  readonly credits: {
    readonly invoiceNumber: number;
    readonly issueDate: IsoDate;
    readonly extent: CreditExtent | null;
  } | null;
  readonly seller: Seller;
  readonly buyer: Buyer;
  /** Where a line's treatment demands it (VAT-6); null otherwise. */
  readonly buyerVatNumber: string | null;
  readonly lines: readonly InvoiceLine[];
  /** Set on a credit note whose VAT differs from that of its lines (CRE-6). */
  readonly vatSubtotals: readonly VatSubtotal[] | null;
  /** The seller's logo, by the SHA-256 of its bytes in hex. */
  readonly logo: string | null;
  /** The number of the quote that an invoice was made of; null on others. */
  readonly quoteNumber: number | null;
  /** The files that are sent along; null when there are none. */
  readonly attachments: readonly DocumentAttachment[] | null;
}

/** A file that is sent along with a document. */
export interface DocumentAttachment extends Pick<Attachment, 'name' | 'mediaType' | 'size'> {
  /** The SHA-256 of its bytes, in hex. */
  readonly sha256: string;
}

/** The sums that a document states. */
export function totalsOf({
  lines,
  vatSubtotals,
}: Pick<InvoiceDocument, 'lines' | 'vatSubtotals'>): InvoiceTotals {
  return vatSubtotals === null ? invoiceTotals(lines) : sumOf(vatSubtotals);
}

/** 'Gjelder tilbud 12', above the lines and in the EHF; null for what was made of no quote (QUO-57). */
export function aboutQuote({ quoteNumber }: Pick<InvoiceDocument, 'quoteNumber'>): string | null {
  return quoteNumber === null ? null : `Gjelder tilbud ${quoteNumber}`;
}

/** 'Faktura-1001.pdf', 'Kreditnota-1002.xml'; a draft has no number. */
export function documentFileName(
  { kind, invoiceNumber }: Pick<InvoiceDocument, 'kind' | 'invoiceNumber'>,
  extension: 'pdf' | 'xml',
): string {
  const name = kind === 'CREDIT_NOTE' ? 'Kreditnota' : 'Faktura';
  return `${name}-${invoiceNumber ?? 'utkast'}.${extension}`;
}

/** Label of the KID on paper, in mail and on screen. Without an agreement it is only a message to quote. */
export function kidLabel({ kidModulus }: Pick<InvoiceDocument, 'kidModulus'>): string {
  return kidModulus === null ? 'KID/melding' : 'KID';
}
