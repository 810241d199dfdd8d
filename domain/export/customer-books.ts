import type { Ore } from '../money.ts';
import type { OpenItem } from './figures.ts';
import type { Voucher } from './journal.ts';

/** A customer's part of the books of a period. */
export interface CustomerBooks {
  /** The vouchers that concern the customer. Postings on others may be in them. */
  readonly vouchers: readonly Voucher[];
  /** The customer's debt at both ends. */
  readonly opening: Ore;
  readonly closing: Ore;
  readonly openItems: readonly OpenItem[];
}
