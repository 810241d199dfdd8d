import { useMutation } from '@tanstack/react-query';

import {
  createCustomerGroup,
  deleteCustomerGroup,
  updateCustomerGroup,
} from '../../../domain/customer/customer.endpoints.ts';
import type { CustomerGroupForm } from '../../../domain/customer/customer.schema.ts';
import { call } from '../../lib/client.ts';
import type { Saved } from '../../forms/GuardedForm.tsx';
import { showSuccess } from '../../lib/toasts.ts';
import { customerGroupKeys } from './customer-group.queries.ts';

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
