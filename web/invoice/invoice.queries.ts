import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';

import { getInvoiceHistory } from '../../domain/history/history.endpoints.ts';
import { getInvoice, listInvoices } from '../../domain/invoice/invoice.endpoints.ts';
import type { Invoice, ListedStatus } from '../../domain/invoice/invoice.schema.ts';
import { call } from '../api/client.ts';

const FIRST_PAGE = 1;
const POLL_MS = 2_000;
const SLOW_POLL_MS = 15_000;
/** After a minute the mail server is down, or staff has yet to send. */
const QUICK_POLLS = 30;

export interface InvoiceFilter {
  readonly query: string;
  readonly status: ListedStatus | undefined;
}

export const invoiceKeys = {
  all: ['invoices'] as const,
  lists: ['invoices', 'list'] as const,
  list: (filter: InvoiceFilter) => [...invoiceKeys.lists, filter] as const,
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

/** What happened to an invoice. The key changes with its statuses, so it is fetched again when they do. */
export function historyQuery({ uuid, status, deliveries }: Invoice) {
  const state = [status, ...deliveries.map((delivery) => delivery.status)].join();
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

interface Polled {
  readonly state: { readonly dataUpdateCount: number };
}

/** Which invoices a query waits for, and how many answers it had when it began to. */
const awaited = new WeakMap<Polled, { readonly what: string; readonly since: number }>();

/**
 * When to poll again: soon at first, and after each change of what is being delivered. In milliseconds;
 * false when nothing is.
 */
export function pollEvery(
  query: Polled,
  underWay: readonly Pick<Invoice, 'uuid' | 'deliveryStatus'>[],
): number | false {
  if (underWay.length === 0) {
    awaited.delete(query);
    return false;
  }
  const { dataUpdateCount } = query.state;
  const what = underWay.map(({ uuid, deliveryStatus }) => `${uuid} ${deliveryStatus}`).join();
  const before = awaited.get(query);
  const since = before?.what === what ? before.since : dataUpdateCount;
  awaited.set(query, { what, since });
  return dataUpdateCount - since < QUICK_POLLS ? POLL_MS : SLOW_POLL_MS;
}
