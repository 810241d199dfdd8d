import type { DeliveryStatus } from '../../../domain/delivery/delivery.schema.ts';
import type { ReminderKind } from '../../../domain/late-payment/reminder-kind.ts';
import type { Reminder } from '../../../domain/reminder/reminder.schema.ts';
import type { Label } from '../../ui/Badge.tsx';
import { showCount } from '../../lib/count.ts';

export const KIND_HINTS: Readonly<Record<ReminderKind, string>> = {
  REMINDER: 'En vennlig påminnelse, uten gebyr',
  NOTICE: 'Tydeligere, og kan ha gebyr',
  DEBT_COLLECTION_NOTICE: 'Varsler at kravet går til inkasso',
};

const DELIVERY_LABELS: Readonly<Record<DeliveryStatus, Label>> = {
  PENDING: { text: 'Venter', tone: 'gray' },
  QUEUED: { text: 'Lagt i kø', tone: 'purple' },
  SENT: { text: 'Utsendt', tone: 'green' },
  FAILED: { text: 'Feilet', tone: 'red' },
};
const STOPPED_LABEL: Label = { text: 'Ikke sendt', tone: 'gray' };
const PRINTED_LABEL: Label = { text: 'Til utskrift', tone: 'gray' };

export function deliveryLabel({
  deliveryStatus,
  delivery,
}: Pick<Reminder, 'deliveryStatus' | 'delivery'>): Label {
  if (delivery?.stoppedBy) return STOPPED_LABEL;
  return deliveryStatus === null ? PRINTED_LABEL : DELIVERY_LABELS[deliveryStatus];
}

/** Whether a reminder was stopped before it was sent, so that the customer never got it. */
export function wasStopped({ waived, deliveryStatus, delivery }: Reminder): boolean {
  return waived && deliveryStatus === 'FAILED' && delivery !== null && delivery.stoppedBy !== null;
}

/** 'forfalt i går', 'forfalt for 14 dager siden'. */
export function sinceDue(daysLate: number): string {
  if (daysLate === 1) return 'forfalt i går';
  return `forfalt for ${showCount(daysLate)} dager siden`;
}

/** 'Én purring', '3 purringer'. */
export function countReminders(count: number): string {
  return count === 1 ? 'Én purring' : `${showCount(count)} purringer`;
}
