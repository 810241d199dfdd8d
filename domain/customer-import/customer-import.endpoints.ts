import { defineEndpoint } from '../api/endpoint.ts';
import { dryRunQuery } from '../url-boolean.ts';
import {
  customerImport,
  customerImportResult,
  IMPORT_BYTES_MAX,
} from './customer-import.schema.ts';

export const importCustomers = defineEndpoint({
  id: 'importCustomers',
  method: 'POST',
  path: '/api/customers/import/',
  summary: 'Add and save many customers: all of them, or none when a row has a fault',
  access: 'session',
  query: dryRunQuery,
  body: customerImport,
  largestBody: IMPORT_BYTES_MAX,
  response: customerImportResult,
  errors: [409],
});
