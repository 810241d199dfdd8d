import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';

import {
  getEhfCheck,
  getEInvoiceSettings,
  listCustomersEhf,
  startEhfCheck,
  updateEInvoiceSettings,
} from '../../../domain/einvoice/einvoice.endpoints.ts';
import type { EInvoiceSettingsForm } from '../../../domain/einvoice/einvoice.schema.ts';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

/** The customers count too, so it is as old as they are. */
export const einvoiceSettingsQuery = ask('customers', getEInvoiceSettings, {});

export function useSaveEInvoiceSettings() {
  return useMutation({
    mutationFn: async (body: EInvoiceSettingsForm) => call(updateEInvoiceSettings, { body }),
    meta: { changes: 'ehf-agreement', answers: einvoiceSettingsQuery.queryKey },
    onSuccess: () => showSuccess('Valgene er lagret!'),
  });
}

const EVERY_SECOND = 1000;

/** The last check of all customers; null without one. Polled while it works. */
export const ehfCheckQuery = queryOptions({
  ...ask('ehf-check', getEhfCheck, {}),
  refetchInterval: ({ state: { data } }) => data?.state === 'WORKING' && EVERY_SECOND,
});

/** The newest answer about each customer. */
export const customersEhfQuery = ask('customers', listCustomersEhf, {});

export function useCheckCustomers() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => call(startEhfCheck, {}),
    meta: { changes: 'ehf-check', answers: ehfCheckQuery.queryKey },
    onError: async () => queryClient.invalidateQueries({ queryKey: ehfCheckQuery.queryKey }),
  });
}
