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

/** Records a full or partial payment by hand. */
export function useCreatePayment() {
  return useMutation({
    mutationFn: async ({ values: body }: Saved<RequestOf<typeof createPayment>['body']>) =>
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
