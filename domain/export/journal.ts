import type { IsoDate } from '../date.ts';
import type { Ore } from '../money.ts';
import type { VatRate, VatTreatment } from '../vat-treatment.ts';

/** One line of a voucher. Debit is positive, credit negative. */
export interface Posting {
  readonly account: string;
  readonly accountName: string;
  readonly amount: Ore;
  /** The kind of account that this is in the settings. */
  readonly role: 'RECEIVABLES' | 'BANK' | 'VAT' | 'INCOME' | 'FEE' | 'INTEREST';
  /** On income alone: why it has its VAT, and the VAT of this amount (with the same sign). */
  readonly vat: {
    readonly treatment: VatTreatment;
    readonly rate: VatRate;
    readonly amount: Ore;
  } | null;
}

/** A customer as vouchers name it; of an invoice as it was when issued. */
export interface VoucherCustomer {
  /** Null of a customer that was deleted. */
  readonly customerNumber: number | null;
  readonly name: string;
  readonly orgNumber: string | null;
  readonly address1: string | null;
  readonly address2: string | null;
  readonly zipCode: string | null;
  readonly city: string | null;
}

/** The entries of one invoice, credit note or payment. The postings add up to 0. */
export interface Voucher {
  readonly kind: 'INVOICE' | 'CREDIT_NOTE' | 'PAYMENT';
  /** The document's number; payments have a series of their own. */
  readonly number: number;
  readonly date: IsoDate;
  readonly text: string;
  /** When it was registered or recorded (ISO 8601 with time). */
  readonly recordedAt: string;
  /** The invoice's number: of a credit note its own, of a payment that of what it pays. */
  readonly invoiceNumber: number | null;
  readonly kid: string | null;
  readonly dueDate: IsoDate | null;
  readonly customer: VoucherCustomer | null;
  readonly postings: readonly Posting[];
}
