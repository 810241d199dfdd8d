import { formatDate } from '../../../domain/date.ts';
import { readableEmail } from '../../../domain/email.ts';
import type { QuoteEvent, QuoteEventKind } from '../../../domain/quote/quote.schema.ts';
import { showKroner } from '../../lib/number-text.ts';
import type { Label } from '../../ui/Badge.tsx';

const LABELS: Readonly<Record<QuoteEventKind, Label>> = {
  CREATED: { text: 'Opprettet', tone: 'gray' },
  CHANGED: { text: 'Endret', tone: 'gray' },
  SENT: { text: 'Sendt', tone: 'blue' },
  FAILED: { text: 'Kunne ikke leveres', tone: 'red' },
  REVISED: { text: 'Ny versjon', tone: 'gray' },
  ACCEPTED: { text: 'Godtatt', tone: 'green' },
  DECLINED: { text: 'Avslått', tone: 'amber' },
  WITHDRAWN: { text: 'Trukket tilbake', tone: 'gray' },
  INVOICED: { text: 'Faktura laget', tone: 'purple' },
};

export function quoteEventLabel({ kind, details }: QuoteEvent): Label {
  const { text, tone } = LABELS[kind];
  const { revision = 1, quoteNumber, netAmount } = details;
  if (details.confirmation) return { text: `Ordrebekreftelse: ${text.toLowerCase()}`, tone };
  if (kind === 'INVOICED' && netAmount !== undefined) {
    return { text: `${text}: ${showKroner(netAmount)} uten mva.`, tone };
  }
  if (quoteNumber !== undefined) return { text: `${text} som tilbud ${quoteNumber}`, tone };
  return revision > 1 && kind !== 'CHANGED'
    ? { text: `${text} (versjon ${revision})`, tone }
    : { text, tone };
}

/** Further details of an event; null when its label says everything. */
export function quoteEventNote({ details }: QuoteEvent): string | null {
  const { recipient, copies = [], reason, name, date, note } = details;
  const to = recipient === undefined ? [] : [[recipient, ...copies].map(readableEmail).join(', ')];
  const by = name === undefined ? [] : [`Av ${name}${date ? ` ${formatDate(date)}` : ''}`];
  const parts = [...to, ...by, reason, note].filter(Boolean);
  return parts.length === 0 ? null : parts.join('\n');
}
