import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueries,
  useQuery,
} from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import {
  createCustomer,
  deleteCustomer,
  getCustomer,
  listCustomers,
  searchCustomers,
  updateCustomer,
} from '../../../domain/customer/customer.endpoints.ts';
import { getCustomerEhf } from '../../../domain/ehf/ehf.endpoints.ts';
import type { Reachability } from '../../../domain/ehf/ehf.schema.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

/** Most customers that a search finds. */
export const FOUND_AT_MOST = 100;

export const customersQuery = ask('customers', listCustomers, {});

/** At most `size` customers. The previous result is shown until the new one arrives. */
export function customerSearchQuery(query: string, size: number) {
  const found = ask('customers', searchCustomers, { query: { query, size } });
  return queryOptions({ ...found, placeholderData: keepPreviousData });
}

/** The customers that match a search, or all of them, with the total count. */
export function useCustomers(search: string) {
  const all = useQuery(customersQuery);
  const found = useQuery({ ...customerSearchQuery(search, FOUND_AT_MOST), enabled: search !== '' });
  return { customers: search === '' ? all : found, count: all.data?.length };
}

/** Whether a customer has the number; false where that cannot be found out. */
export async function isCustomerNumberTaken(number: number): Promise<boolean> {
  const query = { query: String(number), size: FOUND_AT_MOST };
  const found = await call(searchCustomers, { query }).catch(() => []);
  return found.some(({ customerNumber }) => customerNumber === number);
}

export function customerQuery(customerNumber: number) {
  return ask('customers', getCustomer, { params: { customerNumber } });
}

/** Whether a customer can receive EHF, as the network reports. The server caches the answer. */
export function customerEhfQuery(customerNumber: number) {
  const asked = ask('customers', getCustomerEhf, { params: { customerNumber } });
  return queryOptions({ ...asked, retry: false });
}

/**
 * Whether each customer can receive EHF, in the order given; undefined while loading, and unless `enabled`, whatever
 * another part of the screen has asked for.
 */
export function useReachabilities(
  customerNumbers: readonly number[],
  { enabled }: { readonly enabled: boolean },
): readonly (Reachability | undefined)[] {
  const queries = customerNumbers.map((number) => ({ ...customerEhfQuery(number), enabled }));
  const found = useQueries({ queries });
  return found.map(({ data, isError }) =>
    enabled ? (isError ? 'UNKNOWN' : data?.status) : undefined,
  );
}

export function useCreateCustomer() {
  return useMutation({
    mutationFn: async ({ values: body }: Versioned<RequestOf<typeof createCustomer>['body']>) =>
      call(createCustomer, { body }),
    meta: { changes: 'customers' },
    onSuccess: () => showSuccess('Kunde opprettet!', { follows: true }),
  });
}

export function useUpdateCustomer(customerNumber: number) {
  return useMutation({
    mutationFn: async ({ values, version }: Versioned<RequestOf<typeof updateCustomer>['body']>) =>
      call(updateCustomer, { params: { customerNumber }, body: { ...values, version } }),
    meta: { changes: 'customers', answers: customerQuery(customerNumber).queryKey },
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
