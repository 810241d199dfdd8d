import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';

import type { ResponseOf } from '../../../domain/api/endpoint.ts';
import { type IsoDate, todayInOslo } from '../../../domain/date.ts';
import type {
  InvoicePage,
  InvoiceSort,
  ListedStatus,
} from '../../../domain/invoice/invoice-list.schema.ts';
import {
  createInvoices,
  deleteInvoice,
  deliverInvoice,
  getInvoice,
  listInvoices,
  queueInvoices,
  resendInvoice,
  searchInvoiceLines,
  sendInvoices,
  updateDraft,
  updateInvoice,
  updateInvoices,
} from '../../../domain/invoice/invoice.endpoints.ts';
import type { Invoice, InvoiceForm } from '../../../domain/invoice/invoice.schema.ts';
import type { DeletableStatus } from '../../../domain/invoice/invoice.status.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { showCount } from '../../lib/number-text.ts';
import { deliveryInterval } from '../../lib/delivery-interval.ts';
import { showSuccess, showToast } from '../../lib/toasts.ts';
import { useFeature } from '../session/session.api.ts';
import { countInvoices, nameOf } from './invoice-labels.ts';

const FIRST_PAGE = 1;

export interface InvoiceFilter {
  readonly query: string;
  readonly status?: ListedStatus | undefined;
  /** Those that could have gone as EHF, and did not. */
  readonly einvoice?: 'OTHER_WAY' | undefined;
  readonly sort?: InvoiceSort | undefined;
  readonly customerNumber?: number | undefined;
  /** Days of issue. */
  readonly from?: IsoDate | undefined;
  readonly to?: IsoDate | undefined;
  /** Days on which payment is due. */
  readonly dueFrom?: IsoDate | undefined;
  readonly dueTo?: IsoDate | undefined;
}

const LISTS = ['invoices', 'list'] as const;

/** The pages of invoices. Polled while any of them is being delivered. */
export function invoicesQuery(filter: InvoiceFilter) {
  return infiniteQueryOptions({
    queryKey: [...LISTS, filter] as const,
    queryFn: async ({ pageParam, signal }) =>
      call(listInvoices, { query: { ...filter, page: pageParam } }, signal),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (page, _pages, pageNumber) => (page.next === null ? null : pageNumber + 1),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.results.some(isUnderWay)) && deliveryInterval(data),
  });
}

/** One invoice, by number or uuid. Polled while it is being delivered. */
export function invoiceQuery(numberOrUuid: string) {
  return queryOptions({
    ...ask('invoices', getInvoice, { params: { invoiceStr: numberOrUuid } }),
    refetchInterval: ({ state: { data } }) => data && isUnderWay(data) && deliveryInterval(data),
  });
}

/** Whether an invoice is registered but not yet delivered. */
export function isUnderWay(invoice: Pick<Invoice, 'status' | 'deliveryStatus'>): boolean {
  const { status, deliveryStatus } = invoice;
  return status !== 'DRAFT' && (deliveryStatus === 'PENDING' || deliveryStatus === 'QUEUED');
}

/** The invoices that did not arrive; their count is of all of them. */
export const failedQuery = ask('invoices', listInvoices, { query: { status: 'FAILED' } });

/** The same number as in the form's other search fields (WEB-10). */
const PROPOSALS = 4;

/** Earlier invoice lines whose description starts with `query`. */
export function lineProposalsQuery(query: string) {
  return ask('invoices', searchInvoiceLines, { query: { query, size: PROPOSALS } });
}

/** An empty reference leaves each of several customers its own; one customer's was proposed on the screen (CUS-14). */
function withOwnReferences(form: InvoiceForm): InvoiceForm {
  const isOne = form.customerNumbers.length === 1 && form.groupUuid === null;
  return isOne || form.reference !== null ? form : { ...form, reference: undefined };
}

export function useCreateInvoices() {
  return useMutation({
    mutationFn: async ({ values }: Versioned<InvoiceForm>) =>
      call(createInvoices, { body: withOwnReferences(values) }),
    meta: { changes: 'new-invoices' },
    onSuccess: ({ length }) => {
      const several = `${showCount(length)} utkast, ett til hver kunde`;
      const description = length > 1 ? several : undefined;
      showSuccess('Faktura opprettet!', { follows: true, description });
    },
  });
}

/** Saves a draft. It has one customer, so only the first customer number is used. */
export function useUpdateDraft(uuid: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ values, version }: Versioned<InvoiceForm>) => {
      const { customerNumbers, groupUuid: _, ...draft } = values;
      const body = { ...draft, customerNumber: customerNumbers[0] ?? 0, version: version ?? 0 };
      return call(updateDraft, { params: { invoiceStr: uuid }, body });
    },
    meta: { changes: 'invoices', renewal: 'after' },
    onSuccess: async (saved) => {
      showSuccess('Faktura oppdatert!', { follows: true });
      await showChanged(queryClient, (other) => (other.uuid === saved.uuid ? saved : other));
    },
  });
}

/** Says what registering several drafts, or all, would do. A dry run: registers nothing. */
export function useTryQueue() {
  return useMutation({
    mutationFn: async (some: readonly string[] | null) =>
      call(queueInvoices, { query: { dryRun: 'true' }, body: some && { uuids: [...some] } }),
  });
}

/** Registers one draft, several or, without uuids, all. A single failure throws; in bulk it is listed as skipped. */
export function useQueueInvoices() {
  return useMutation({
    mutationFn: async ({ one, some }: { one?: string; some?: readonly string[] }) =>
      call(queueInvoices, {
        query: { invoiceUuid: one },
        body: some && { uuids: [...some] },
      }),
    meta: { changes: 'invoices' },
    onSuccess: ({ registered, skipped, changed }, { one }) => {
      // Another tab may have registered it.
      if (one && registered.length === 0) showSuccess('Fakturaen var allerede registrert');
      else if (registered.length > 0 || skipped.length === 0) {
        showSuccess('Fakturaer lagt til utsending', { description: sentAsEhf(changed?.length) });
      }
    },
  });
}

/** Says after registering how many went as EHF in place of e-mail (EINV-7); undefined for none. */
export function sentAsEhf(changed = 0): string | undefined {
  if (changed === 0) return undefined;
  return `${changed === 1 ? 'Én' : showCount(changed)} sendes som EHF i stedet for e-post`;
}

/** Staff: puts every company's registered invoices into delivery. */
export function useSendInvoices() {
  return useMutation({
    mutationFn: async () => call(sendInvoices, {}),
    meta: { changes: 'invoices' },
    onSuccess: () => showSuccess('Fakturaer er lagt til utsending'),
  });
}

/** Sends an invoice again after its delivery failed, to the customer's current address. */
export function useResendInvoice() {
  return useMutation({
    mutationFn: async (invoiceUuid: string) => call(resendInvoice, { params: { invoiceUuid } }),
    meta: { changes: 'invoices' },
    onSuccess: () => showSuccess('Faktura lagt til utsending'),
  });
}

/** Sends a registered invoice by e-mail to an address, whatever its delivery type. */
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

async function showChanged(
  queryClient: QueryClient,
  changed: (invoice: Invoice) => Invoice,
): Promise<void> {
  // Responses already under way may be older than the change.
  await queryClient.cancelQueries({ queryKey: ['invoices'] });
  queryClient.setQueriesData<Invoice>(
    { queryKey: ['invoices', getInvoice.path] },
    (shown) => shown && changed(shown),
  );
  queryClient.setQueriesData<InfiniteData<InvoicePage>>(
    { queryKey: LISTS },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, results: page.results.map(changed) })),
      },
  );
}

/** Marks an invoice as paid today, or as not paid. The toast offers undo when possible. */
export function useUpdateInvoice() {
  const queryClient = useQueryClient();
  const hasPayments = useFeature('payments');
  const { mutate: mark } = useUpdateInvoices();
  return useMutation({
    mutationFn: async ({ invoice: { uuid }, status }: { invoice: Invoice; status: PaidStatus }) =>
      call(updateInvoice, { params: { invoiceUuid: uuid }, body: { status } }),
    // Fetches counts and filtered lists later: a long list has many pages.
    meta: { changes: 'invoices', renewal: 'after' },
    onSuccess: async (updated, { invoice }) => {
      const undoing = undoOf([invoice], hasPayments);
      showSuccess('Faktura oppdatert!', { onUndo: undoing ? () => mark(undoing) : undefined });
      await showChanged(queryClient, (other) => (other.uuid === updated.uuid ? updated : other));
    },
  });
}

type BulkResult = ResponseOf<typeof updateInvoices>;
export type PaidStatus = 'PAID' | 'REGISTERED';

/** Invoices to mark with the same status and date. */
interface Marking {
  readonly uuids: readonly string[];
  readonly status: PaidStatus;
  /** For PAID; defaults to today. */
  readonly paidDate?: string | null;
}

interface Markings {
  readonly markings: readonly Marking[];
  /** Present when the markings undo an earlier change; a toast then reports the result. */
  readonly undo?: {
    readonly invoices: readonly Invoice[];
    /** The invoices that cannot be restored exactly, and are left unchanged. */
    readonly left: readonly Invoice[];
  };
}

/**
 * The markings that undo a change; null when no invoice can be restored exactly. Marking as not paid would also remove
 * earlier manual payments, and marking as paid does not restore a payment by credit, in parts or on several dates.
 *
 * @param invoices the invoices as they were before the change
 */
export function undoOf(invoices: readonly Invoice[], hasPayments: boolean): Markings | null {
  const isExact = ({ status, paidAmount }: Invoice) =>
    status === 'PAID' ? !hasPayments : paidAmount === 0;
  const exact = invoices.filter(isExact);
  if (exact.length === 0) return null;
  // Only paid invoices have a date.
  const groups = Map.groupBy(exact, ({ paidDate }) => paidDate);
  const markings = [...groups].map(([paidDate, alike]): Marking => {
    const status = paidDate === null ? 'REGISTERED' : 'PAID';
    return { uuids: alike.map(({ uuid }) => uuid), status, paidDate };
  });
  return {
    markings,
    undo: { invoices: exact, left: invoices.filter((invoice) => !isExact(invoice)) },
  };
}

/** Fetches the payments that marking the invoices as not paid would affect. A dry run: marks nothing. */
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

/** Marks many invoices as paid or not paid. Returns the updated uuids, and the skipped ones with reasons. */
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
      if (undo) showUndoResult(undo, skipped);
      await showChanged(queryClient, (invoice) => {
        const marking = markings.find(({ uuids }) => uuids.includes(invoice.uuid));
        return marking && updated.includes(invoice.uuid) ? marked(invoice, marking) : invoice;
      });
    },
  });
}

function showUndoResult(
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

/** The invoice after the marking. Its paid and due amounts are unchanged until the next fetch. */
function marked(invoice: Invoice, { status, paidDate }: Marking): Invoice {
  const date = paidDate ?? todayInOslo();
  return { ...invoice, status, paidDate: status === 'PAID' ? date : null };
}

/**
 * Deletes a draft, or cancels a registered invoice with a credit note. Sends the status that the user confirmed; the
 * server refuses with 409 when the invoice has another status by now.
 */
export function useDeleteInvoice(uuid: string) {
  return useMutation({
    mutationFn: async (expect: DeletableStatus) =>
      call(deleteInvoice, { params: { invoiceStr: uuid }, query: { expect } }),
    meta: { changes: 'invoices', renewal: 'nextScreen' },
    onSuccess: () => showSuccess('Faktura slettet!', { follows: true }),
  });
}
