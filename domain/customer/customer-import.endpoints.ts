import { defineEndpoint } from '../api/endpoint.ts';
import { IMPORT_BYTES_MAX } from '../api/list-import.ts';
import { dryRunQuery } from '../api/validation.ts';
import { customerImport, customerImportResult } from './customer-import.schema.ts';

export const importCustomers = defineEndpoint({
  id: 'importCustomers',
  method: 'POST',
  path: '/api/customers/import/',
  summary: 'Add and save many customers: all of them, or none when a row has a fault',
  permission: 'edit',
  query: dryRunQuery,
  body: customerImport,
  largestBody: IMPORT_BYTES_MAX,
  makes: true,
  response: customerImportResult,
  errors: [409],
});
