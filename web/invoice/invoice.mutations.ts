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
  queueInvoices,
  resendInvoice,
  sendInvoices,
  updateInvoice,
} from '../../domain/invoice/invoice.endpoints.ts';
import type { Invoice, InvoicePage } from '../../domain/invoice/invoice.schema.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import { call } from '../api/client.ts';
import { profileQuery } from '../profile/profile.queries.ts';
import { showSuccess } from '../ui/toasts.ts';
import { invoiceKeys } from './invoice.queries.ts';

export function useCreateInvoices() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: RequestOf<typeof createInvoices>['body']) =>
      call(createInvoices, { body }),
    onSuccess: async () => {
      showSuccess('Faktura opprettet!', { follows: true });
      // The first invoice fixes the start number in the profile.
      await queryClient.invalidateQueries({ queryKey: profileQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: invoiceKeys.all });
    },
  });
}

/** Registers one draft by its uuid, or every draft. */
export function useQueueInvoices() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (invoiceUuid: string | undefined) =>
      call(queueInvoices, { query: { invoiceUuid } }),
    onSuccess: async ({ registered, skipped }) => {
      if (registered.length > 0 || skipped.length === 0) {
        showSuccess('Fakturaer lagt til utsending');
      }
      await queryClient.invalidateQueries({ queryKey: invoiceKeys.all });
    },
  });
}

/** Staff: puts every company's registered invoices into delivery. */
export function useSendInvoices() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => call(sendInvoices, {}),
    onSuccess: async () => {
      showSuccess('Fakturaer er lagt til utsending');
      await queryClient.invalidateQueries({ queryKey: invoiceKeys.all });
    },
  });
}

/** Sends an invoice whose delivery failed once more, to the address that the customer has now. */
export function useResendInvoice() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (invoiceUuid: string) => call(resendInvoice, { params: { invoiceUuid } }),
    onSuccess: async () => {
      showSuccess('Faktura lagt til utsending');
      await queryClient.invalidateQueries({ queryKey: invoiceKeys.all });
    },
  });
}

/** Puts an invoice as it is now wherever it is shown. */
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

/** What can be deleted, or credited instead. */
export type DeletableStatus = Extract<InvoiceStatus, 'DRAFT' | 'REGISTERED'>;

interface StatusChange {
  readonly invoiceUuid: string;
  readonly status: InvoiceStatus;
}

export function useUpdateInvoice() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ invoiceUuid, status }: StatusChange) =>
      call(updateInvoice, { params: { invoiceUuid }, body: { status } }),
    onSuccess: async (invoice) => {
      showSuccess('Faktura oppdatert!');
      // What is being asked for may be from before.
      await queryClient.cancelQueries({ queryKey: invoiceKeys.all });
      showChanged(queryClient, invoice);
      // The counts and filters follow; nobody waits for every page of a long list.
      void queryClient.invalidateQueries({ queryKey: invoiceKeys.all });
    },
  });
}

interface Deletion {
  readonly uuid: string;
  /** What the person was told that it is. */
  readonly expect: DeletableStatus;
}

/** Deletes a draft, or cancels a registered invoice with a credit note. */
export function useDeleteInvoice() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ uuid, expect }: Deletion) =>
      call(deleteInvoice, { params: { invoiceStr: uuid }, query: { expect } }),
    // Perhaps it was registered or paid in another tab: then something else must be asked.
    onError: async () => queryClient.invalidateQueries({ queryKey: invoiceKeys.all }),
    onSuccess: async () => {
      showSuccess('Faktura slettet!', { follows: true });
      await queryClient.invalidateQueries({
        queryKey: invoiceKeys.details,
        // Not asked for again while its screen is still there: a deleted draft would answer 404.
        refetchType: 'none',
      });
      await queryClient.invalidateQueries({ queryKey: invoiceKeys.lists });
    },
  });
}
