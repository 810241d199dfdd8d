import { z } from 'zod/mini';

import { defineEndpoint, NO_FEATURES } from '../api/endpoint.ts';
import { invoice } from '../invoice/invoice.schema.ts';
import { quoteInvoiceBody } from './quote-invoice.schema.ts';
import {
  quote,
  quoteEvent,
  quoteForm,
  quoteListQuery,
  quotePage,
  quoteParams,
  quoteSending,
  quoteUpdate,
} from './quote.schema.ts';

export const listQuotes = defineEndpoint({
  id: 'listQuotes',
  method: 'GET',
  path: '/api/quotes/',
  summary: 'Quotes, the newest first',
  permission: 'see',
  feature: 'quotes',
  query: quoteListQuery,
  response: quotePage,
});

export const createQuote = defineEndpoint({
  id: 'createQuote',
  method: 'POST',
  path: '/api/quotes/create/',
  summary: 'Make the draft of a quote for a customer',
  permission: 'edit',
  feature: 'quotes',
  body: quoteForm(NO_FEATURES),
  bodyFor: quoteForm,
  response: quote,
  status: 201,
  errors: [409],
});

export const getQuote = defineEndpoint({
  id: 'getQuote',
  method: 'GET',
  path: '/api/quotes/{quoteUuid}/',
  summary: 'A quote',
  permission: 'see',
  feature: 'quotes',
  params: quoteParams,
  response: quote,
  errors: [404],
});

export const updateQuote = defineEndpoint({
  id: 'updateQuote',
  method: 'PUT',
  path: '/api/quotes/{quoteUuid}/',
  summary: 'Change a draft',
  permission: 'edit',
  feature: 'quotes',
  params: quoteParams,
  body: quoteUpdate(NO_FEATURES),
  bodyFor: quoteUpdate,
  response: quote,
  errors: [404, 409],
});

export const deleteQuote = defineEndpoint({
  id: 'deleteQuote',
  method: 'DELETE',
  path: '/api/quotes/{quoteUuid}/',
  summary: 'Delete a draft; of a further revision, go back to the sent one',
  permission: 'edit',
  feature: 'quotes',
  params: quoteParams,
  errors: [404, 409],
});

export const getQuoteHistory = defineEndpoint({
  id: 'getQuoteHistory',
  method: 'GET',
  path: '/api/quotes/{quoteUuid}/history/',
  summary: 'What happened to a quote, when and by whom, newest first',
  permission: 'see',
  feature: 'quotes',
  params: quoteParams,
  response: z.array(quoteEvent),
  errors: [404],
});

export const invoiceQuote = defineEndpoint({
  id: 'invoiceQuote',
  method: 'POST',
  path: '/api/quotes/{quoteUuid}/invoice/',
  summary:
    'Make the draft of an invoice of all that is left of an accepted quote, of a percent, or of some lines',
  permission: 'edit',
  feature: 'quotes',
  params: quoteParams,
  body: quoteInvoiceBody,
  response: invoice,
  status: 201,
  errors: [404, 409],
});

export const sendQuote = defineEndpoint({
  id: 'sendQuote',
  method: 'POST',
  path: '/api/quotes/{quoteUuid}/send/',
  summary: 'Freeze a draft with its number, and mail it; mail again what is sent',
  permission: 'issue',
  feature: 'quotes',
  params: quoteParams,
  body: quoteSending,
  response: quote,
  makes: true,
  errors: [404, 409, 429],
});

export const reviseQuote = defineEndpoint({
  id: 'reviseQuote',
  method: 'POST',
  path: '/api/quotes/{quoteUuid}/revise/',
  summary: 'Make the draft of a further revision; the sent one can be answered until that is sent',
  permission: 'edit',
  feature: 'quotes',
  params: quoteParams,
  response: quote,
  makes: true,
  errors: [404, 409],
});

export const withdrawQuote = defineEndpoint({
  id: 'withdrawQuote',
  method: 'POST',
  path: '/api/quotes/{quoteUuid}/withdraw/',
  summary: 'Take back a quote that was sent and not answered',
  permission: 'issue',
  feature: 'quotes',
  params: quoteParams,
  response: quote,
  errors: [404, 409],
});
