import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import { apiToken, newApiToken, tokenForm, tokenParams } from './token.schema.ts';

export const listTokens = defineEndpoint({
  id: 'listTokens',
  method: 'GET',
  path: '/api/tokens/',
  summary: 'The API keys of the company that work: all of them for an owner, else the own',
  permission: 'see',
  feature: 'integrations',
  sessionOnly: true,
  response: z.array(apiToken),
});

export const createToken = defineEndpoint({
  id: 'createToken',
  method: 'POST',
  path: '/api/tokens/',
  summary: 'Make an API key; only this answer has it',
  permission: 'see',
  feature: 'integrations',
  sessionOnly: true,
  proof: true,
  body: tokenForm,
  response: newApiToken,
  status: 201,
  errors: [403, 409],
});

export const deleteToken = defineEndpoint({
  id: 'deleteToken',
  method: 'DELETE',
  path: '/api/tokens/{uuid}/',
  summary: 'End an API key at once',
  permission: 'see',
  feature: 'integrations',
  sessionOnly: true,
  proof: true,
  params: tokenParams,
  errors: [404, 409],
});
