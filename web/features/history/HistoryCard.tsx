import { REACHABILITY_WORDS } from '../../../domain/ehf/ehf.schema.ts';
import { keepPreviousData, queryOptions, type UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';

import { formatDate } from '../../../domain/date.ts';
import { recipientText } from '../../../domain/delivery/delivery.schema.ts';
import { REMINDER_NAMES } from '../../../domain/document/reminder-document.ts';
import { readableEmail } from '../../../domain/email.ts';
import { getInvoiceHistory } from '../../../domain/history/history.endpoints.ts';
import type { HistoryEvent, HistoryKind } from '../../../domain/history/history.schema.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { formatKroner } from '../../../domain/money.ts';
import { ask } from '../../lib/client.ts';
import { paths } from '../../lib/paths.ts';
import type { Label } from '../../ui/Badge.tsx';
import { EventCard } from './EventCard.tsx';

export function HistoryCard({ query }: { query: UseQueryResult<HistoryEvent[]> }) {
  return (
    <EventCard query={query} labelOf={eventLabel} moreOf={creditNoteOf} noteOf={eventNote}>
      {(events) =>
        // Invoices that are older than the history feature lack their first events.
        events.some(({ kind }) => kind === 'CREATED') ? null : (
          <p className="note">
            Fakturaen er eldre enn historikken. Det som skjedde før den ble innført, står ikke her.
          </p>
        )
      }
    </EventCard>
  );
}

function creditNoteOf({ details: { creditNote, credited } }: HistoryEvent) {
  if (!creditNote) return null;
  return (
    <>
      {' med '}
      <Link to={paths.invoice(creditNote.invoiceNumber)}>
        kreditnota {credited === undefined ? 'nr. ' : null}
        {creditNote.invoiceNumber}
      </Link>
    </>
  );
}

/**
 * The history of an invoice. Its key contains the statuses, so a status change fetches it again.
 *
 * @param reminded the delivery statuses of the invoice's reminders, which its history contains too
 */
export function historyQuery(
  { uuid, status, deliveries }: Invoice,
  reminded: readonly (string | null)[] = [],
) {
  const state = [status, ...deliveries.map((delivery) => delivery.status), ...reminded].join();
  const asked = ask('invoices', getInvoiceHistory, { params: { invoiceStr: uuid } }, state);
  return queryOptions({ ...asked, placeholderData: keepPreviousData });
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
  LOOKED_UP: { text: 'ELMA-oppslag', tone: 'gray' },
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
  if (details.outcome !== undefined) {
    return { text: `${text}: ${REACHABILITY_WORDS[details.outcome]}`, tone };
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
  if (details.deliveryChangedFrom) return 'Sendes som EHF i stedet for e-post';
  const day = details.paidDate ?? details.date;
  if (day !== undefined) return `Betalingsdato ${formatDate(day)}`;
  if (dueDate !== undefined) return `Ny betalingsfrist ${formatDate(dueDate)}`;
  if (note !== undefined) return note;
  // The label of an EHF event already names the recipient.
  if (recipient === undefined || deliveryType === 'EHF') return null;
  return [recipient, ...copies].map(readableEmail).join(', ');
}
