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
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

export const customerGroupsQuery = ask('customer-groups', listCustomerGroups, {});

export function customerGroupSearchQuery(query: string, size: number) {
  const found = ask('customer-groups', searchCustomerGroups, { query: { query, size } });
  return queryOptions({ ...found, placeholderData: keepPreviousData });
}

export function customerGroupQuery(groupUuid: string) {
  return ask('customer-groups', getCustomerGroup, { params: { groupUuid } });
}

/** A warning for an empty group: an invoice to it has no recipients. */
function noteOn(customers: readonly unknown[]): string | undefined {
  return customers.length === 0 ? 'Gruppen har ingen kunder ennå.' : undefined;
}

export function useCreateCustomerGroup() {
  return useMutation({
    mutationFn: async ({ values: body }: Versioned<CustomerGroupForm>) =>
      call(createCustomerGroup, { body }),
    meta: { changes: 'customer-groups' },
    onSuccess: (_, { values: { customers } }) =>
      showSuccess('Kundegruppe opprettet!', { follows: true, description: noteOn(customers) }),
  });
}

export function useUpdateCustomerGroup(groupUuid: string) {
  return useMutation({
    mutationFn: async ({ values, version }: Versioned<CustomerGroupForm>) =>
      call(updateCustomerGroup, { params: { groupUuid }, body: { ...values, version } }),
    meta: { changes: 'customer-groups', answers: customerGroupQuery(groupUuid).queryKey },
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
