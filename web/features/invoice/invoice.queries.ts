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

/** The invoices page by page. Polled while one is being delivered. */
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

/** One invoice by number or uuid. Polled while it is being delivered. */
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
 * What happened to an invoice. The key changes with its statuses, so it is fetched again when they do.
 *
 * @param reminded how its reminders were delivered, which is told in its history too
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

/** Whether a registered invoice is still to be delivered. */
export function isUnderWay(invoice: Pick<Invoice, 'status' | 'deliveryStatus'>): boolean {
  const { status, deliveryStatus } = invoice;
  return status !== 'DRAFT' && (deliveryStatus === 'PENDING' || deliveryStatus === 'QUEUED');
}

/** As many as the other finders of the form show (WEB-10). */
const PROPOSALS = 4;

/** Lines that were invoiced before and begin so. */
export function lineProposalsQuery(query: string) {
  return queryOptions({
    queryKey: invoiceKeys.lines(query),
    queryFn: async ({ signal }) =>
      call(searchInvoiceLines, { query: { query, size: PROPOSALS } }, signal),
  });
}
