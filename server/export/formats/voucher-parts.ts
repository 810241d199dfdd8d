import type { Claim } from '../../../domain/export/claim.ts';
import { claimOf, type Posting, type Voucher } from '../../../domain/export/journal.ts';
import { ore } from '../../../domain/money.ts';
import type { Books } from '../books.ts';

/** The kinds of vouchers in files for accounting systems (EXP-23). Payments have a series of their own. */
export const VOUCHER_TYPES: Readonly<Record<Voucher['kind'], number>> = {
  INVOICE: 1,
  PAYMENT: 2,
  CREDIT_NOTE: 3,
};

/** '2026-02-01' → 2. */
export function monthOf(date: string): number {
  return Number(date.slice(5, 7));
}

export function yearOf(date: string): string {
  return date.slice(0, 4);
}

/** The rows of all vouchers, in the parts in which they are read. */
export async function* rowsOf<Row>(
  books: Books,
  print: (voucher: Voucher) => readonly Row[],
): AsyncGenerator<readonly Row[]> {
  for await (const vouchers of books.vouchers()) yield vouchers.flatMap(print);
}

/**
 * The postings of a voucher for a system that makes the VAT of a row with a code itself (EXP-28): income with its VAT, and
 * no rows of VAT.
 */
export function grossPostings({ postings }: Voucher): Posting[] {
  return postings.filter(({ role }) => role !== 'VAT').map(withVat);
}

function withVat(posting: Posting): Posting {
  return { ...posting, amount: ore(posting.amount + (posting.vat?.amount ?? 0)) };
}

/** The claim of a posting, with the due date on invoices alone: what a credit note or a payment settles is not due (EXP-22). */
export function claimWithDueDate(voucher: Voucher, posting: Posting): Claim {
  const claim = claimOf(voucher, posting);
  return voucher.kind === 'INVOICE' ? claim : { ...claim, dueDate: null };
}
