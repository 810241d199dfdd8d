import { defineEndpoint } from '../api/endpoint.ts';
import { invoiceUuidParams } from '../invoice/invoice.schema.ts';
import {
  invoiceLink,
  portalCodeForm,
  portalInvoice,
  portalInvoices,
  portalPageQuery,
  portalParams,
} from './portal.schema.ts';
import { statement, statementQuery } from './statement.schema.ts';

export const getInvoiceLink = defineEndpoint({
  id: 'getInvoiceLink',
  method: 'GET',
  path: '/api/invoices/{invoiceUuid}/link/',
  summary: "The address of the invoice's page for its customer, as mails have it",
  permission: 'see',
  feature: 'portal',
  params: invoiceUuidParams,
  response: invoiceLink,
  errors: [404, 409],
});

export const renewInvoiceLink = defineEndpoint({
  id: 'renewInvoiceLink',
  method: 'POST',
  path: '/api/invoices/{invoiceUuid}/link/renew/',
  summary: 'Give the page a new address; the old one ends at once',
  permission: 'issue',
  feature: 'portal',
  params: invoiceUuidParams,
  response: invoiceLink,
  errors: [404, 409],
});

export const getPortalInvoice = defineEndpoint({
  id: 'getPortalInvoice',
  method: 'GET',
  path: '/api/portal/{token}/',
  summary: 'The invoice of a link, as its customer sees it',
  access: 'public',
  feature: 'portal',
  params: portalParams,
  response: portalInvoice,
  errors: [404, 429],
});

export const confirmPortal = defineEndpoint({
  id: 'confirmPortal',
  method: 'POST',
  path: '/api/portal/{token}/code/',
  summary: "Mail a code to the link's customer, or confirm this browser by it for 24 hours",
  access: 'public',
  feature: 'portal',
  params: portalParams,
  body: portalCodeForm,
  errors: [403, 404, 409, 429],
});

export const listPortalInvoices = defineEndpoint({
  id: 'listPortalInvoices',
  method: 'GET',
  path: '/api/portal/{token}/invoices/',
  summary: "All invoices of the link's customer; 403 until this browser is confirmed",
  access: 'public',
  feature: 'portal',
  params: portalParams,
  query: portalPageQuery,
  response: portalInvoices,
  errors: [403, 404, 429],
});

export const getPortalStatement = defineEndpoint({
  id: 'getPortalStatement',
  method: 'GET',
  path: '/api/portal/{token}/statement/',
  summary: "The statement of the link's customer; 403 until this browser is confirmed",
  access: 'public',
  feature: 'portal',
  params: portalParams,
  query: statementQuery,
  response: statement,
  errors: [403, 404, 429],
});
