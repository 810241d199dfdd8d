import { z } from 'zod';

import { defineEndpoint } from '../api/endpoint.ts';
import { numberOrUuid } from '../invoice/invoice.schema.ts';

export const getEfaktura = defineEndpoint({
  id: 'getEfaktura',
  method: 'GET',
  path: '/api/invoices/{pk}/efaktura/',
  summary: 'The invoice as EHF Billing 3.0',
  access: 'session',
  params: z.object({ pk: numberOrUuid }),
  response: z.string(),
  contentType: 'application/xml',
  errors: [404, 409],
});
