import { defineEndpoint } from '../api/endpoint.ts';
import { overview, overviewQuery } from './overview.schema.ts';

export const getOverview = defineEndpoint({
  id: 'getOverview',
  method: 'GET',
  path: '/api/overview/',
  summary: 'Turnover, VAT, what is owed and by whom, and how fast customers pay',
  permission: 'see',
  feature: 'overview',
  query: overviewQuery,
  response: overview,
});
