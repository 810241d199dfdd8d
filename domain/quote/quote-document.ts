import type { IsoDate } from '../date.ts';
import type { DocumentAttachment } from '../document/invoice-document.ts';
import type { InvoiceLine } from '../invoice/invoice.totals.ts';
import type { Buyer, Seller } from '../parties.ts';
import type { PriceKind } from './quote.state.ts';

/**
 * Everything that is printed of a quote, frozen when it is sent; an order confirmation says the same, and when and by
 * whom the quote was accepted. Amounts are in øre.
 */
export interface QuoteDocument {
  readonly kind: 'QUOTE' | 'ORDER_CONFIRMATION';
  /** Null for the draft of a quote that was never sent. */
  readonly quoteNumber: number | null;
  readonly revision: number;
  /** The day in Oslo on which it was sent; of an order confirmation, accepted. */
  readonly issueDate: IsoDate;
  readonly validUntil: IsoDate;
  readonly priceKind: PriceKind;
  readonly title: string | null;
  readonly reference: string | null;
  readonly message: string | null;
  readonly terms: string | null;
  readonly seller: Seller;
  readonly buyer: Buyer;
  /** Whether the customer is a private person. */
  readonly isPrivate: boolean;
  readonly lines: readonly InvoiceLine[];
  /** The seller's logo, by the SHA-256 of its bytes in hex. */
  readonly logo: string | null;
  /** The files that are sent along; null when there are none. */
  readonly attachments: readonly DocumentAttachment[] | null;
  /** Null of a quote. */
  readonly accepted: {
    /** The name that was given. */
    readonly by: string;
    /** The SHA-256 of the quote's PDF, in hex. */
    readonly sha256: string;
  } | null;
}

/** 'Tilbud-12.pdf', 'Tilbud-12-versjon-2.pdf', 'Ordrebekreftelse-12.pdf'; a draft has no number. */
export function quoteFileName({
  kind,
  quoteNumber,
  revision,
}: Pick<QuoteDocument, 'kind' | 'quoteNumber' | 'revision'>): string {
  if (kind === 'ORDER_CONFIRMATION') return `Ordrebekreftelse-${quoteNumber}.pdf`;
  return `Tilbud-${quoteNumber ?? 'utkast'}${revision > 1 ? `-versjon-${revision}` : ''}.pdf`;
}

/** Håndverkertjenesteloven § 32: what an estimate to a consumer binds the seller to. */
export const ESTIMATE_BINDS =
  'Sluttprisen skal ikke overstige prisoverslaget med mer enn 15 prosent (håndverkertjenesteloven § 32).';
