import { useMutation } from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import {
  createCustomer,
  deleteCustomer,
  updateCustomer,
} from '../../../domain/customer/customer.endpoints.ts';
import { call } from '../../lib/client.ts';
import type { Saved } from '../../forms/GuardedForm.tsx';
import { showSuccess } from '../../lib/toasts.ts';
import { customerKeys } from './customer.queries.ts';

export function useCreateCustomer() {
  return useMutation({
    mutationFn: async ({ values: body }: Saved<RequestOf<typeof createCustomer>['body']>) =>
      call(createCustomer, { body }),
    meta: { changes: 'customers' },
    onSuccess: () => showSuccess('Kunde opprettet!', { follows: true }),
  });
}

export function useUpdateCustomer(customerNumber: number) {
  return useMutation({
    mutationFn: async ({ values, version }: Saved<RequestOf<typeof updateCustomer>['body']>) =>
      call(updateCustomer, { params: { customerNumber }, body: { ...values, version } }),
    meta: { changes: 'customers', answers: customerKeys.detail(customerNumber) },
    onSuccess: () => showSuccess('Kunde oppdatert!'),
  });
}

export function useDeleteCustomer() {
  return useMutation({
    mutationFn: async (customerNumber: number) =>
      call(deleteCustomer, { params: { customerNumber } }),
    meta: { changes: 'customers', renewal: 'nextScreen' },
    onSuccess: () => showSuccess('Kunde slettet!', { follows: true }),
  });
}
