import { daysBetween } from '../date.ts';
import type { OpenItem } from '../export/figures.ts';
import { claimOf, type CustomerBooks, type Voucher } from '../export/journal.ts';
import { ore, oreToKroner } from '../money.ts';
import { outstandingOf } from '../overview/figures.ts';
import type { Period } from '../overview/periods.ts';
import { KINDS, type Statement } from './statement.schema.ts';

/** The part of a statement that the books say. */
type Figures = Pick<Statement, 'opening' | 'rows' | 'closing' | 'open' | 'ages'>;

/**
 * The figures of a statement (PORT-30); null when the books changed while they were read, so that they do not agree.
 *
 * @param customerId the customer's id, since others may have had its number
 */
export function statementFigures(
  books: CustomerBooks,
  customerId: number,
  { to }: Period,
): Figures | null {
  const { opening, closing, openItems } = books;
  let balance: number = opening;
  const rows = postingsOf(books.vouchers, customerId).map(({ voucher, amount, text }) => {
    const { date, kind, number, dueDate } = voucher;
    balance += amount;
    return {
      date,
      kind,
      number,
      text: text ?? voucher.text,
      dueDate: kind === 'INVOICE' ? dueDate : null,
      debit: amount > 0 ? oreToKroner(amount) : null,
      credit: amount < 0 ? oreToKroner(ore(0 - amount)) : null,
      balance: oreToKroner(ore(balance)),
    };
  });
  const left = openItems.reduce((sum, { rest }) => sum + rest, 0);
  if (balance !== closing || left !== closing) return null;
  const claims = openItems.flatMap(({ document, rest }) =>
    document ? [{ dueDate: document.dueDate, amount: rest, count: 1 }] : [],
  );
  return {
    opening: oreToKroner(opening),
    rows,
    closing: oreToKroner(closing),
    open: openItems.map((item) => toOpen(item, to)),
    ages: [...outstandingOf(claims, to).ages],
  };
}

/** The postings on what the customer owes, oldest first; of one day by kind, then by number. */
function postingsOf(vouchers: readonly Voucher[], customerId: number) {
  return vouchers
    .flatMap((voucher) =>
      voucher.postings
        .filter(
          (posting) =>
            posting.role === 'RECEIVABLES' && claimOf(voucher, posting).customerId === customerId,
        )
        .map(({ amount, text }) => ({ voucher, amount, text })),
    )
    .toSorted(
      ({ voucher: one }, { voucher: other }) =>
        one.date.localeCompare(other.date) ||
        KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) ||
        one.number - other.number,
    );
}

function toOpen({ document, rest }: OpenItem, asOf: string): Statement['open'][number] {
  const left = oreToKroner(rest);
  if (!document) {
    return { invoiceNumber: null, issueDate: null, dueDate: null, amount: null, left, days: null };
  }
  const { number: invoiceNumber, issueDate, dueDate, gross } = document;
  const days = Math.max(0, daysBetween(dueDate, asOf));
  return { invoiceNumber, issueDate, dueDate, amount: oreToKroner(gross), left, days };
}
