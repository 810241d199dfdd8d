import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import { customerParams } from '../customer/customer.schema.ts';
import {
  statement,
  statementDelivery,
  statementDeliveryForm,
  statementQuery,
} from './statement.schema.ts';

export const getStatement = defineEndpoint({
  id: 'getStatement',
  method: 'GET',
  path: '/api/customers/{customerNumber}/statement/',
  summary: 'What a customer owed before a period, what happened in it, and what is open after it',
  permission: 'see',
  feature: 'portal',
  params: customerParams,
  query: statementQuery,
  response: statement,
  errors: [404],
});

export const listStatementDeliveries = defineEndpoint({
  id: 'listStatementDeliveries',
  method: 'GET',
  path: '/api/customers/{customerNumber}/statement/deliveries/',
  summary: 'The latest 50 statements that were mailed to a customer, the latest first',
  permission: 'see',
  feature: 'portal',
  params: customerParams,
  response: z.array(statementDelivery),
  errors: [404],
});

export const deliverStatement = defineEndpoint({
  id: 'deliverStatement',
  method: 'POST',
  path: '/api/customers/{customerNumber}/statement/deliveries/',
  summary: 'Mail a statement to the addresses of a customer, or to another one',
  permission: 'issue',
  feature: 'portal',
  params: customerParams,
  body: statementDeliveryForm,
  response: statementDelivery,
  status: 201,
  errors: [404, 409, 429],
});
