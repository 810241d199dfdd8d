import { defineEndpoint } from '../api/endpoint.ts';
import { bulkStatusBody, bulkStatusResult } from './invoice-bulk.schema.ts';

export const updateInvoices = defineEndpoint({
  id: 'updateInvoices',
  method: 'POST',
  path: '/api/invoices/update/',
  summary:
    'Mark registered invoices as paid on a day, or paid ones as not paid; what cannot be is left as ' +
    'it is and told',
  access: 'session',
  body: bulkStatusBody,
  response: bulkStatusResult,
});
