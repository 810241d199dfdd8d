import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';

import { getInvoice, listInvoices } from '../../domain/invoice/invoice.endpoints.ts';
import type { Invoice } from '../../domain/invoice/invoice.schema.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import { call } from '../api/client.ts';

const FIRST_PAGE = 1;
const POLL_MS = 2_000;
const SLOW_POLL_MS = 15_000;
/** After a minute it is no matter of seconds: the mail server is away, or staff is to send. */
const QUICK_POLLS = 30;

export interface InvoiceFilter {
  readonly query: string;
  readonly status: InvoiceStatus | undefined;
}

export const invoiceKeys = {
  all: ['invoices'] as const,
  list: (filter: InvoiceFilter) => [...invoiceKeys.all, 'list', filter] as const,
  detail: (numberOrUuid: string) => [...invoiceKeys.all, 'detail', numberOrUuid] as const,
};

/** The invoices page by page; asked for again by themselves while one is on its way. */
export function invoicesQuery(filter: InvoiceFilter) {
  return infiniteQueryOptions({
    queryKey: invoiceKeys.list(filter),
    queryFn: async ({ pageParam, signal }) =>
      call(listInvoices, { query: { ...filter, page: pageParam } }, signal),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (page, _pages, pageNumber) => (page.next === null ? null : pageNumber + 1),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      pollEvery(
        state.data?.pages.some((page) => page.results.some(isUnderWay)) ?? false,
        state.dataUpdateCount,
      ),
  });
}

/** One invoice by number or uuid; asked for again by itself while it is on its way. */
export function invoiceQuery(numberOrUuid: string) {
  return queryOptions({
    queryKey: invoiceKeys.detail(numberOrUuid),
    queryFn: async ({ signal }) =>
      call(getInvoice, { params: { invoiceStr: numberOrUuid } }, signal),
    refetchInterval: ({ state }) =>
      pollEvery(state.data ? isUnderWay(state.data) : false, state.dataUpdateCount),
  });
}

/** Whether an invoice is registered and its mail has yet to be accepted or refused. */
export function isUnderWay(invoice: Pick<Invoice, 'status' | 'deliveryStatus'>): boolean {
  const { status, deliveryStatus } = invoice;
  return status === 'REGISTERED' && (deliveryStatus === 'PENDING' || deliveryStatus === 'QUEUED');
}

function pollEvery(underWay: boolean, timesAsked: number): number | false {
  if (!underWay) return false;
  return timesAsked < QUICK_POLLS ? POLL_MS : SLOW_POLL_MS;
}
