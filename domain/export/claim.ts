import type { IsoDate } from '../date.ts';

/** A claim on a customer, as accounts of receivables name it. */
export interface Claim {
  /** The invoice's number: of a credit note its own, of a payment that of what it pays. */
  readonly invoiceNumber: number | null;
  readonly kid: string | null;
  readonly dueDate: IsoDate | null;
  /** The id in the database, since numbers are given again; null of a deleted customer. */
  readonly customerId?: number | null;
  readonly customer: VoucherCustomer | null;
}

/** A customer as vouchers name it: as its document was issued, whatever became of it since (EXP-22). */
export interface VoucherCustomer {
  readonly customerNumber: number;
  readonly name: string;
  readonly orgNumber: string | null;
  readonly address1: string | null;
  readonly address2: string | null;
  readonly zipCode: string | null;
  readonly city: string | null;
}
