import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';

import {
  getCustomer,
  listCustomers,
  searchCustomers,
} from '../../../domain/customer/customer.endpoints.ts';
import type { Reachability } from '../../../domain/ehf/ehf.schema.ts';
import { getCustomerEhf } from '../../../domain/ehf/ehf.endpoints.ts';
import { listAssignments } from '../../../domain/recurring/recurring.endpoints.ts';
import { call } from '../../lib/client.ts';
import { findBusiness } from './business-register.ts';

/** The longest that the register is waited for. */
const REGISTER_TIMEOUT_MS = 8_000;
const FOUND_AT_MOST = 100;

export const customerKeys = {
  all: ['customers'] as const,
  list: ['customers', 'list'] as const,
  search: (query: string, size: number) => [...customerKeys.all, 'search', query, size] as const,
  detail: (customerNumber: number) => [...customerKeys.all, 'detail', customerNumber] as const,
};

export const customersQuery = queryOptions({
  queryKey: customerKeys.list,
  queryFn: async ({ signal }) => call(listCustomers, {}, signal),
});

/** At most `size` customers. Those of the previous search stay until the new ones are fetched. */
export function customerSearchQuery(query: string, size: number) {
  return queryOptions({
    queryKey: customerKeys.search(query, size),
    queryFn: async ({ signal }) => call(searchCustomers, { query: { query, size } }, signal),
    placeholderData: keepPreviousData,
  });
}

/** The customers that a search finds, or all of them, and how many there are in all. */
export function useCustomers(search: string) {
  const all = useQuery(customersQuery);
  const found = useQuery({ ...customerSearchQuery(search, FOUND_AT_MOST), enabled: search !== '' });
  return { customers: search === '' ? all : found, count: all.data?.length };
}

export function customerQuery(customerNumber: number) {
  return queryOptions({
    queryKey: customerKeys.detail(customerNumber),
    queryFn: async ({ signal }) => call(getCustomer, { params: { customerNumber } }, signal),
  });
}

/** Whether a customer can be sent EHF, as the network says. The server keeps it for a while. */
export function customerEhfQuery(customerNumber: number) {
  return queryOptions({
    queryKey: [...customerKeys.detail(customerNumber), 'ehf'] as const,
    queryFn: async ({ signal }) => call(getCustomerEhf, { params: { customerNumber } }, signal),
    retry: false,
  });
}

/**
 * Whether customers can be sent EHF, in their order; undefined for those that are still asked about.
 * Nobody is asked about unless it is `enabled`.
 */
export function useReachabilities(
  customerNumbers: readonly number[],
  { enabled }: { readonly enabled: boolean },
): readonly (Reachability | undefined)[] {
  const queries = customerNumbers.map((number) => ({ ...customerEhfQuery(number), enabled }));
  return useQueries({ queries }).map(({ data, isError }) => (isError ? 'UNKNOWN' : data?.status));
}

/**
 * A business in the public register, null when there is none. Its key is not a customer's, since saving
 * a customer does not change it.
 */
export function businessQuery(registerUrl: string, orgNumber: string) {
  return queryOptions({
    queryKey: ['business-register', orgNumber],
    queryFn: async ({ signal }) => {
      const timed = AbortSignal.any([signal, AbortSignal.timeout(REGISTER_TIMEOUT_MS)]);
      return (await findBusiness(registerUrl, orgNumber, timed)) ?? null;
    },
    staleTime: Infinity,
    retry: false,
  });
}

/** The standing assignments of which a customer is a recipient, named or by its group. */
export function assignmentsOfQuery(customerNumber: number) {
  return queryOptions({
    queryKey: ['recurring', 'of customer', customerNumber] as const,
    queryFn: async ({ signal }) => call(listAssignments, { query: { customerNumber } }, signal),
  });
}
