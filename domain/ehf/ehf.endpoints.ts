import { defineEndpoint } from '../api/endpoint.ts';
import { customerParams } from '../customer/customer.schema.ts';
import { customerEhf, ehfAgreement } from './ehf.schema.ts';

export const getEhfAgreement = defineEndpoint({
  id: 'getEhfAgreement',
  method: 'GET',
  path: '/api/users/ehf-agreement/',
  summary: 'Whether the company may send EHF',
  permission: 'see',
  feature: 'ehf',
  response: ehfAgreement,
});

export const requestEhfAgreement = defineEndpoint({
  id: 'requestEhfAgreement',
  method: 'POST',
  path: '/api/users/ehf-agreement/',
  summary: 'Ask to be allowed to send EHF; an operator answers. Asking again changes nothing',
  permission: 'profile',
  proof: true,
  feature: 'ehf',
  response: ehfAgreement,
  errors: [409],
});

export const getCustomerEhf = defineEndpoint({
  id: 'getCustomerEhf',
  method: 'GET',
  path: '/api/customers/{customerNumber}/ehf/',
  summary: 'Whether a customer can be sent EHF, as the network says',
  permission: 'see',
  feature: ['ehf', 'einvoice'],
  params: customerParams,
  response: customerEhf,
  errors: [404],
});
