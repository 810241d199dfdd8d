import { useMutation, useQueryClient } from '@tanstack/react-query';

import {
  createCustomer,
  deleteCustomer,
  updateCustomer,
} from '../../domain/customer/customer.endpoints.ts';
import type { CustomerForm, CustomerUpdate } from '../../domain/customer/customer.schema.ts';
import { call } from '../api/client.ts';
import { customerGroupKeys } from '../customer-group/customer-group.queries.ts';
import { showSuccess } from '../ui/toasts.ts';
import { customerKeys } from './customer.queries.ts';

export function useCreateCustomer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: CustomerForm) => call(createCustomer, { body }),
    onSuccess: async () => {
      showSuccess('Kunde opprettet!', { follows: true });
      await queryClient.invalidateQueries({ queryKey: customerKeys.all });
    },
  });
}

export function useUpdateCustomer(customerNumber: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: CustomerUpdate) =>
      call(updateCustomer, { params: { customerNumber }, body }),
    onSuccess: async (customer) => {
      showSuccess('Kunde oppdatert!');
      queryClient.setQueryData(customerKeys.detail(customerNumber), customer);
      await queryClient.invalidateQueries({ queryKey: customerKeys.all });
      await queryClient.invalidateQueries({ queryKey: customerGroupKeys.all });
    },
  });
}

export function useDeleteCustomer(customerNumber: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => call(deleteCustomer, { params: { customerNumber } }),
    onSuccess: async () => {
      showSuccess('Kunde slettet!', { follows: true });
      // Not asked for again while its screen is still there: that would answer 404.
      await queryClient.invalidateQueries({ queryKey: customerKeys.all, refetchType: 'none' });
      await queryClient.invalidateQueries({ queryKey: customerGroupKeys.all });
    },
  });
}
