import { defineEndpoint } from '../api/endpoint.ts';
import { dryRunQuery } from '../url-boolean.ts';
import { bulkStatusBody, bulkStatusResult } from './invoice-bulk.schema.ts';

export const updateInvoices = defineEndpoint({
  id: 'updateInvoices',
  method: 'POST',
  path: '/api/invoices/update/',
  summary:
    'Mark registered invoices as paid on a day, or paid ones as not paid; what cannot be is left as ' +
    'it is and told. With dry_run nothing is marked',
  access: 'session',
  query: dryRunQuery,
  body: bulkStatusBody,
  response: bulkStatusResult,
});
