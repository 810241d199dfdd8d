import { z } from 'zod/mini';

import { defineEndpoint, NO_FEATURES } from '../api/endpoint.ts';
import { createdDrafts } from '../invoice/invoice.schema.ts';
import {
  invoiceTemplate,
  invoiceTemplateForm,
  invoiceTemplateParams,
  invoiceTemplateUpdate,
  templateToInvoicesBody,
  templateToInvoicesParams,
} from './invoice-template.schema.ts';

export const listInvoiceTemplates = defineEndpoint({
  id: 'listInvoiceTemplates',
  method: 'GET',
  path: '/api/invoices/template/',
  summary: 'Every template',
  permission: 'see',
  response: z.array(invoiceTemplate),
});

export const createInvoiceTemplate = defineEndpoint({
  id: 'createInvoiceTemplate',
  method: 'POST',
  path: '/api/invoices/template/create/',
  summary: 'Create a template',
  permission: 'edit',
  body: invoiceTemplateForm(NO_FEATURES),
  bodyFor: invoiceTemplateForm,
  response: invoiceTemplate,
  status: 201,
  errors: [409],
});

export const updateInvoiceTemplate = defineEndpoint({
  id: 'updateInvoiceTemplate',
  method: 'PUT',
  path: '/api/invoices/template/{invoiceTemplatePk}/update/',
  summary: 'Save a template: lines with an id are kept, those without are added, the rest go',
  permission: 'edit',
  params: invoiceTemplateParams,
  body: invoiceTemplateUpdate(NO_FEATURES),
  bodyFor: invoiceTemplateUpdate,
  response: invoiceTemplate,
  errors: [404, 409],
});

export const getInvoiceTemplate = defineEndpoint({
  id: 'getInvoiceTemplate',
  method: 'GET',
  path: '/api/invoices/template/{invoiceTemplatePk}/',
  summary: 'One template',
  permission: 'see',
  params: invoiceTemplateParams,
  response: invoiceTemplate,
  errors: [404],
});

export const deleteInvoiceTemplate = defineEndpoint({
  id: 'deleteInvoiceTemplate',
  method: 'DELETE',
  path: '/api/invoices/template/{invoiceTemplatePk}/',
  summary: 'Delete a template',
  permission: 'edit',
  params: invoiceTemplateParams,
  errors: [404],
});

export const createInvoicesFromTemplate = defineEndpoint({
  id: 'createInvoicesFromTemplate',
  method: 'POST',
  path: '/api/invoices/template/{templateId}/create-invoice/',
  summary:
    'Turn a template into one draft per customer, at most 100000 lines and 20 MB of text in all',
  permission: 'edit',
  params: templateToInvoicesParams,
  body: templateToInvoicesBody,
  response: createdDrafts,
  status: 201,
  errors: [404, 409],
});
