import { useMutation, useQueryClient } from '@tanstack/react-query';

import {
  createCustomerGroup,
  deleteCustomerGroup,
  updateCustomerGroup,
} from '../../domain/customer-group/customer-group.endpoints.ts';
import type {
  CustomerGroupForm,
  CustomerGroupUpdate,
} from '../../domain/customer-group/customer-group.schema.ts';
import { call } from '../api/client.ts';
import { showSuccess } from '../ui/toasts.ts';
import { customerGroupKeys } from './customer-group.queries.ts';

/** What is to be known of a group that was saved: an invoice to an empty one reaches nobody. */
function noteOn(customers: readonly unknown[]): string | undefined {
  return customers.length === 0 ? 'Gruppen har ingen kunder ennå.' : undefined;
}

export function useCreateCustomerGroup() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: CustomerGroupForm) => call(createCustomerGroup, { body }),
    onSuccess: async (_, { customers }) => {
      showSuccess('Kundegruppe opprettet!', { follows: true, description: noteOn(customers) });
      await queryClient.invalidateQueries({ queryKey: customerGroupKeys.all });
    },
  });
}

export function useUpdateCustomerGroup(groupUuid: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: CustomerGroupUpdate) =>
      call(updateCustomerGroup, { params: { groupUuid }, body }),
    onSuccess: async (group, { customers }) => {
      showSuccess('Kundegruppe oppdatert!', { description: noteOn(customers) });
      queryClient.setQueryData(customerGroupKeys.detail(groupUuid), group);
      await queryClient.invalidateQueries({ queryKey: customerGroupKeys.all });
    },
  });
}

export function useDeleteCustomerGroup(groupUuid: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => call(deleteCustomerGroup, { params: { groupUuid } }),
    onSuccess: async () => {
      showSuccess('Kundegruppe slettet!', { follows: true });
      // Not asked for again while its screen is still there: that would answer 404.
      await queryClient.invalidateQueries({ queryKey: customerGroupKeys.all, refetchType: 'none' });
    },
  });
}
