import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import {
  webhook,
  webhookDelivery,
  webhookDeliveryDetail,
  webhookDeliveryParams,
  webhookForm,
  webhookLog,
  webhookLogQuery,
  webhookParams,
  webhookUpdate,
  webhookWithSecret,
} from './webhook.schema.ts';

const OF_OWNER = { permission: 'profile', feature: 'integrations' } as const;
/** Changing where events go needs a proof (SEC-8). */
const CHANGES = { ...OF_OWNER, proof: true } as const;

export const listWebhooks = defineEndpoint({
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/webhooks/',
  summary: 'The addresses that are told of events, the oldest first',
  ...OF_OWNER,
  response: z.array(webhook),
});

export const createWebhook = defineEndpoint({
  id: 'createWebhook',
  method: 'POST',
  path: '/api/webhooks/',
  summary: 'Add an address that is told of events; only this answer has its secret',
  ...CHANGES,
  body: webhookForm,
  response: webhookWithSecret,
  status: 201,
  errors: [409],
});

export const getWebhook = defineEndpoint({
  id: 'getWebhook',
  method: 'GET',
  path: '/api/webhooks/{uuid}/',
  summary: 'One of these addresses',
  ...OF_OWNER,
  params: webhookParams,
  response: webhook,
  errors: [404],
});

export const updateWebhook = defineEndpoint({
  id: 'updateWebhook',
  method: 'PUT',
  path: '/api/webhooks/{uuid}/',
  summary:
    'Change an address or its events, or turn it on or off; what waits is cancelled when it is off',
  ...CHANGES,
  params: webhookParams,
  body: webhookUpdate,
  response: webhook,
  errors: [404],
});

export const deleteWebhook = defineEndpoint({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/webhooks/{uuid}/',
  summary: 'Remove an address with its log',
  ...CHANGES,
  params: webhookParams,
  errors: [404],
});

export const rotateWebhookSecret = defineEndpoint({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/webhooks/{uuid}/rotate/',
  summary: 'Make a new secret; for 24 hours messages are signed with the former one too',
  ...CHANGES,
  params: webhookParams,
  response: webhookWithSecret,
  errors: [404],
});

export const testWebhook = defineEndpoint({
  id: 'testWebhook',
  method: 'POST',
  path: '/api/webhooks/{uuid}/test/',
  summary: 'Send a message of the type webhook.test, also while the address is off',
  ...CHANGES,
  params: webhookParams,
  response: webhookDelivery,
  status: 201,
  errors: [404],
});

export const listWebhookDeliveries = defineEndpoint({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/api/webhooks/{uuid}/deliveries/',
  summary: 'The messages to an address of the last 30 days, the newest first, twenty a page',
  ...OF_OWNER,
  params: webhookParams,
  query: webhookLogQuery,
  response: webhookLog,
  errors: [404],
});

export const getWebhookDelivery = defineEndpoint({
  id: 'getWebhookDelivery',
  method: 'GET',
  path: '/api/webhooks/{uuid}/deliveries/{deliveryUuid}/',
  summary: 'A message with its body and its attempts',
  ...OF_OWNER,
  params: webhookDeliveryParams,
  response: webhookDeliveryDetail,
  errors: [404],
});

export const resendWebhookDelivery = defineEndpoint({
  id: 'resendWebhookDelivery',
  method: 'POST',
  path: '/api/webhooks/{uuid}/deliveries/{deliveryUuid}/resend/',
  summary: 'Send a message once more, with the same id and body',
  ...CHANGES,
  params: webhookDeliveryParams,
  makes: true,
  response: webhookDelivery,
  errors: [404, 409],
});
