import {
  useMutation,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';

import type { ResponseOf } from '../../../domain/api/endpoint.ts';
import { todayInOslo } from '../../../domain/date.ts';
import {
  createInvoices,
  deleteInvoice,
  deliverInvoice,
  queueInvoices,
  resendInvoice,
  sendInvoices,
  updateDraft,
  updateInvoice,
  updateInvoices,
} from '../../../domain/invoice/invoice.endpoints.ts';
import type { InvoicePage } from '../../../domain/invoice/invoice-list.schema.ts';
import type { Invoice, InvoiceForm } from '../../../domain/invoice/invoice.schema.ts';
import type { DeletableStatus } from '../../../domain/invoice/invoice.status.ts';
import { call } from '../../lib/client.ts';
import { useFeature } from '../session/session.queries.ts';
import type { Saved } from '../../forms/GuardedForm.tsx';
import { showSuccess, showToast } from '../../lib/toasts.ts';
import { countInvoices, nameOf } from './invoice-name.ts';
import { invoiceKeys } from './invoice.queries.ts';

export function useCreateInvoices() {
  return useMutation({
    mutationFn: async ({ values: body }: Saved<InvoiceForm>) => call(createInvoices, { body }),
    meta: { changes: 'new-invoices' },
    onSuccess: () => showSuccess('Faktura opprettet!', { follows: true }),
  });
}

/** Saves a draft, which is for the first of the customers. */
export function useUpdateDraft(uuid: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ values, version }: Saved<InvoiceForm>) => {
      const { customerNumbers, groupUuid: _, ...draft } = values;
      const body = { ...draft, customerNumber: customerNumbers[0] ?? 0, version: version ?? 0 };
      return call(updateDraft, { params: { invoiceStr: uuid }, body });
    },
    meta: { changes: 'invoices', renewal: 'after' },
    onSuccess: async (saved) => {
      showSuccess('Faktura oppdatert!', { follows: true });
      await queryClient.cancelQueries({ queryKey: invoiceKeys.all });
      showChanged(queryClient, (other) => (other.uuid === saved.uuid ? saved : other));
    },
  });
}

/** Uuids of drafts; every draft unless stated. */
interface Queued {
  readonly one?: string;
  readonly some?: readonly string[];
}

/** Registers drafts: one, several or every one. One that cannot be is refused; of several it is told. */
export function useQueueInvoices() {
  return useMutation({
    mutationFn: async ({ one, some }: Queued) =>
      call(queueInvoices, {
        query: { invoiceUuid: one },
        body: some && { uuids: [...some] },
      }),
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

/** Sends a registered invoice by e-mail to an address, however it was to go. */
export function useSendByEmail(invoiceUuid: string) {
  return useMutation({
    mutationFn: async (recipient: string) =>
      call(deliverInvoice, {
        params: { invoiceUuid },
        body: { deliveryType: 'EMAIL', recipient },
      }),
    meta: { changes: 'invoices' },
    onSuccess: () => showSuccess('Faktura lagt til utsending'),
  });
}

/** Shows a change of invoices in every query that has them. */
function showChanged(queryClient: QueryClient, changed: (invoice: Invoice) => Invoice): void {
  queryClient.setQueriesData<Invoice>(
    { queryKey: invoiceKeys.details },
    (shown) => shown && changed(shown),
  );
  queryClient.setQueriesData<InfiniteData<InvoicePage>>(
    { queryKey: invoiceKeys.lists },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, results: page.results.map(changed) })),
      },
  );
}

interface StatusChange {
  /** As it was before. */
  readonly invoice: Invoice;
  readonly status: PaidStatus;
}

/** Marks an invoice as paid today, or as not paid. The message that tells of it takes it back, where that can be. */
export function useUpdateInvoice() {
  const queryClient = useQueryClient();
  const hasPayments = useFeature('payments');
  const { mutate: mark } = useUpdateInvoices();
  return useMutation({
    mutationFn: async ({ invoice: { uuid }, status }: StatusChange) =>
      call(updateInvoice, { params: { invoiceUuid: uuid }, body: { status } }),
    // Counts and filters are renewed later: a long list has many pages to fetch.
    meta: { changes: 'invoices', renewal: 'after' },
    onSuccess: async (updated, { invoice }) => {
      const undoing = asBefore([invoice], hasPayments);
      showSuccess('Faktura oppdatert!', { onUndo: undoing ? () => mark(undoing) : undefined });
      // Answers on their way may be older than the change.
      await queryClient.cancelQueries({ queryKey: invoiceKeys.all });
      showChanged(queryClient, (other) => (other.uuid === updated.uuid ? updated : other));
    },
  });
}

type BulkResult = ResponseOf<typeof updateInvoices>;
type PaidStatus = 'PAID' | 'REGISTERED';

/** Invoices that are to be marked alike. */
interface Marking {
  readonly uuids: readonly string[];
  readonly status: PaidStatus;
  /** With PAID; today unless stated. */
  readonly paidDate?: string | null;
}

interface Markings {
  readonly markings: readonly Marking[];
  /** Present when they take back what was done, of which a message tells. */
  readonly undo?: {
    /** The invoices that are taken back. */
    readonly invoices: readonly Invoice[];
    /** Those that stay as they are, since they would not be as they were. */
    readonly left: readonly Invoice[];
  };
}

/**
 * What undoes a change of invoices, given as they were before it, as far as they would be as they were; null when none
 * would. Taking off what was noted by hand takes earlier payments with it, and what was paid with credit, in parts or on
 * several days is not so again by marking it as paid.
 */
export function asBefore(invoices: readonly Invoice[], hasPayments: boolean): Markings | null {
  const isExact = ({ status, paidAmount }: Invoice) =>
    status === 'PAID' ? !hasPayments : paidAmount === 0;
  const exact = invoices.filter(isExact);
  const left = invoices.filter((invoice) => !isExact(invoice));
  return exact.length > 0 ? { markings: markingsOf(exact), undo: { invoices: exact, left } } : null;
}

function markingsOf(invoices: readonly Invoice[]): Marking[] {
  const groups = Map.groupBy(invoices, ({ status, paidDate }) => status === 'PAID' && paidDate);
  return [...groups].map(([paidDate, alike]): Marking => {
    const uuids = alike.map(({ uuid }) => uuid);
    return paidDate === false
      ? { uuids, status: 'REGISTERED' }
      : { uuids, status: 'PAID', paidDate };
  });
}

/** Asks what is paid of invoices that are to be marked as not paid. Marks nothing. */
export function usePaymentsOf() {
  return useMutation({
    mutationFn: async (invoices: readonly Invoice[]) => {
      const uuids = invoices.map(({ uuid }) => uuid);
      const body = { uuids, status: 'REGISTERED', paidDate: null } as const;
      const { payments = [] } = await call(updateInvoices, { query: { dryRun: 'true' }, body });
      return payments;
    },
  });
}

/** Marks many as paid or not paid, and answers which were and which were not. */
export function useUpdateInvoices() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ markings }: Markings): Promise<BulkResult> => {
      const results: BulkResult[] = [];
      for (const { uuids, status, paidDate = null } of markings) {
        results.push(
          await call(updateInvoices, { query: {}, body: { uuids: [...uuids], status, paidDate } }),
        );
      }
      return {
        updated: results.flatMap(({ updated }) => updated),
        skipped: results.flatMap(({ skipped }) => skipped),
      };
    },
    meta: { changes: 'invoices', renewal: 'after' },
    onSuccess: async ({ updated, skipped }, { markings, undo }) => {
      if (undo) tellOfUndo(undo, skipped);
      await queryClient.cancelQueries({ queryKey: invoiceKeys.all });
      showChanged(queryClient, (invoice) => {
        const marking = markings.find(({ uuids }) => uuids.includes(invoice.uuid));
        return marking && updated.includes(invoice.uuid) ? marked(invoice, marking) : invoice;
      });
    },
  });
}

function tellOfUndo(
  { invoices, left }: NonNullable<Markings['undo']>,
  skipped: BulkResult['skipped'],
): void {
  const reasons = new Map(skipped.map(({ uuid, message }) => [uuid, message]));
  const refused = invoices.flatMap((invoice) => {
    const reason = reasons.get(invoice.uuid);
    return reason === undefined ? [] : [`${nameOf(invoice)}: ${reason}`];
  });
  const stayed = [...left.map((invoice) => `${nameOf(invoice)}: ${WAS_PART_PAID}`), ...refused];
  if (stayed.length === 0) {
    showSuccess('Endringen er angret');
    return;
  }
  const title = `${countInvoices(stayed.length)} kunne ikke angres`;
  showToast({ tone: 'error', title, description: stayed.join(', ') });
}

const WAS_PART_PAID = 'noe var betalt fra før';

/** As it is now, but for what is paid, which the server tells. */
function marked(invoice: Invoice, { status, paidDate }: Marking): Invoice {
  const date = paidDate ?? todayInOslo();
  return { ...invoice, status, paidDate: status === 'PAID' ? date : null };
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
