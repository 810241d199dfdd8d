import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import {
  customersEhf,
  ehfCheck,
  einvoiceSettings,
  einvoiceSettingsForm,
} from './einvoice.schema.ts';

export const getEInvoiceSettings = defineEndpoint({
  id: 'getEInvoiceSettings',
  method: 'GET',
  path: '/api/users/einvoice-settings/',
  summary: 'What the company has chosen about e-invoices, and what it still has to do',
  permission: 'see',
  feature: 'einvoice',
  response: einvoiceSettings,
});

export const updateEInvoiceSettings = defineEndpoint({
  id: 'updateEInvoiceSettings',
  method: 'PUT',
  path: '/api/users/einvoice-settings/',
  summary: 'Save what the company chooses about e-invoices',
  permission: 'profile',
  feature: 'einvoice',
  body: einvoiceSettingsForm,
  response: einvoiceSettings,
});

export const startEhfCheck = defineEndpoint({
  id: 'startEhfCheck',
  method: 'POST',
  path: '/api/customers/ehf/check/',
  summary:
    'Ask the network about every Norwegian business among the customers, at most once an hour',
  permission: 'edit',
  feature: 'einvoice',
  response: ehfCheck,
  status: 202,
  errors: [409, 429],
});

export const getEhfCheck = defineEndpoint({
  id: 'getEhfCheck',
  method: 'GET',
  path: '/api/customers/ehf/check/',
  summary: 'How far the last check of all customers is; 204 when there was none',
  permission: 'see',
  feature: 'einvoice',
  response: z.nullable(ehfCheck),
});

export const listCustomersEhf = defineEndpoint({
  id: 'listCustomersEhf',
  method: 'GET',
  path: '/api/customers/ehf/',
  summary: 'What the network last said about each customer that it was asked about, by number',
  permission: 'see',
  feature: 'einvoice',
  response: customersEhf,
});
