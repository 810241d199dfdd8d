import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';

import { listInvoices } from '../../../domain/invoice/invoice.endpoints.ts';
import { listPayments } from '../../../domain/payment/payment.endpoints.ts';
import { call } from '../../lib/client.ts';

const FIRST_PAGE = 1;

/** The payments of an invoice, or unplaced payments, of everybody or of one customer. */
interface PaymentFilter {
  readonly invoice?: string;
  readonly state?: 'UNPLACED';
  readonly customerNumber?: number;
}

const paymentKeys = {
  lists: ['payments', 'list'] as const,
  list: (filter: PaymentFilter) => [...paymentKeys.lists, filter] as const,
};

/** Payments by page, newest first. */
export function paymentsQuery(filter: PaymentFilter) {
  return infiniteQueryOptions({
    queryKey: paymentKeys.list(filter),
    queryFn: async ({ pageParam, signal }) =>
      call(listPayments, { query: { ...filter, page: pageParam } }, signal),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (page, _pages, pageNumber) => (page.next === null ? null : pageNumber + 1),
    placeholderData: keepPreviousData,
  });
}

/** A customer's unpaid invoices, latest due date first. */
export function openInvoicesQuery(customerNumber: number) {
  return infiniteQueryOptions({
    queryKey: ['invoices', 'open', customerNumber] as const,
    queryFn: async ({ pageParam, signal }) => {
      const query = { status: 'OUTSTANDING', customerNumber, page: pageParam } as const;
      return call(listInvoices, { query }, signal);
    },
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (page, _pages, pageNumber) => (page.next === null ? null : pageNumber + 1),
  });
}

type Wanted = { readonly query: string } | { readonly amountDue: string };

/**
 * Unpaid or paid invoices, found by number, customer or amount due (kroner). The previous result is shown until the
 * new one arrives.
 */
export function payableInvoicesQuery(wanted: Wanted, status: 'OUTSTANDING' | 'PAID') {
  return queryOptions({
    queryKey: ['invoices', 'payable', wanted, status] as const,
    queryFn: async ({ signal }) => call(listInvoices, { query: { ...wanted, status } }, signal),
    placeholderData: keepPreviousData,
  });
}
