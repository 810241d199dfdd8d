import type { BookDocument, BookPayment } from '../../domain/export/figures.ts';
import type { VoucherCustomer } from '../../domain/export/claim.ts';
import { invoiceTotals } from '../../domain/invoice/invoice.totals.ts';
import { ore, type Ore } from '../../domain/money.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { DocumentRow } from './figures.repository.ts';
import type { PaymentFigureRow } from './money.repository.ts';

/** A document of which nothing is due on the last day was settled on the day of its last payment or credit note. */
export function toDocument(row: DocumentRow): BookDocument {
  const { kind, status, registeredAt, buyer, customerNumber, paidDate, lastOn, notes } = row;
  const { gross, credited, paid, vatSubtotals } = row;
  const isSettled = gross - credited - paid === 0;
  const isCancelled = status === 'CANCELLED' && notes > 0 && credited === gross;
  const isPaid = kind === 'INVOICE' && isSettled && !isCancelled;
  return {
    ...row,
    account: row.bankAccountNumber,
    recordedAt: new Date(registeredAt).toISOString(),
    customer: toCustomer(buyer, customerNumber),
    issuedToNumber: buyer.customerNumber,
    subtotals: vatSubtotals ?? (invoiceTotals(row.lines).subtotals as BookDocument['subtotals']),
    paidOn: isPaid ? (status === 'PAID' ? paidDate : lastOn) : null,
    isCancelled,
  };
}

function toCustomer(
  { name, orgNumber, address1, address2, postalCode: zipCode, city }: Omit<Buyer, 'email'>,
  customerNumber: number | null,
): VoucherCustomer {
  return { customerNumber, name, orgNumber, address1, address2, zipCode, city };
}

/** The values of a payment that depend on other rows. */
interface Around {
  readonly number: number;
  /** The part that pays fees of reminders. */
  readonly fee: Ore;
  readonly movedTo: readonly BookPayment[];
}

export function toPayment(row: PaymentFigureRow, { number, fee, movedTo }: Around): BookPayment {
  const { date, createdAt, kind, source, amount, reminderAmount, buyer, customer } = row;
  const { isBooked, isMoved, kid, payer, reference, takesBack } = row;
  const whose = buyer ?? customer;
  return {
    number,
    date,
    recordedAt: createdAt.toISOString(),
    kind,
    source,
    amount,
    fee,
    interest: ore(reminderAmount - fee),
    isBooked,
    isMoved,
    account: row.ownAccount ?? row.bankAccountNumber,
    claim: {
      invoiceNumber: row.invoiceNumber,
      kid: row.invoiceKid,
      dueDate: row.dueDate,
      customer: whose && toCustomer(whose, row.customerNumber),
    },
    kid,
    payer,
    reference,
    takesBack,
    movedTo,
  };
}
