import { getInvoiceHistory } from '../../../domain/history/history.endpoints.ts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';

import {
  getInvoice,
  listInvoices,
  searchInvoiceLines,
} from '../../../domain/invoice/invoice.endpoints.ts';
import type { InvoiceSort, ListedStatus } from '../../../domain/invoice/invoice-list.schema.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { call } from '../../lib/client.ts';
import { pollEvery } from '../../lib/poll-every.ts';

const FIRST_PAGE = 1;

export interface InvoiceFilter {
  readonly query: string;
  readonly status?: ListedStatus | undefined;
  readonly sort?: InvoiceSort | undefined;
  readonly customerNumber?: number | undefined;
}

export const invoiceKeys = {
  all: ['invoices'] as const,
  lists: ['invoices', 'list'] as const,
  list: (filter: InvoiceFilter) => [...invoiceKeys.lists, filter] as const,
  lines: (query: string) => ['invoices', 'lines', query] as const,
  details: ['invoices', 'detail'] as const,
  detail: (numberOrUuid: string) => [...invoiceKeys.details, numberOrUuid] as const,
  history: (uuid: string, state: string) => ['invoices', 'history', uuid, state] as const,
};

/** The pages of invoices. Polled while any of them is being delivered. */
export function invoicesQuery(filter: InvoiceFilter) {
  return infiniteQueryOptions({
    queryKey: invoiceKeys.list(filter),
    queryFn: async ({ pageParam, signal }) =>
      call(listInvoices, { query: { ...filter, page: pageParam } }, signal),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (page, _pages, pageNumber) => (page.next === null ? null : pageNumber + 1),
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      pollEvery(
        query,
        query.state.data?.pages.flatMap((page) => page.results.filter(isUnderWay)) ?? [],
      ),
  });
}

/** One invoice, by number or uuid. Polled while it is being delivered. */
export function invoiceQuery(numberOrUuid: string) {
  return queryOptions({
    queryKey: invoiceKeys.detail(numberOrUuid),
    queryFn: async ({ signal }) =>
      call(getInvoice, { params: { invoiceStr: numberOrUuid } }, signal),
    refetchInterval: (query) =>
      pollEvery(query, query.state.data ? [query.state.data].filter(isUnderWay) : []),
  });
}

/**
 * The history of an invoice. Its key contains the statuses, so a status change fetches it again.
 *
 * @param reminded the delivery statuses of the invoice's reminders, which its history contains too
 */
export function historyQuery(
  { uuid, status, deliveries }: Invoice,
  reminded: readonly (string | null)[] = [],
) {
  const state = [status, ...deliveries.map((delivery) => delivery.status), ...reminded].join();
  return queryOptions({
    queryKey: invoiceKeys.history(uuid, state),
    queryFn: async ({ signal }) =>
      call(getInvoiceHistory, { params: { invoiceStr: uuid } }, signal),
    placeholderData: keepPreviousData,
  });
}

/** Whether an invoice is registered but not yet delivered. */
export function isUnderWay(invoice: Pick<Invoice, 'status' | 'deliveryStatus'>): boolean {
  const { status, deliveryStatus } = invoice;
  return status !== 'DRAFT' && (deliveryStatus === 'PENDING' || deliveryStatus === 'QUEUED');
}

/** The same number as in the form's other search fields (WEB-10). */
const PROPOSALS = 4;

/** Earlier invoice lines whose description starts with `query`. */
export function lineProposalsQuery(query: string) {
  return queryOptions({
    queryKey: invoiceKeys.lines(query),
    queryFn: async ({ signal }) =>
      call(searchInvoiceLines, { query: { query, size: PROPOSALS } }, signal),
  });
}
