import type { PriceKind } from './quote.state.ts';
import type { OfferState } from './offer.schema.ts';

/*
 * Consumer law that a customer meets at the link (QUO-38). It was read in quotations of angrerettloven alone, so that
 * no call is refused because of it.
 */

/** A button that does not say so binds no consumer (angrerettloven). */
export const ACCEPT_AS_CONSUMER = 'Godta tilbudet – bestilling med betalingsplikt';
export const RIGHT_TO_WITHDRAW =
  'Når du godtar på nett, har du som forbruker normalt 14 dagers angrerett.';

export const ACCEPT = 'Godta tilbudet';
export const DECLINE = 'Avslå tilbudet';

/** The names of states at the link. */
export const OFFER_STATE_NAMES: Readonly<Record<OfferState, string>> = {
  SENT: 'Venter på svar',
  EXPIRED: 'Utløpt',
  ACCEPTED: 'Godtatt',
  DECLINED: 'Avslått',
  WITHDRAWN: 'Trukket tilbake',
};

const PRICE_LABELS: Readonly<Record<PriceKind, string>> = {
  FIXED: 'Pris',
  ESTIMATE: 'Prisoverslag',
  INDICATION: 'Prisantydning',
};

/** The label of a quote's sum: 'Pris med mva'. */
export function priceLabel(kind: PriceKind, hasVat: boolean): string {
  return hasVat ? `${PRICE_LABELS[kind]} med mva` : PRICE_LABELS[kind];
}
