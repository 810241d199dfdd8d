import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
} from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import { listInvoices } from '../../../domain/invoice/invoice.endpoints.ts';
import {
  createPayment,
  dropPayment,
  listPayments,
  placePayment,
  refundPayment,
  undoPayment,
} from '../../../domain/payment/payment.endpoints.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

const FIRST_PAGE = 1;

/** The payments of an invoice, or unplaced or refunded payments, of everybody or of one customer. */
interface PaymentFilter {
  readonly invoice?: string;
  readonly state?: 'UNPLACED' | 'REFUNDED';
  readonly customerNumber?: number;
}

/** Payments by page, newest first. */
export function paymentsQuery(filter: PaymentFilter) {
  return infiniteQueryOptions({
    queryKey: ['payments', 'list', filter] as const,
    queryFn: async ({ pageParam, signal }) =>
      call(listPayments, { query: { ...filter, page: pageParam } }, signal),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (page, _pages, pageNumber) => (page.next === null ? null : pageNumber + 1),
    placeholderData: keepPreviousData,
  });
}

/** The unpaid invoices of a customer, earliest due date first. */
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

/** Unpaid or paid invoices that a search finds. The previous result is shown until the new one arrives. */
export function payableInvoicesQuery(query: string, status: 'OUTSTANDING' | 'PAID') {
  const found = ask('invoices', listInvoices, { query: { query, status } });
  return queryOptions({ ...found, placeholderData: keepPreviousData });
}

export function useCreatePayment() {
  return useMutation({
    mutationFn: async ({ values: body }: Versioned<RequestOf<typeof createPayment>['body']>) =>
      call(createPayment, { body }),
    meta: { changes: 'payments' },
    onSuccess: () => showSuccess('Betaling registrert!'),
  });
}

/** Places an unplaced payment on an invoice. The excess stays as credit. */
export function usePlacePayment() {
  return useMutation({
    mutationFn: async ({ uuid, invoiceUuid }: { uuid: string; invoiceUuid: string }) =>
      call(placePayment, { params: { paymentUuid: uuid }, body: { invoiceUuid } }),
    meta: { changes: 'payments' },
    onSuccess: ({ invoiceNumber }) => showSuccess(`Betaling ført på faktura ${invoiceNumber}!`),
  });
}

/** Removes a payment from its invoice, or undoes a refund. */
export function useUndoPayment() {
  return useMutation({
    mutationFn: async (paymentUuid: string) => call(undoPayment, { params: { paymentUuid } }),
    meta: { changes: 'payments' },
    onSuccess: () => showSuccess('Betaling angret!'),
  });
}

/** Records that an unplaced payment was paid back. */
export function useRefundPayment() {
  return useMutation({
    mutationFn: async (paymentUuid: string) => call(refundPayment, { params: { paymentUuid } }),
    meta: { changes: 'payments' },
    onSuccess: () => showSuccess('Betaling merket som tilbakebetalt!'),
  });
}

/** Drops an unplaced bank payment: a copy, or one that is not from a customer. */
export function useDropPayment() {
  return useMutation({
    mutationFn: async (paymentUuid: string) => call(dropPayment, { params: { paymentUuid } }),
    meta: { changes: 'payments' },
    onSuccess: () => showSuccess('Innbetaling forkastet!'),
  });
}
