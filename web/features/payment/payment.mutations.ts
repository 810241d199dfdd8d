import { useMutation } from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import {
  createPayment,
  dropPayment,
  placePayment,
  refundPayment,
  undoPayment,
} from '../../../domain/payment/payment.endpoints.ts';
import { call } from '../../lib/client.ts';
import type { Saved } from '../../forms/GuardedForm.tsx';
import { showSuccess } from '../../lib/toasts.ts';

/** Notes by hand that an invoice, or a part of it, was paid. */
export function useCreatePayment() {
  return useMutation({
    mutationFn: async ({ values: body }: Saved<RequestOf<typeof createPayment>['body']>) =>
      call(createPayment, { body }),
    meta: { changes: 'payments' },
    onSuccess: () => showSuccess('Betaling registrert!'),
  });
}

/** Places an unplaced payment on an invoice; what is more than its due stays as credit. */
export function usePlacePayment() {
  return useMutation({
    mutationFn: async ({ uuid, invoiceUuid }: { uuid: string; invoiceUuid: string }) =>
      call(placePayment, { params: { paymentUuid: uuid }, body: { invoiceUuid } }),
    meta: { changes: 'payments' },
    onSuccess: ({ invoiceNumber }) => showSuccess(`Betaling ført på faktura ${invoiceNumber}!`),
  });
}

/** Takes a payment off its invoice, or a refund back. */
export function useUndoPayment() {
  return useMutation({
    mutationFn: async (paymentUuid: string) => call(undoPayment, { params: { paymentUuid } }),
    meta: { changes: 'payments' },
    onSuccess: () => showSuccess('Betaling angret!'),
  });
}

/** Notes that an unplaced payment was paid back. */
export function useRefundPayment() {
  return useMutation({
    mutationFn: async (paymentUuid: string) => call(refundPayment, { params: { paymentUuid } }),
    meta: { changes: 'payments' },
    onSuccess: () => showSuccess('Betaling merket som tilbakebetalt!'),
  });
}

/** Drops what the bank has told and nobody has placed: a copy, or no customer's payment. */
export function useDropPayment() {
  return useMutation({
    mutationFn: async (paymentUuid: string) => call(dropPayment, { params: { paymentUuid } }),
    meta: { changes: 'payments' },
    onSuccess: () => showSuccess('Innbetaling forkastet!'),
  });
}
