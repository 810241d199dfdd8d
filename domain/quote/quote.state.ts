import { addDays, todayInOslo, type IsoDate } from '../date.ts';

/** The states that are stored; the others follow from the day and from what was invoiced (QUO-3). */
type StoredQuoteState = 'DRAFT' | 'SENT' | 'ACCEPTED' | 'DECLINED' | 'WITHDRAWN';

export const QUOTE_STATES = [
  'DRAFT',
  'SENT',
  'EXPIRED',
  'ACCEPTED',
  'PARTLY_INVOICED',
  'INVOICED',
  'DECLINED',
  'WITHDRAWN',
] as const;
export type QuoteState = (typeof QUOTE_STATES)[number];

/** Names on screen. */
export const QUOTE_STATE_NAMES: Readonly<Record<ListedQuoteState, string>> = {
  DRAFT: 'Utkast',
  SENT: 'Sendt',
  EXPIRED: 'Utløpt',
  ACCEPTED: 'Godtatt',
  PARTLY_INVOICED: 'Delvis fakturert',
  INVOICED: 'Fakturert',
  DECLINED: 'Avslått',
  WITHDRAWN: 'Trukket tilbake',
  TO_INVOICE: 'Å fakturere',
  OPEN: 'Ikke avsluttet',
};

/** The states that a list may ask for, of which the last two are several states (QUO-20). */
export const LISTED_QUOTE_STATES = [...QUOTE_STATES, 'TO_INVOICE', 'OPEN'] as const;
export type ListedQuoteState = (typeof LISTED_QUOTE_STATES)[number];

/** How much of a quote was taken to invoices. */
type InvoicedExtent = 'NONE' | 'PART' | 'ALL';

const OF_ACCEPTED = { NONE: 'ACCEPTED', PART: 'PARTLY_INVOICED', ALL: 'INVOICED' } as const;

/** The values that the state of a quote follows from. */
export interface StandingOfQuote<State extends StoredQuoteState = StoredQuoteState> {
  readonly state: State;
  /** The last day on which the sent revision can be answered, as a whole. */
  readonly sentValidUntil: IsoDate | null;
  readonly invoiced: InvoicedExtent;
}

/** The state on a day in Oslo. `quoteState` of the server is the same in SQL. */
export function quoteStateOn(
  { state, sentValidUntil, invoiced }: StandingOfQuote,
  today: IsoDate,
): QuoteState {
  if (state === 'ACCEPTED') return OF_ACCEPTED[invoiced];
  if (state === 'SENT' && sentValidUntil !== null && sentValidUntil < today) return 'EXPIRED';
  return state;
}

/** How long the link of a quote works after its last day and after its answer (days; QUO-31). */
const DAYS_AFTER = 90;

/** The last day on which the link of a quote works. */
export function offerExpiresOn(validUntil: IsoDate, answeredAt: Date | null): IsoDate {
  const answered = answeredAt === null ? validUntil : todayInOslo(answeredAt);
  return addDays(answered > validUntil ? answered : validUntil, DAYS_AFTER);
}

/** Kinds of price: what the seller promises by it (QUO-2). */
export const PRICE_KINDS = ['FIXED', 'ESTIMATE', 'INDICATION'] as const;
export type PriceKind = (typeof PRICE_KINDS)[number];

/** Names on screen and paper. */
export const PRICE_KIND_NAMES: Readonly<Record<PriceKind, string>> = {
  FIXED: 'Fast pris',
  ESTIMATE: 'Prisoverslag',
  INDICATION: 'Uforpliktende prisantydning',
};
