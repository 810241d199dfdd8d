import { formatDate, type IsoDate } from '../../../domain/date.ts';
import { whyNothingIsAsked } from '../../../domain/invoice/claim.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { lateFrom } from '../../../domain/late-payment/reminder-law.ts';
import { workingDayFrom } from '../../../domain/late-payment/working-days.ts';

type Judged = Pick<
  Invoice,
  'kind' | 'status' | 'disputed' | 'amountDue' | 'dueDate' | 'paymentDeadline' | 'deliveryStatus'
>;

const NOTHING_TO_ASK = {
  CREDIT_NOTE: 'En kreditnota skal ikke betales.',
  DRAFT: 'Fakturaen er et utkast og er ikke sendt ennå.',
  PAID: 'Fakturaen er betalt.',
  CANCELLED: 'Fakturaen er kreditert.',
  REGISTERED: 'Det er ikke noe igjen å betale.',
  DISPUTED: 'Kunden har bestridt fakturaen.',
};

/** The reason why an invoice cannot be reminded of; null when it can. The server checks the other legal rules. */
export function whyNotRemind(invoice: Judged, today: IsoDate): string | null {
  const { dueDate, paymentDeadline, deliveryStatus } = invoice;
  const nothing = whyNothingIsAsked(invoice, invoice.amountDue);
  if (nothing !== null) return NOTHING_TO_ASK[nothing];
  if (paymentDeadline === null) {
    return deliveryStatus === 'FAILED'
      ? 'Fakturaen kom ikke fram til kunden. Send den på nytt.'
      : 'Fakturaen er ikke sendt ennå.';
  }
  if (dueDate === today) return 'Fakturaen forfaller i dag.';
  if (dueDate > today) return `Fakturaen forfaller ${formatDate(dueDate)}.`;
  if (lateFrom({ dueDate: paymentDeadline }) <= today) return null;
  if (paymentDeadline > dueDate) {
    return `Fakturaen ble sendt sent, så den kan betales til og med ${formatDate(workingDayFrom(paymentDeadline))}.`;
  }
  // A payment due on a day off may be made on the next working day.
  return `Forfallsdatoen var en fridag, så fakturaen kan betales til og med ${formatDate(workingDayFrom(dueDate))}.`;
}
