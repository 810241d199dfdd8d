import { ore, type Ore } from '../money.ts';
import type { InvoiceKind, InvoiceStatus } from './invoice.status.ts';
import { addDays, daysBetween, todayInOslo, type IsoDate } from '../date.ts';
import type { DeliveryStatus, DeliveryType } from '../delivery/delivery.schema.ts';

interface Payable {
  readonly kind: InvoiceKind;
  readonly status: InvoiceStatus;
  readonly grossAmount: Ore;
  readonly paidAmount: Ore;
  readonly creditedAmount: Ore;
}

/** The amount due, in øre: a draft's whole sum, 0 for a credit note or a credited invoice. */
export function amountDue(invoice: Payable): Ore {
  const { kind, status, grossAmount, paidAmount, creditedAmount } = invoice;
  if (kind === 'CREDIT_NOTE' || status === 'CANCELLED') return ore(0);
  return ore(grossAmount - creditedAmount - paidAmount);
}

/**
 * Why no reminder can ask for an invoice (REM-6): what it is, where nothing is due, or that it is disputed; else null.
 *
 * @param due its amount due, in any unit
 */
export function whyNothingIsAsked(
  { kind, status, disputed }: Pick<Payable, 'kind' | 'status'> & { readonly disputed: boolean },
  due: number,
): InvoiceStatus | 'CREDIT_NOTE' | 'DISPUTED' | null {
  if (kind === 'CREDIT_NOTE') return kind;
  if (status !== 'REGISTERED' || due <= 0) return status;
  return disputed ? 'DISPUTED' : null;
}

/** The part of a payment of an invoice that goes to its reminders: what exceeds the amount due (øre). */
export function partForReminders(amount: Ore, due: Ore): Ore {
  return ore(Math.max(0, amount - due));
}

/** The most that can be allocated to an invoice, in øre: the amount due, and what its reminders claim. */
export function amountTaken(due: Ore, reminderAmount: Ore): Ore {
  return ore(due + reminderAmount);
}

interface Issued {
  readonly deliveryType: DeliveryType;
  /** The day in Oslo; null for a draft. */
  readonly registeredOn: IsoDate | null;
  /** Deliveries of the invoice, not of its reminders. */
  readonly deliveries: readonly {
    readonly status: DeliveryStatus;
    readonly sentTime: Date | null;
  }[];
}

/**
 * The day in Oslo on which the customer received the claim: the first sending, or the registration when delivered by
 * hand (NONE), even if a copy is mailed later. Null before that. A refused mail is not a sending.
 */
export function presentedOn({ deliveryType, registeredOn, deliveries }: Issued): IsoDate | null {
  if (registeredOn === null) return null;
  if (deliveryType === 'NONE') return registeredOn;
  const times = deliveries.flatMap(({ status, sentTime }) =>
    status === 'SENT' && sentTime !== null ? [sentTime.getTime()] : [],
  );
  return times.length === 0 ? null : todayInOslo(new Date(Math.min(...times)));
}

interface Presented {
  readonly dueDate: IsoDate;
  /** Days to payment. */
  readonly dueDays: number;
  readonly presentedOn: IsoDate;
}

/**
 * The last day on which a payment is on time. The customer has the full number of due days from the day of
 * presentation, even if the invoice is dated earlier (REM-1). Lateness, fee and interest count from here. The list's
 * 'Forfalt' uses the printed due date.
 */
export function paymentDeadline({ dueDate, dueDays, presentedOn: since }: Presented): IsoDate {
  return daysBetween(since, dueDate) < dueDays ? addDays(since, dueDays) : dueDate;
}
