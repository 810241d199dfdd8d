import { queryOptions, useMutation } from '@tanstack/react-query';

import { getInvoiceLink, renewInvoiceLink } from '../../../domain/portal/portal.endpoints.ts';
import type { PortalSettings } from '../../../domain/profile/portal-settings.schema.ts';
import {
  getPortalSettings,
  savePortalSettings,
} from '../../../domain/profile/settings.endpoints.ts';
import { ask, call } from '../../lib/client.ts';
import { shouldRetryUnlessRefused } from '../../lib/query-client.ts';
import { showSuccess } from '../../lib/toasts.ts';

/** The link of an invoice for its customer; refused while the company has no pages. */
export const invoiceLinkQuery = (invoiceUuid: string) =>
  queryOptions({
    ...ask('invoice-links', getInvoiceLink, { params: { invoiceUuid } }),
    retry: shouldRetryUnlessRefused,
  });

export function useRenewLink(invoiceUuid: string) {
  return useMutation({
    mutationFn: async () => call(renewInvoiceLink, { params: { invoiceUuid } }),
    meta: { changes: 'invoice-links', answers: invoiceLinkQuery(invoiceUuid).queryKey },
    onSuccess: () => showSuccess('Ny lenke er laget!'),
  });
}

export const portalSettingsQuery = ask('portal-settings', getPortalSettings, {});

export function useSavePortalSettings() {
  return useMutation({
    mutationFn: async (body: PortalSettings) => call(savePortalSettings, { body }),
    meta: { changes: 'portal-settings', answers: portalSettingsQuery.queryKey },
    onSuccess: () => showSuccess('Valgene er lagret!'),
  });
}
