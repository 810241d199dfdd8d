import type { IsoDate } from '../date.ts';
import { kronerToOre } from '../money.ts';
import type { LineForm } from './invoice-line.schema.ts';
import type { InvoiceKind } from './invoice.status.ts';
import type { TotalsLine } from './invoice.totals.ts';

interface Address {
  readonly address1: string | null;
  readonly address2: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
}

/** The seller as it was when the invoice was registered (bff § 5-1-2). */
export interface Seller extends Address {
  readonly name: string;
  readonly orgNumber: string;
  readonly email: string;
  readonly vatRegistered: boolean;
  readonly foretaksregisteret: boolean;
}

/** The buyer as it was when the invoice was registered: name plus address or organisation number. */
export interface Buyer extends Address {
  readonly customerNumber: number;
  readonly name: string;
  readonly orgNumber: string | null;
  readonly email: string | null;
}

export interface DocumentLine extends TotalsLine {
  readonly description: string;
}

/**
 * Everything that is printed, mailed, sent as EHF and hashed. Of a registered invoice it is frozen;
 * of a draft it is what would be frozen now, without number and KID. Amounts are in øre; those of a
 * credit note are positive, the kind says which way they count.
 */
export interface InvoiceDocument {
  readonly kind: InvoiceKind;
  readonly invoiceNumber: number | null;
  readonly issueDate: IsoDate;
  readonly dueDate: IsoDate;
  readonly deliveryDate: IsoDate;
  /** The buyer's own reference. */
  readonly reference: string | null;
  readonly kid: string | null;
  /** Eleven digits. */
  readonly bankAccountNumber: string;
  /** What a credit note reverses (bff § 5-2-7). */
  readonly credits: { readonly invoiceNumber: number; readonly issueDate: IsoDate } | null;
  readonly seller: Seller;
  readonly buyer: Buyer;
  readonly lines: readonly DocumentLine[];
}

/** A line as filled in (kroner) as it is counted and printed (øre). */
export function toDocumentLine(line: LineForm): DocumentLine {
  return {
    quantity: line.invoicedQuantity,
    description: line.description,
    netUnitAmount: kronerToOre(line.netUnitAmount),
    vatRate: line.vatRatePercentage,
  };
}

/** 'Faktura-1001.pdf', 'Kreditnota-1002.xml'; a draft has no number. */
export function documentFileName(
  { kind, invoiceNumber }: Pick<InvoiceDocument, 'kind' | 'invoiceNumber'>,
  extension: 'pdf' | 'xml',
): string {
  const name = kind === 'CREDIT_NOTE' ? 'Kreditnota' : 'Faktura';
  return `${name}-${invoiceNumber ?? 'utkast'}.${extension}`;
}
