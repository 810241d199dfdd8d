import { formatDate } from '../../domain/date.ts';
import { recipientText } from '../../domain/delivery/recipient-text.ts';
import { readableEmail } from '../../domain/email.ts';
import type { HistoryEvent, HistoryKind } from '../../domain/history/history.schema.ts';
import { formatKroner } from '../../domain/money.ts';
import type { BadgeTone } from '../ui/Badge.tsx';

interface Label {
  readonly text: string;
  readonly tone: BadgeTone;
}

const LABELS: Readonly<Record<Exclude<HistoryKind, 'PAYMENT'>, Label>> = {
  CREATED: { text: 'Opprettet', tone: 'gray' },
  CHANGED: { text: 'Endret', tone: 'gray' },
  REGISTERED: { text: 'Registrert', tone: 'blue' },
  QUEUED: { text: 'Lagt til utsending', tone: 'purple' },
  SENT: { text: 'Sendt', tone: 'green' },
  FAILED: { text: 'Kunne ikke leveres', tone: 'red' },
  PAID: { text: 'Satt til betalt', tone: 'green' },
  UNPAID: { text: 'Satt til ikke betalt', tone: 'amber' },
  CREDITED: { text: 'Kreditert', tone: 'gray' },
  REMINDED: { text: 'Purret', tone: 'amber' },
  DISPUTED: { text: 'Bestridt', tone: 'red' },
  RESOLVED: { text: 'Ikke lenger bestridt', tone: 'blue' },
};
const STOPPED_TEXTS = {
  CANCELLED: 'Kreditert først',
  PAID: 'Betalt først',
  DISPUTED: 'Bestridt først',
  PART_PAID: 'Noe ble betalt først',
} as const;

/** What happened. */
export function eventLabel({ kind, details }: HistoryEvent): Label {
  if (details.stoppedBy) return { text: 'Holdt tilbake', tone: 'gray' };
  if (kind === 'PAYMENT') return paymentLabel(details);
  const { text, tone } = LABELS[kind];
  const { deliveryType: type, recipient } = details;
  if (type === 'EHF' && recipient !== undefined) {
    return { text: `${text} som EHF til ${recipientText(type, recipient)}`, tone };
  }
  if (details.invoiceNumber !== undefined) {
    return { text: `${text} med nummer ${details.invoiceNumber}`, tone };
  }
  return { text, tone };
}

function paymentLabel({ amount = 0, source, takenBack = false }: HistoryEvent['details']): Label {
  const kroner = formatKroner(Math.abs(amount));
  if (takenBack) return { text: `Betaling på ${kroner} kr trukket tilbake`, tone: 'amber' };
  const how = source === 'BANK' ? 'fra banken' : 'registrert';
  return { text: `Betaling på ${kroner} kr ${how}`, tone: 'green' };
}

/**
 * What else there is to say of it; null when its label says all. Why a delivery failed stands with the
 * deliveries.
 */
export function eventNote({ details }: HistoryEvent): string | null {
  const { deliveryType, recipient, stoppedBy, paidDate, date } = details;
  if (stoppedBy) return STOPPED_TEXTS[stoppedBy];
  const day = paidDate ?? date;
  if (day !== undefined) return `Betalingsdato ${formatDate(day)}`;
  // Of EHF its label has told it.
  return recipient === undefined || deliveryType === 'EHF' ? null : readableEmail(recipient);
}

/** Who did it. */
export function authorText({ type, name }: HistoryEvent['by']): string {
  if (type === 'TOKEN') return `API-nøkkelen «${name}»`;
  if (type === 'STAFF') return `${readableEmail(name)} (driften)`;
  return type === 'ACCOUNT' ? readableEmail(name) : name;
}
