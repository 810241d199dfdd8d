import { addDays, todayInOslo, type IsoDate } from '../date.ts';
import type { DeliveryStatus, DeliveryType } from '../delivery/delivery.schema.ts';

interface Issued {
  readonly deliveryType: DeliveryType;
  /** The day in Oslo; null of a draft. */
  readonly registeredOn: IsoDate | null;
  /** Its own deliveries, not those of its reminders. */
  readonly deliveries: readonly {
    readonly status: DeliveryStatus;
    readonly sentTime: Date | null;
  }[];
}

/**
 * The day in Oslo on which a customer was asked to pay: the first sending, or the registration of what is given by
 * hand (NONE), a copy of which may be mailed later. Null before that. A mail that was refused is no sending.
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
 * The last day on which a payment is in time. The customer has the days to payment from the day on which he was
 * asked, however early the invoice is dated. Lateness, fee and interest count from here; the list's 'Forfalt' goes
 * by the printed due date.
 */
export function paymentDeadline({ dueDate, dueDays, presentedOn: since }: Presented): IsoDate {
  const earliest = addDays(since, dueDays);
  return earliest > dueDate ? earliest : dueDate;
}
