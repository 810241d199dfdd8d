import { defineEndpoint } from '../api/endpoint.ts';
import { customerParams } from '../customer/customer.schema.ts';
import { statement, statementQuery } from './statement.schema.ts';

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
