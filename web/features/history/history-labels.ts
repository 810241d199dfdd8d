import { formatDate } from '../../../domain/date.ts';
import { recipientText } from '../../../domain/delivery/delivery.schema.ts';
import { REMINDER_NAMES } from '../../../domain/document/reminder-document.ts';
import { readableEmail } from '../../../domain/email.ts';
import type { HistoryEvent, HistoryKind } from '../../../domain/history/history.schema.ts';
import { formatKroner } from '../../../domain/money.ts';
import type { Label } from '../../ui/Badge.tsx';

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
/** Labels of a reminder's delivery; the invoice's own delivery uses `LABELS`. */
const REMINDER_LABELS: Readonly<Partial<Record<HistoryKind | 'STOPPED', Label>>> = {
  QUEUED: { text: 'Purring lagt til utsending', tone: 'purple' },
  SENT: { text: 'Purring sendt', tone: 'green' },
  FAILED: { text: 'Purring kunne ikke leveres', tone: 'red' },
  STOPPED: { text: 'Purring holdt tilbake', tone: 'gray' },
};
const STOPPED_TEXTS = {
  CANCELLED: 'Kreditert først',
  PAID: 'Betalt først',
  DISPUTED: 'Bestridt først',
  PART_PAID: 'Noe ble betalt først',
  TOO_LATE: 'Fristen ble for kort',
} as const;

export function eventLabel({ kind, details }: HistoryEvent): Label {
  if (kind === 'PAYMENT') return paymentLabel(details);
  if (kind === 'CREDITED' && details.credited !== undefined) {
    return { text: `Kreditert ${formatKroner(details.credited)} kr`, tone: 'gray' };
  }
  if (kind === 'REMINDED') return remindedLabel(details);
  if (details.reminder)
    return REMINDER_LABELS[details.stoppedBy ? 'STOPPED' : kind] ?? LABELS[kind];
  if (details.stoppedBy) return { text: 'Holdt tilbake', tone: 'gray' };
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
  if (takenBack) {
    const undone = source === 'BANK' ? 'fjernet' : 'angret';
    return { text: `Betaling på ${kroner} kr ${undone}`, tone: 'amber' };
  }
  const how = source === 'BANK' ? 'fra banken' : 'registrert';
  return { text: `Betaling på ${kroner} kr ${how}`, tone: 'green' };
}

function remindedLabel({ reminderKind, amount, waived }: HistoryEvent['details']): Label {
  if (waived !== undefined) {
    return { text: `Ettergitt ${formatKroner(waived)} kr i gebyr og renter`, tone: 'blue' };
  }
  const { text, tone } = LABELS.REMINDED;
  const name = reminderKind === undefined ? text : REMINDER_NAMES[reminderKind];
  return { text: amount === undefined ? name : `${name} på ${formatKroner(amount)} kr`, tone };
}

/**
 * Further details of an event; null when its label says everything. Leaves out failure reasons, which the delivery card
 * shows.
 */
export function eventNote({ details }: HistoryEvent): string | null {
  const { deliveryType, recipient, copies = [], stoppedBy, dueDate, note } = details;
  if (stoppedBy) return STOPPED_TEXTS[stoppedBy];
  const day = details.paidDate ?? details.date;
  if (day !== undefined) return `Betalingsdato ${formatDate(day)}`;
  if (dueDate !== undefined) return `Ny betalingsfrist ${formatDate(dueDate)}`;
  if (note !== undefined) return note;
  // The label of an EHF event already names the recipient.
  if (recipient === undefined || deliveryType === 'EHF') return null;
  return [recipient, ...copies].map(readableEmail).join(', ');
}

export function authorText({ type, name }: HistoryEvent['by']): string {
  if (type === 'TOKEN') return `API-nøkkelen «${name}»`;
  if (type === 'STAFF') return `${readableEmail(name)} (driften)`;
  return type === 'ACCOUNT' ? readableEmail(name) : name;
}
