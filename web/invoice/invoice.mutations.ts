import {
  useMutation,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';

import type { RequestOf } from '../../domain/api/endpoint.ts';
import {
  createInvoices,
  deleteInvoice,
  deliverInvoice,
  queueInvoices,
  resendInvoice,
  sendInvoices,
  updateInvoice,
} from '../../domain/invoice/invoice.endpoints.ts';
import type { InvoicePage } from '../../domain/invoice/invoice-list.schema.ts';
import type { Invoice } from '../../domain/invoice/invoice.schema.ts';
import type { DeletableStatus, InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import { call } from '../api/client.ts';
import { showSuccess } from '../ui/toasts.ts';
import { invoiceKeys } from './invoice.queries.ts';

export function useCreateInvoices() {
  return useMutation({
    mutationFn: async (body: RequestOf<typeof createInvoices>['body']) =>
      call(createInvoices, { body }),
    meta: { changes: 'new-invoices' },
    onSuccess: () => showSuccess('Faktura opprettet!', { follows: true }),
  });
}

/** Registers one draft by its uuid, or every draft. */
export function useQueueInvoices() {
  return useMutation({
    mutationFn: async (invoiceUuid: string | undefined) =>
      call(queueInvoices, { query: { invoiceUuid }, body: undefined }),
    meta: { changes: 'invoices' },
    onSuccess: ({ registered, skipped }) => {
      if (registered.length > 0 || skipped.length === 0) {
        showSuccess('Fakturaer lagt til utsending');
      }
    },
  });
}

/** Staff: puts every company's registered invoices into delivery. */
export function useSendInvoices() {
  return useMutation({
    mutationFn: async () => call(sendInvoices, {}),
    meta: { changes: 'invoices' },
    onSuccess: () => showSuccess('Fakturaer er lagt til utsending'),
  });
}

/** Sends an invoice again whose delivery failed, to the customer's present address. */
export function useResendInvoice() {
  return useMutation({
    mutationFn: async (invoiceUuid: string) => call(resendInvoice, { params: { invoiceUuid } }),
    meta: { changes: 'invoices' },
    onSuccess: () => showSuccess('Faktura lagt til utsending'),
  });
}

/** Sends a registered invoice by e-mail to the customer's present address, however it was to go. */
export function useSendByEmail() {
  return useMutation({
    mutationFn: async (invoiceUuid: string) =>
      call(deliverInvoice, { params: { invoiceUuid }, body: { deliveryType: 'EMAIL' } }),
    meta: { changes: 'invoices' },
    onSuccess: () => showSuccess('Faktura lagt til utsending'),
  });
}

/** Replaces an invoice in every query that has it. */
function showChanged(queryClient: QueryClient, invoice: Invoice): void {
  const current = (other: Invoice) => (other.uuid === invoice.uuid ? invoice : other);
  queryClient.setQueriesData<Invoice>(
    { queryKey: invoiceKeys.details },
    (shown) => shown && current(shown),
  );
  queryClient.setQueriesData<InfiniteData<InvoicePage>>(
    { queryKey: invoiceKeys.lists },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, results: page.results.map(current) })),
      },
  );
}

interface StatusChange {
  readonly invoiceUuid: string;
  readonly status: InvoiceStatus;
}

export function useUpdateInvoice() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ invoiceUuid, status }: StatusChange) =>
      call(updateInvoice, { params: { invoiceUuid }, body: { status } }),
    // Counts and filters are renewed later: a long list has many pages to fetch.
    meta: { changes: 'invoices', renewal: 'after' },
    onSuccess: async (invoice) => {
      showSuccess('Faktura oppdatert!');
      // Answers on their way may be older than the change.
      await queryClient.cancelQueries({ queryKey: invoiceKeys.all });
      showChanged(queryClient, invoice);
    },
  });
}

/**
 * Deletes a draft, or cancels a registered invoice with a credit note. It is told which of them the
 * person was asked about, and is refused when the invoice has another status by now.
 */
export function useDeleteInvoice(uuid: string) {
  return useMutation({
    mutationFn: async (expect: DeletableStatus) =>
      call(deleteInvoice, { params: { invoiceStr: uuid }, query: { expect } }),
    meta: { changes: 'invoices', renewal: 'nextScreen' },
    onSuccess: () => showSuccess('Faktura slettet!', { follows: true }),
  });
}
