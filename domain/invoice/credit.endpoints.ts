import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import { dryRunQuery } from '../api/validation.ts';
import { creditBody, creditTrial } from './credit.schema.ts';
import { invoice, invoiceUuidParams } from './invoice.schema.ts';

export const creditInvoice = defineEndpoint({
  id: 'creditInvoice',
  method: 'POST',
  path: '/api/invoices/{invoiceUuid}/credit/',
  summary:
    'Credit all that is left of a registered invoice, some of its lines, or a reduction of its price. ' +
    'With dry_run nothing is credited, and the answer is what would be',
  permission: 'issue',
  feature: 'credit',
  params: invoiceUuidParams,
  query: dryRunQuery,
  body: creditBody,
  response: z.union([invoice, creditTrial]),
  status: 201,
  statusOfDryRun: 200,
  errors: [404, 409],
});
