import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';

import {
  createCustomerGroup,
  deleteCustomerGroup,
  getCustomerGroup,
  listCustomerGroups,
  searchCustomerGroups,
  updateCustomerGroup,
} from '../../../domain/customer/customer.endpoints.ts';
import type { CustomerGroupForm } from '../../../domain/customer/customer.schema.ts';
import type { Saved } from '../../forms/GuardedForm.tsx';
import { call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

const customerGroupKeys = {
  all: ['customer-groups'] as const,
  list: ['customer-groups', 'list'] as const,
  search: (query: string, size: number) =>
    [...customerGroupKeys.all, 'search', query, size] as const,
  detail: (groupUuid: string) => [...customerGroupKeys.all, 'detail', groupUuid] as const,
};

export const customerGroupsQuery = queryOptions({
  queryKey: customerGroupKeys.list,
  queryFn: async ({ signal }) => call(listCustomerGroups, {}, signal),
});

export function customerGroupSearchQuery(query: string, size: number) {
  return queryOptions({
    queryKey: customerGroupKeys.search(query, size),
    queryFn: async ({ signal }) => call(searchCustomerGroups, { query: { query, size } }, signal),
    placeholderData: keepPreviousData,
  });
}

export function customerGroupQuery(groupUuid: string) {
  return queryOptions({
    queryKey: customerGroupKeys.detail(groupUuid),
    queryFn: async ({ signal }) => call(getCustomerGroup, { params: { groupUuid } }, signal),
  });
}

/** A warning for an empty group: an invoice to it has no recipients. */
function noteOn(customers: readonly unknown[]): string | undefined {
  return customers.length === 0 ? 'Gruppen har ingen kunder ennå.' : undefined;
}

export function useCreateCustomerGroup() {
  return useMutation({
    mutationFn: async ({ values: body }: Saved<CustomerGroupForm>) =>
      call(createCustomerGroup, { body }),
    meta: { changes: 'customer-groups' },
    onSuccess: (_, { values: { customers } }) =>
      showSuccess('Kundegruppe opprettet!', { follows: true, description: noteOn(customers) }),
  });
}

export function useUpdateCustomerGroup(groupUuid: string) {
  return useMutation({
    mutationFn: async ({ values, version }: Saved<CustomerGroupForm>) =>
      call(updateCustomerGroup, { params: { groupUuid }, body: { ...values, version } }),
    meta: { changes: 'customer-groups', answers: customerGroupKeys.detail(groupUuid) },
    onSuccess: (_, { values: { customers } }) =>
      showSuccess('Kundegruppe oppdatert!', { description: noteOn(customers) }),
  });
}

export function useDeleteCustomerGroup() {
  return useMutation({
    mutationFn: async (groupUuid: string) => call(deleteCustomerGroup, { params: { groupUuid } }),
    meta: { changes: 'customer-groups', renewal: 'nextScreen' },
    onSuccess: () => showSuccess('Kundegruppe slettet!', { follows: true }),
  });
}
