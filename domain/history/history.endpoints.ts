import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import { invoiceParams } from '../invoice/invoice.schema.ts';
import { historyEvent } from './history.schema.ts';

export const getInvoiceHistory = defineEndpoint({
  id: 'getInvoiceHistory',
  method: 'GET',
  path: '/api/invoices/{invoiceStr}/history/',
  summary: 'What happened to an invoice or credit note, when and by whom, newest first',
  permission: 'see',
  params: invoiceParams,
  response: z.array(historyEvent),
  errors: [404],
});
