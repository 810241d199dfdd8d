import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhooks,
  resendWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '../../../domain/integration/webhook.endpoints.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

/** How often a log with waiting messages is read again (milliseconds). */
const LOOK = 2000;

export const webhooksQuery = ask('webhooks', listWebhooks, {});

/** The messages to a webhook; read again while some wait. */
export function deliveriesQuery(uuid: string, page: number) {
  return queryOptions({
    ...ask('webhooks', listWebhookDeliveries, { params: { uuid }, query: { page } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.results.some((one) => one.state === 'WAITING') ? LOOK : false,
  });
}

export function deliveryQuery(uuid: string, deliveryUuid: string) {
  return ask('webhooks', getWebhookDelivery, { params: { uuid, deliveryUuid } });
}

const meta = { changes: 'webhooks' } as const;

export function useCreateWebhook() {
  return useMutation({
    mutationFn: async ({ values }: Versioned<RequestOf<typeof createWebhook>['body']>) =>
      call(createWebhook, { body: values }),
    meta,
  });
}

export function useUpdateWebhook(uuid: string) {
  return useMutation({
    mutationFn: async ({ values }: Versioned<RequestOf<typeof updateWebhook>['body']>) =>
      call(updateWebhook, { params: { uuid }, body: values }),
    meta,
  });
}

export function useDeleteWebhook() {
  return useMutation({
    mutationFn: async (uuid: string) => call(deleteWebhook, { params: { uuid } }),
    meta,
    onSuccess: () => showSuccess('Webhooken er fjernet!'),
  });
}

export function useRotateSecret() {
  return useMutation({
    mutationFn: async (uuid: string) => call(rotateWebhookSecret, { params: { uuid } }),
    meta,
  });
}

export function useTestWebhook() {
  return useMutation({
    mutationFn: async (uuid: string) => call(testWebhook, { params: { uuid } }),
    meta,
    onSuccess: () => showSuccess('Prøven er på vei!'),
  });
}

export function useResend(uuid: string) {
  return useMutation({
    mutationFn: async (deliveryUuid: string) =>
      call(resendWebhookDelivery, { params: { uuid, deliveryUuid } }),
    meta,
    onSuccess: () => showSuccess('Meldingen sendes på nytt!'),
  });
}
