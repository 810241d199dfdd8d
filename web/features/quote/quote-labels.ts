import type { Quote } from '../../../domain/quote/quote.schema.ts';
import {
  type PriceKind,
  QUOTE_STATE_NAMES,
  type QuoteState,
} from '../../../domain/quote/quote.state.ts';
import type { BadgeTone, Label } from '../../ui/Badge.tsx';

const TONES: Readonly<Record<QuoteState, BadgeTone>> = {
  DRAFT: 'amber',
  SENT: 'blue',
  EXPIRED: 'red',
  ACCEPTED: 'green',
  PARTLY_INVOICED: 'purple',
  INVOICED: 'gray',
  DECLINED: 'gray',
  WITHDRAWN: 'gray',
};

export function stateLabel(state: QuoteState): Label {
  return { text: QUOTE_STATE_NAMES[state], tone: TONES[state] };
}

/** The duty that a price lays on the seller of a private customer; absent where it binds to nothing (QUO-73). */
export const BINDING: Readonly<Partial<Record<PriceKind, string>>> = {
  FIXED:
    'Prisen er bindende: kunden betaler ikke mer enn dette, bortsett fra for ekstra arbeid som er bestilt.',
  ESTIMATE:
    'Sluttprisen kan ikke bli mer enn 15 prosent høyere enn prisoverslaget (håndverkertjenesteloven § 32).',
};

/** The name of a quote within a sentence: 'Tilbud 12', or 'Utkastet til Kari Nordmann'. */
export function nameOf({ quoteNumber, customerName }: Quote): string {
  return quoteNumber === null ? `Utkastet til ${customerName}` : `Tilbud ${quoteNumber}`;
}
