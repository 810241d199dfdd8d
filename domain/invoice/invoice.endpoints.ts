import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { defineEndpoint, NO_FEATURES } from '../api/endpoint.ts';
import { delivery, deliveryBody } from '../delivery/delivery.schema.ts';
import { documentEInvoice } from '../einvoice/einvoice.schema.ts';
import {
  queueBody,
  bulkStatusBody,
  bulkStatusResult,
  queueQuery,
  queueResult,
} from './invoice-bulk.schema.ts';
import { invoiceListQuery, invoicePage } from './invoice-list.schema.ts';
import {
  createdDrafts,
  deleteQuery,
  draftBody,
  invoice,
  invoiceBody,
  invoiceParams,
  invoiceUuidParams,
  statusBody,
  numberOrUuid,
} from './invoice.schema.ts';
import { dryRunQuery } from '../api/validation.ts';
import { searchQuery } from '../customer/customer.schema.ts';
import { countedLine } from './invoice-line.schema.ts';
import { vatOfLine } from '../vat-treatment.ts';

export const listInvoices = defineEndpoint({
  id: 'listInvoices',
  method: 'GET',
  path: '/api/invoices/',
  summary: 'Invoices: drafts first, then the highest number first, or sorted; twenty a page',
  permission: 'see',
  query: invoiceListQuery,
  response: invoicePage,
});

export const createInvoices = defineEndpoint({
  id: 'createInvoices',
  method: 'POST',
  path: '/api/invoices/create/',
  summary: 'Make one draft per customer, at most 100000 lines and 20 MB of text in all',
  permission: 'edit',
  body: invoiceBody(NO_FEATURES),
  bodyFor: invoiceBody,
  response: createdDrafts,
  status: 201,
  errors: [409],
});

export const previewInvoice = defineEndpoint({
  id: 'previewInvoice',
  method: 'POST',
  path: '/api/invoices/preview/',
  summary:
    'The PDF of the draft that the same body would make for its first customer, marked as a draft. Nothing is made',
  whileClosed: true,
  permission: 'edit',
  body: invoiceBody(NO_FEATURES),
  bodyFor: invoiceBody,
  response: z.custom<Uint8Array>(),
  contentType: 'application/pdf',
  errors: [409, 429],
});

export const queueInvoices = defineEndpoint({
  id: 'queueInvoices',
  method: 'POST',
  path: '/api/invoices/queue/',
  summary:
    'Register one draft, those of the body, or without either all of them, with the next numbers of ' +
    'the series in the order in which they were made. With dry_run nothing is registered',
  permission: 'issue',
  query: queueQuery,
  body: queueBody,
  makes: true,
  response: queueResult,
  errors: [404, 409],
});

export const sendInvoices = defineEndpoint({
  id: 'sendInvoices',
  method: 'POST',
  path: '/api/invoices/send/',
  summary: 'Send every registered, unsent invoice of every company',
  access: 'staff',
});

export const resendInvoice = defineEndpoint({
  id: 'resendInvoice',
  method: 'POST',
  path: '/api/invoices/{invoiceUuid}/resend/',
  summary:
    'Send an invoice whose delivery failed again, at most five times an hour: the same document, to the ' +
    'e-mail address that the customer has now, or where the invoice arrived that it credits',
  permission: 'issue',
  params: invoiceUuidParams,
  makes: true,
  response: invoice,
  errors: [404, 409, 429],
});

export const deliverInvoice = defineEndpoint({
  id: 'deliverInvoice',
  method: 'POST',
  path: '/api/invoices/{invoiceUuid}/deliveries/',
  summary:
    'Send a registered invoice or credit note, for the first time or again, at most five times an ' +
    'hour: the same document, to where the customer is reached now or the recipient that is given',
  permission: 'issue',
  params: invoiceUuidParams,
  body: deliveryBody,
  response: delivery,
  status: 201,
  errors: [404, 409, 429],
});

export const updateInvoice = defineEndpoint({
  id: 'updateInvoice',
  method: 'POST',
  path: '/api/invoices/{invoiceUuid}/update/',
  summary: 'Mark a registered invoice as paid, or a paid one as not paid',
  permission: 'payments',
  params: invoiceUuidParams,
  body: statusBody,
  response: invoice,
  errors: [404, 409],
});

export const getIssueDates = defineEndpoint({
  id: 'getIssueDates',
  method: 'GET',
  path: '/api/invoices/issue-dates/',
  summary: 'The dates that an invoice may carry when it is registered today',
  permission: 'see',
  response: z.object({
    today: z.iso.date(),
    monthEnd: described(
      z.nullable(
        z.object({
          date: described(z.iso.date(), 'The last day of the month before'),
          until: described(z.iso.date(), 'The last day on which it may be used'),
        }),
      ),
      'For what was delivered by then. null when it is too late for it',
    ),
  }),
});

export const getInvoice = defineEndpoint({
  id: 'getInvoice',
  method: 'GET',
  path: '/api/invoices/{invoiceStr}/',
  summary: 'One invoice or credit note, by number or uuid',
  permission: 'see',
  params: invoiceParams,
  response: invoice,
  errors: [404],
});

export const updateDraft = defineEndpoint({
  id: 'updateDraft',
  method: 'PUT',
  // OpenAPI allows one name per path; a draft has no number.
  path: '/api/invoices/{invoiceStr}/',
  summary: 'Change a draft; with a template, delivery type, due days and lines are what it has now',
  permission: 'edit',
  params: invoiceParams,
  body: draftBody(NO_FEATURES),
  bodyFor: draftBody,
  response: invoice,
  errors: [404, 409],
});

export const deleteInvoice = defineEndpoint({
  id: 'deleteInvoice',
  method: 'DELETE',
  path: '/api/invoices/{invoiceStr}/',
  summary: 'Delete a draft, or cancel a registered invoice with a credit note',
  // To credit a registered one asks for 'issue' too.
  permission: 'edit',
  params: invoiceParams,
  query: deleteQuery,
  errors: [404, 409],
});

export const updateInvoices = defineEndpoint({
  id: 'updateInvoices',
  method: 'POST',
  path: '/api/invoices/update/',
  summary:
    'Mark registered invoices as paid on a day, or paid ones as not paid; what cannot be is left as ' +
    'it is and told. With dry_run nothing is marked',
  permission: 'payments',
  query: dryRunQuery,
  body: bulkStatusBody,
  response: bulkStatusResult,
});

export const getDocumentEInvoice = defineEndpoint({
  id: 'getDocumentEInvoice',
  method: 'GET',
  path: '/api/invoices/{invoiceStr}/einvoice/',
  summary: 'Whether a document went as an e-invoice, and all that the network said about its buyer',
  permission: 'see',
  feature: 'einvoice',
  params: invoiceParams,
  response: documentEInvoice,
  errors: [404, 409],
});

const lineProposal = described(
  z.object({
    description: z.string(),
    netUnitAmount: described(z.number(), 'Kroner without VAT, when it was used last'),
    ...vatOfLine,
    unit: countedLine.unit,
    productNumber: countedLine.productNumber,
  }),
  { id: 'LineProposal' },
);

export type LineProposal = z.infer<typeof lineProposal>;

export const searchInvoiceLines = defineEndpoint({
  id: 'searchInvoiceLines',
  method: 'GET',
  path: '/api/invoices/lines/search/',
  summary:
    'Lines that were invoiced before and whose descriptions begin so, each description as it was used last',
  permission: 'see',
  query: searchQuery,
  response: z.array(lineProposal),
});

export const getEfaktura = defineEndpoint({
  id: 'getEfaktura',
  method: 'GET',
  path: '/api/invoices/{pk}/efaktura/',
  summary: 'The invoice as EHF Billing 3.0',
  permission: 'see',
  params: z.object({ pk: numberOrUuid }),
  response: z.string(),
  contentType: 'application/xml',
  errors: [404, 409],
});
