import type { IsoDate } from '../../domain/date.ts';
import type { BookDocument, BookPayment } from '../../domain/export/figures.ts';
import type { VoucherCustomer } from '../../domain/export/claim.ts';
import { invoiceTotals } from '../../domain/invoice/invoice.totals.ts';
import { ore, type Ore } from '../../domain/money.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { DocumentRow } from './figures.repository.ts';
import type { PaymentFigureRow } from './money.repository.ts';

/**
 * A document of which nothing is due on the last day was settled by its payments, or with its last credit note (PAY-2).
 *
 * @param paidOn the day on which its payments reached what they had to, where there are several
 */
export function toDocument(row: DocumentRow, paidOn: IsoDate | null): BookDocument {
  const { kind, registeredAt, buyer, creditedOn, lastPaidOn, vatSubtotals } = row;
  const days = [paidOn ?? lastPaidOn, creditedOn].filter((date) => date !== null);
  const isCancelled = wasCancelled(row);
  const isPaid = kind === 'INVOICE' && isSettled(row) && !isCancelled;
  return {
    ...row,
    account: row.bankAccountNumber,
    recordedAt: new Date(registeredAt).toISOString(),
    customer: toCustomer(buyer),
    subtotals: vatSubtotals ?? (invoiceTotals(row.lines).subtotals as BookDocument['subtotals']),
    paidOn: isPaid ? (days.toSorted().at(-1) ?? null) : null,
    isCancelled,
  };
}

/** Whether nothing of a document was due on the last day. */
export function isSettled({ gross, credited, paid }: DocumentRow): boolean {
  return gross - credited - paid === 0;
}

function wasCancelled({ status, notes, credited, gross }: DocumentRow): boolean {
  return status === 'CANCELLED' && notes > 0 && credited === gross;
}

/** A customer as documents name it. */
export function toCustomer({
  customerNumber,
  name,
  orgNumber,
  address1,
  address2,
  postalCode: zipCode,
  city,
}: Omit<Buyer, 'email'>): VoucherCustomer {
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
  const { date, createdAt, kind, source, amount, reminderAmount, buyer } = row;
  const { isBooked, isMoved, buyerId: customerId, kid, payer, reference, takesBack } = row;
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
      customerId,
      customer: buyer && toCustomer(buyer),
    },
    kid,
    payer,
    reference,
    takesBack,
    movedTo,
  };
}
