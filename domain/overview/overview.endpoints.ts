import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import {
  linkParams,
  newOverviewLink,
  overviewLink,
  overviewLinkForm,
  sharedCodeForm,
  sharedOverview,
  sharedParams,
} from './overview-link.schema.ts';
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

export const listOverviewLinks = defineEndpoint({
  id: 'listOverviewLinks',
  method: 'GET',
  path: '/api/overview/links/',
  summary: 'The links to the overview, the latest first; ended ones for 30 days',
  permission: 'members',
  feature: 'overview',
  response: z.array(overviewLink),
});

export const createOverviewLink = defineEndpoint({
  id: 'createOverviewLink',
  method: 'POST',
  path: '/api/overview/links/',
  summary: 'Make a link that shows figures without a login; only this answer has its address',
  permission: 'members',
  proof: true,
  feature: 'overview',
  body: overviewLinkForm,
  response: newOverviewLink,
  status: 201,
  errors: [409],
});

export const deleteOverviewLink = defineEndpoint({
  id: 'deleteOverviewLink',
  method: 'DELETE',
  path: '/api/overview/links/{uuid}/',
  summary: 'End a link at once',
  permission: 'members',
  feature: 'overview',
  params: linkParams,
  errors: [404],
});

export const getSharedOverview = defineEndpoint({
  id: 'getSharedOverview',
  method: 'GET',
  path: '/api/shared/{token}/',
  summary: 'The figures of a link; 403 until its address is confirmed, where it has one',
  access: 'public',
  feature: 'overview',
  params: sharedParams,
  response: sharedOverview,
  errors: [403, 404, 429],
});

export const confirmSharedOverview = defineEndpoint({
  id: 'confirmSharedOverview',
  method: 'POST',
  path: '/api/shared/{token}/code/',
  summary: 'Mail a code to the address of a link, or confirm this browser by it for 30 days',
  access: 'public',
  feature: 'overview',
  params: sharedParams,
  body: sharedCodeForm,
  errors: [403, 404, 429],
});
