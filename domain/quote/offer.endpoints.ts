import { defineEndpoint } from '../api/endpoint.ts';
import {
  offer,
  offerAcceptance,
  offerDecline,
  offerParams,
  quoteAcceptance,
  quoteDecline,
} from './offer.schema.ts';
import { quote, quoteParams } from './quote.schema.ts';

const AT_LINK = { access: 'public', feature: 'quotes', params: offerParams } as const;

export const getOffer = defineEndpoint({
  id: 'getOffer',
  method: 'GET',
  path: '/api/offers/{token}/',
  summary: 'The quote of a link, as its customer sees it',
  ...AT_LINK,
  response: offer,
  errors: [404, 429],
});

export const mailOfferCode = defineEndpoint({
  id: 'mailOfferCode',
  method: 'POST',
  path: '/api/offers/{token}/code/',
  summary: 'Mail a code for accepting to where the quote went',
  ...AT_LINK,
  errors: [404, 409, 429],
});

export const acceptOffer = defineEndpoint({
  id: 'acceptOffer',
  method: 'POST',
  path: '/api/offers/{token}/accept/',
  summary: 'Accept the quote; again with the same is no change',
  ...AT_LINK,
  body: offerAcceptance,
  response: offer,
  errors: [403, 404, 409, 429],
});

export const declineOffer = defineEndpoint({
  id: 'declineOffer',
  method: 'POST',
  path: '/api/offers/{token}/decline/',
  summary: 'Decline the quote; again with the same is no change',
  ...AT_LINK,
  body: offerDecline,
  response: offer,
  errors: [404, 409, 429],
});

const BY_HAND = { permission: 'issue', feature: 'quotes', params: quoteParams } as const;

export const acceptQuote = defineEndpoint({
  id: 'acceptQuote',
  method: 'POST',
  path: '/api/quotes/{quoteUuid}/accept/',
  summary: 'Note that the customer accepted the sent revision',
  ...BY_HAND,
  body: quoteAcceptance,
  response: quote,
  errors: [404, 409],
});

export const declineQuote = defineEndpoint({
  id: 'declineQuote',
  method: 'POST',
  path: '/api/quotes/{quoteUuid}/decline/',
  summary: 'Note that the customer declined the sent revision',
  ...BY_HAND,
  body: quoteDecline,
  response: quote,
  errors: [404, 409],
});
