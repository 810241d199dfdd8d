import { z } from 'zod';

import { defineEndpoint } from '../api/endpoint.ts';
import { searchQuery } from '../customer/customer.schema.ts';
import { countedLine, vatRate } from './invoice-line.schema.ts';

const lineProposal = z
  .object({
    description: z.string(),
    netUnitAmount: z.number().meta({ description: 'Kroner without VAT, when it was used last' }),
    vatRatePercentage: vatRate,
    unit: countedLine.unit,
  })
  .meta({ id: 'LineProposal' });

export type LineProposal = z.infer<typeof lineProposal>;

export const searchInvoiceLines = defineEndpoint({
  id: 'searchInvoiceLines',
  method: 'GET',
  path: '/api/invoices/lines/search/',
  summary:
    'Lines that were invoiced before and whose descriptions begin so, each description as it was used last',
  access: 'session',
  query: searchQuery,
  response: z.array(lineProposal),
});
